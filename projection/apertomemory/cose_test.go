package apertomemory

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/veraison/go-cose"
)

// example is one of the COSE working group's.
type example struct {
	Title string `json:"title"`
	Fail  bool   `json:"fail"`
	Input struct {
		Encrypted struct {
			External   string
			Recipients []struct{ Key struct{ K string } }
		}
		Sign0 struct{ External string }
	} `json:"input"`
	Intermediates struct {
		AAD    string `json:"AAD_hex"`
		CEK    string `json:"CEK_hex"`
		ToSign string `json:"ToBeSign_hex"`
	} `json:"intermediates"`
	Output struct{ CBOR string } `json:"output"`
}

func examples(t *testing.T, folder string) map[string]example {
	t.Helper()
	dir, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]example{}
	for ; dir != filepath.Dir(dir) && len(all) == 0; dir = filepath.Dir(dir) {
		files, err := filepath.Glob(filepath.Join(dir, "shared/vectors/cose-wg-examples", folder, "*.json"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			var e example
			if err := json.Unmarshal(b, &e); err != nil {
				t.Fatal(f, err)
			}
			all[filepath.Base(f)] = e
		}
	}
	if len(all) == 0 {
		t.Skip("the COSE examples are not beside the repository")
	}
	return all
}

// S-3: what an Encrypt0 authenticates, against the working group's intermediate
// values, and the one example that is in the format's own form decrypts.
func TestEncrypt0Examples(t *testing.T) {
	var decrypted, structures int
	for _, folder := range []string{"aes-gcm-examples", "encrypted-tests"} {
		for name, e := range examples(t, folder) {
			message := fromDigits(t, e.Output.CBOR)
			if aad := fromDigits(t, e.Intermediates.AAD); bytes.Contains(aad, []byte("Encrypt0")) && !e.Fail {
				protected := protectedOf(t, message)
				external := fromDigits(t, e.Input.Encrypted.External)
				if !bytes.Equal(encStructure(protected, external), aad) {
					t.Errorf("%s: %x", name, aad)
				}
				structures++
			}
			m, ok := cutEncrypt0(message)
			if !ok {
				continue
			}
			key, err := base64.RawURLEncoding.DecodeString(e.Input.Encrypted.Recipients[0].Key.K)
			if err != nil || len(key) != 32 {
				t.Fatal(name, err)
			}
			plain, err := m.decrypt([32]byte(key), fromDigits(t, e.Input.Encrypted.External))
			if (err != nil) != e.Fail {
				t.Errorf("%s: %v", name, err)
			}
			if err == nil && string(plain) != "This is the content." {
				t.Errorf("%s: %q", name, plain)
			}
			decrypted++
		}
	}
	if decrypted == 0 || structures < 5 {
		t.Errorf("%d messages, %d structures", decrypted, structures)
	}
}

// protectedOf is the content of the byte string after an optional tag and the array
// head.
func protectedOf(t *testing.T, message []byte) []byte {
	t.Helper()
	message = message[1:]
	if message[0]>>5 != majorBytes {
		message = message[1:]
	}
	n := int(message[0] & 31)
	if message[0]>>5 != majorBytes || n >= len(message) {
		t.Fatalf("%x", message)
	}
	if n == 1 && message[1] == 0xa0 {
		return []byte{} // an empty map is authenticated as no bytes (RFC 9052 section 5.3)
	}
	return append([]byte{}, message[1:1+n]...)
}

// Every failing example of the working group stays refused, whatever the reason.
func TestFailingEncryptions(t *testing.T) {
	seen := 0
	for name, e := range examples(t, "encrypted-tests") {
		if !strings.Contains(name, "fail") {
			continue
		}
		seen++
		m, ok := cutEncrypt0(fromDigits(t, e.Output.CBOR))
		if !ok {
			continue
		}
		var key [32]byte
		copy(key[:], fromDigits(t, e.Intermediates.CEK))
		if _, err := m.decrypt(key, fromDigits(t, e.Input.Encrypted.External)); err == nil {
			t.Errorf("%s decrypts", name)
		}
	}
	if seen != 6 {
		t.Errorf("%d failing examples", seen)
	}
}

