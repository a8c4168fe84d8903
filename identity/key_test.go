package identity_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/iotest"

	"consilience/identity"
	"consilience/reason"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// key is the private key whose seed is b, 32 times.
func key(t testing.TB, b byte) identity.PrivateKey {
	t.Helper()
	k, err := identity.NewPrivateKey(bytes.Repeat([]byte{b}, 32))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// P-70, AP-12: a key is accepted only as the canonical encoding of a point that
// is not of small order. These are all eight points of small order, every other
// encoding of them that decodes, and values that are no point.
func TestKeysThatAreRefused(t *testing.T) {
	for name, raw := range map[string]string{
		"identity":                    "0100000000000000000000000000000000000000000000000000000000000000",
		"identity, sign bit":          "0100000000000000000000000000000000000000000000000000000000000080",
		"identity, y = p+1":           "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
		"identity, y = p+1, sign":     "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
		"order 2":                     "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
		"order 2, sign bit":           "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
		"order 4":                     "0000000000000000000000000000000000000000000000000000000000000000",
		"order 4, other":              "0000000000000000000000000000000000000000000000000000000000000080",
		"order 4, y = p":              "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
		"order 4, y = p, sign":        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
		"order 8":                     "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
		"order 8, other sign":         "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
		"order 8, second":             "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
		"order 8, second, other sign": "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
		"y = 2, no point":             "0200000000000000000000000000000000000000000000000000000000000000",
		"y = p+3, large order":        "f0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
		"all ones":                    strings.Repeat("ff", 32),
		"31 bytes":                    strings.Repeat("58", 31),
		"33 bytes":                    strings.Repeat("58", 33),
		"none":                        "",
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := identity.NewPublicKey(unhex(t, raw)); reason.Of(err) != reason.KeyInvalid {
				t.Errorf("got %v, want %s", err, reason.KeyInvalid)
			}
		})
	}
}

// Why small-order keys are refused: the standard library verifies one signature
// over any message under them.
func TestSmallOrderKeyVerifiesAnything(t *testing.T) {
	small := unhex(t, "0100000000000000000000000000000000000000000000000000000000000000")
	signature := append(bytes.Clone(small), make([]byte, 32)...) // R = identity, S = 0
	if !ed25519.Verify(small, []byte("anything"), signature) {
		t.Skip("the standard library refuses small-order keys now")
	}
	if _, err := identity.NewPublicKey(small); err == nil {
		t.Error("a key under which anybody can sign was accepted")
	}
}

// P-48: the key ids that draft-ferro-schrock-memory-projection-record-01 prints.
func TestShortKeyIDs(t *testing.T) {
	for raw, want := range map[string]string{
		"927c69e5f6d735d057fb1f156436a0b67a2d053df693e03dbee2dff50cf42b19": "63c1e89c009c5ad7",
		"31f646bd8dc5aea4fbc52456b5369f86bf58165b6f701196331efc96a415725a": "d05309cbd3b55f3b",
	} {
		k, err := identity.NewPublicKey(unhex(t, raw))
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%x", k.KeyID().Short()); got != want {
			t.Errorf("short key id of %s is %s, want %s", raw, got, want)
		}
	}
}

// A key's texts name it as files and subjects do.
func TestKeyText(t *testing.T) {
	k := key(t, 1).Public()
	text, err := k.MarshalText()
	if err != nil || string(identity.MarshalPublic(k)) != "nhe-ed25519 "+string(text)+"\n" {
		t.Errorf("text %s, %v", text, err)
	}
	if "nhe:"+k.KeyID().String() != k.ID().String() || k.ID().Token() != k.KeyID().String() {
		t.Errorf("key id %s, id %s", k.KeyID(), k.ID())
	}
	if _, err := identity.NewPrivateKey(make([]byte, 31)); reason.Of(err) != reason.KeyInvalid {
		t.Errorf("a seed of 31 bytes: got %v", err)
	}
}

func TestIDText(t *testing.T) {
	id := key(t, 1).Public().ID()
	for _, text := range []string{id.String(), id.Token()} {
		if got, err := identity.ParseID(text); err != nil || got != id {
			t.Errorf("ParseID(%q) = %v, %v", text, got, err)
		}
	}
	document, err := json.Marshal(map[string]identity.ID{"id": id})
	if want := `{"id":"` + id.String() + `"}`; err != nil || string(document) != want {
		t.Errorf("JSON is %s, %v, want %s", document, err, want)
	}
	var back map[string]identity.ID
	if err := json.Unmarshal(document, &back); err != nil || back["id"] != id {
		t.Errorf("JSON gives back %v, %v", back, err)
	}
}

// P-4: one value has one text form.
func TestIDTextIsStrict(t *testing.T) {
	token := key(t, 1).Public().ID().Token()
	for name, text := range map[string]string{
		"empty":         "",
		"prefix alone":  "nhe:",
		"two prefixes":  "nhe:nhe:" + token,
		"other case":    "NHE:" + token,
		"padding":       token + "=",
		"line feed":     token[:20] + "\n" + token[20:],
		"blank":         token + " ",
		"short":         token[:42],
		"long":          token + "A",
		"spare bits":    token[:42] + string(token[42]+1),
		"standard sign": strings.Repeat("+", 43),
		"record's id":   "rec:" + token,
	} {
		if _, err := identity.ParseID(text); reason.Of(err) != reason.Malformed {
			t.Errorf("%s: got %v, want %s", name, err, reason.Malformed)
		}
	}
}

// A private key shows itself nowhere.
func TestPrivateKeyIsHidden(t *testing.T) {
	k := key(t, 7)
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "key", k, "in", struct{ K identity.PrivateKey }{k})
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "key", k, "in", struct{ K identity.PrivateKey }{k})
	document, err := json.Marshal(k)
	if err != nil {
		t.Fatal(err)
	}
	shown := log.String() + string(document) +
		fmt.Sprintf("%v %+v %#v %s %x %d %q", k, k, k, k, k, k, k) +
		fmt.Sprintf("%v %+v %#v %x", []identity.PrivateKey{k}, &k, struct{ K identity.PrivateKey }{k}, &k)
	for _, secret := range []string{hex.EncodeToString(k.Seed()[:4]), strings.ToUpper(hex.EncodeToString(k.Seed()[:4])), "7 7 7", "0x7", "BwcHBw"} {
		if strings.Contains(shown, secret) {
			t.Errorf("a private key shows %q in %s", secret, shown)
		}
	}
}

func TestGenerateKeyNeedsRandomness(t *testing.T) {
	if _, err := identity.GenerateKey(strings.NewReader("too short")); err == nil {
		t.Error("a key of nine bytes of randomness")
	}
	broken := errors.New("broken")
	if _, err := identity.GenerateKey(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("got %v, want the reader's error", err)
	}
	k, err := identity.GenerateKey(bytes.NewReader(bytes.Repeat([]byte{9}, 32)))
	if err != nil || k.Public() != key(t, 9).Public() {
		t.Errorf("32 bytes of randomness are not the seed: %v", err)
	}
}
