package projection_test

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/gowebpki/jcs"

	"consilience/identity"
	"consilience/projection"
)

// signedAs puts a signature into the published record.
func signedAs(t *testing.T, signature []byte) *bench {
	t.Helper()
	b := genuine(t)
	unsigned(t, b, "proof.signature_b64u", `"`+base64.RawURLEncoding.EncodeToString(signature)+`"`)
	return b
}

func signedBytes(t *testing.T) []byte {
	t.Helper()
	r, err := projection.Parse(genuine(t).record)
	if err != nil {
		t.Fatal(err)
	}
	return r.SignedBytes()
}

// P-66: the domain, one zero octet, and the record without proof; nothing else.
func TestOtherSignedBytes(t *testing.T) {
	good := signedBytes(t)
	body := good[len(projection.Version)+1:]
	withProof := func(proof string) []byte {
		plain := strings.TrimSuffix(string(body), "}") + `,"proof":` + proof + "}"
		canonical, err := jcs.Transform([]byte(plain))
		if err != nil {
			t.Fatal(err)
		}
		return slices.Concat([]byte(projection.Version), []byte{0}, canonical)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, body, "", " "); err != nil {
		t.Fatal(err)
	}
	for what, message := range map[string][]byte{
		"no zero octet":  slices.Concat([]byte(projection.Version), body),
		"two of them":    slices.Concat([]byte(projection.Version), []byte{0, 0}, body),
		"no domain":      body,
		"other domain":   slices.Concat([]byte("MEMORY-PROJECTION-RECORD-v2"), []byte{0}, body),
		"proof null":     withProof("null"),
		"proof empty":    withProof("{}"),
		"proof unsigned": withProof(`{"alg":"Ed25519","key_id":"apertomemory-adapter-key-2026-07"}`),
		"not canonical":  slices.Concat([]byte(projection.Version), []byte{0}, indented.Bytes()),
		"trailing LF":    append(slices.Clone(good), '\n'),
	} {
		if bytes.Equal(message, good) {
			t.Fatalf("%s is the right message", what)
		}
		wantCode(t, signedAs(t, ed25519.Sign(adapterKey(), message)).envelope(t), projection.SignatureInvalid)
	}
	if err := signedAs(t, ed25519.Sign(adapterKey(), good)).envelope(t); err != nil {
		t.Error(err)
	}
}

// P-67: pure Ed25519: neither its prehashed nor its context form, nor a hash signed.
func TestOtherSignatureForms(t *testing.T) {
	good := signedBytes(t)
	hash := sha512.Sum512(good)
	for what, c := range map[string]struct {
		message []byte
		options crypto.SignerOpts
	}{
		"Ed25519ph":  {hash[:], &ed25519.Options{Hash: crypto.SHA512}},
		"Ed25519ctx": {good, &ed25519.Options{Context: projection.Version}},
		"prehashed":  {hash[:], crypto.Hash(0)},
	} {
		signature, err := adapterKey().Sign(nil, c.message, c.options)
		if err != nil {
			t.Fatal(what, err)
		}
		wantCode(t, signedAs(t, signature).envelope(t), projection.SignatureInvalid)
	}
}

// P-69: S is reduced: the same signature with the group's order added is another one.
func TestUnreducedSignature(t *testing.T) {
	signature := ed25519.Sign(adapterKey(), signedBytes(t))
	order, _ := new(big.Int).SetString("7237005577332262213973186563042994240857116359379907606001950938285454250989", 10)
	s := slices.Clone(signature[32:])
	slices.Reverse(s)
	larger := new(big.Int).Add(new(big.Int).SetBytes(s), order).FillBytes(make([]byte, 32))
	slices.Reverse(larger)
	wantCode(t, signedAs(t, slices.Concat(signature[:32], larger)).envelope(t), projection.SignatureInvalid)
}

// P-82: another key under the pinned name.
func TestWrongKeyOfTheSameName(t *testing.T) {
	b := genuine(t)
	seed := projection.DigestOf([]byte("another adapter"))
	b.policy.Pins[0].Key = identity.PublicKey(ed25519.NewKeyFromSeed(seed[:]).Public().(ed25519.PublicKey))
	wantCode(t, b.verify(t), projection.SignatureInvalid)
}

// P-68: one spelling of the algorithm.
func TestOtherAlgorithms(t *testing.T) {
	for _, alg := range []string{"EdDSA", "ed25519", "none", "", "Ed25519ph"} {
		b := genuine(t)
		unsigned(t, b, "proof.alg", `"`+alg+`"`)
		wantCode(t, b.envelope(t), projection.RecordInvalid)
	}
}

// P-71: a key that travels with the record is an unknown member.
func TestKeysInTheRecord(t *testing.T) {
	for _, at := range []string{`"proof":{`, `"adapter":{`, `{"@version"`} {
		member := strings.TrimSuffix(at, `"@version"`) + `"public_key":"08THovDNs4pMv1ARMiWEVyplc8KPSoa1ORtO4VksAAc",`
		b := genuine(t)
		b.record = replaced(t, at, member+strings.TrimPrefix(at, strings.TrimSuffix(at, `"@version"`)))
		wantCode(t, b.envelope(t), projection.RecordInvalid)
	}
}

// AP-12: an honest key of a hostile test set can be pinned, and what is checked of its
// signatures is what the set expects.
func TestWycheproofEd25519(t *testing.T) {
	var set struct {
		TestGroups []struct {
			PublicKey struct{ PK string }
			Tests     []struct {
				ID               int `json:"tcId"`
				Msg, Sig, Result string
			}
		}
	}
	if err := json.Unmarshal(shared(t, "wycheproof/ed25519_test.json"), &set); err != nil {
		t.Fatal(err)
	}
	var seen, refused int
	for _, g := range set.TestGroups {
		pin := publicKey(t, g.PublicKey.PK)
		for _, c := range g.Tests {
			message, _ := hex.DecodeString(c.Msg)
			signature, _ := hex.DecodeString(c.Sig)
			ok := len(signature) == ed25519.SignatureSize && ed25519.Verify(pin[:], message, signature)
			if ok != (c.Result == "valid") {
				t.Errorf("test %d: %v", c.ID, ok)
			}
			if seen++; !ok {
				refused++
			}
		}
	}
	if seen < 140 || refused < 40 {
		t.Errorf("%d signatures, %d refused", seen, refused)
	}
}