// S-2: what a Sign1 signs, against the working group's intermediate values.
func TestSign1Examples(t *testing.T) {
	seen := 0
	for name, e := range examples(t, "eddsa-examples") {
		want := fromDigits(t, e.Intermediates.ToSign)
		if len(want) == 0 {
			continue
		}
		message := fromDigits(t, e.Output.CBOR)
		got := sigStructure(protectedOf(t, message), fromDigits(t, e.Input.Sign0.External), []byte("This is the content."))
		if !bytes.Equal(got, want) {
			t.Errorf("%s: %x, want %x", name, got, want)
		}
		seen++
	}
	if seen == 0 {
		t.Error("no example of a Sign1")
	}
}

// S-3 to S-5: an independent COSE library verifies what the reader verifies.
func TestAgainstCOSELibrary(t *testing.T) {
	seen := 0
	for name, v := range vectors(t) {
		if v.Input.SealedObject == "" && v.Expect.SealedObject == "" {
			continue
		}
		s, ok := openEnvelope(v.object(t))
		if !ok || s.Version != currentVersion {
			continue
		}
		m, ok := cutEncrypt0(s.Message)
		if !ok {
			t.Fatal(name)
		}
		plain, err := m.decrypt([32]byte(fromDigits(t, dataKey)), s.aad())
		if err != nil {
			continue // 005 and 006
		}
		ours, ok := cutSign1(plain)
		if !ok {
			t.Fatal(name)
		}
		var theirs cose.Sign1Message
		if err := theirs.UnmarshalCBOR(plain); err != nil {
			t.Fatal(name, err)
		}
		for _, digits := range []string{ownerKey, authorKey} {
			public := ed25519.PublicKey(fromDigits(t, digits))
			verifier, err := cose.NewVerifier(cose.AlgorithmEdDSA, public)
			if err != nil {
				t.Fatal(err)
			}
			want := theirs.Verify(s.aad(), verifier) == nil
			if got := ed25519.Verify(public, ours.signedBytes(s.aad()), ours.signature); got != want {
				t.Errorf("%s under %s: %v, the library says %v", name, digits[:8], got, want)
			}
			seen++
		}
	}
	if seen < 16 {
		t.Errorf("only %d comparisons", seen)
	}
}

// wycheproof is a set of hostile cryptographic tests.
type wycheproof struct {
	TestGroups []struct {
		IVSize  int `json:"ivSize"`
		KeySize int `json:"keySize"`
		TagSize int `json:"tagSize"`
		Tests   []struct {
			ID     int    `json:"tcId"`
			Key    string `json:"key"`
			IV     string `json:"iv"`
			AAD    string `json:"aad"`
			Msg    string `json:"msg"`
			CT     string `json:"ct"`
			Tag    string `json:"tag"`
			Result string `json:"result"`
		} `json:"tests"`
	} `json:"testGroups"`
}

// S-3: the cipher under hostile inputs, AES-256 with a 96-bit nonce and a full tag
// as the format has it. The additional data of those tests is free, ours is an
// Enc_structure, so the cipher is compared with its own structure taken off.
func TestWycheproofAESGCM(t *testing.T) {
	var set wycheproof
	if err := json.Unmarshal(shared(t, "wycheproof/aes_gcm_test.json"), &set); err != nil {
		t.Fatal(err)
	}
	var seen, refused int
	for _, g := range set.TestGroups {
		if g.KeySize != 256 || g.IVSize != 96 || g.TagSize != 128 {
			continue
		}
		for _, c := range g.Tests {
			e := encrypt0{fromDigits(t, c.IV), append(fromDigits(t, c.CT), fromDigits(t, c.Tag)...)}
			got, err := e.open([32]byte(fromDigits(t, c.Key)), fromDigits(t, c.AAD))
			if (err == nil) != (c.Result == "valid") || err == nil && hex.EncodeToString(got) != c.Msg {
				t.Errorf("test %d: %v", c.ID, err)
			}
			seen++
			if err != nil {
				refused++
			}
		}
	}
	if seen < 60 || refused < 20 {
		t.Errorf("%d tests, %d refused", seen, refused)
	}
}
