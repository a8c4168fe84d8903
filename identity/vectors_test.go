package identity

import (
	"bufio"
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fxamacker/cbor/v2"

	"consilience/reason"
	"consilience/wire/wiretest"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The reference vectors of Ed25519, with those of RFC 8032 section 7.1 among them
// (P-67): seed:public key, public key, message, signature and message.
func TestReferenceVectors(t *testing.T) {
	f, err := os.Open(wiretest.Shared(t, "vectors/ed25519-rfc8032/sign.input"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	n := 0
	for ; lines.Scan(); n++ {
		parts := strings.Split(lines.Text(), ":")
		key, err := NewPrivateKey(unhex(t, parts[0])[:32])
		if err != nil {
			t.Fatal(err)
		}
		public, err := NewPublicKey(unhex(t, parts[1]))
		if err != nil || public != key.Public() {
			t.Fatalf("line %d: public key differs: %v", n, err)
		}
		message := unhex(t, parts[2])
		signature := unhex(t, parts[3])[:64]
		if !bytes.Equal(ed25519.Sign(key.key, message), signature) {
			t.Errorf("line %d: signature differs", n)
		}
		if !verify(public, message, [64]byte(signature)) {
			t.Errorf("line %d: signature does not verify", n)
		}
	}
	if n != 128 {
		t.Errorf("%d lines, want 128", n)
	}
}

// Wycheproof: every valid signature verifies, no invalid one does, whatever its
// length (P-69, P-70).
func TestWycheproof(t *testing.T) {
	var file struct {
		NumberOfTests int
		TestGroups    []struct {
			PublicKey struct{ Pk string }
			Tests     []struct {
				TcID                      int
				Comment, Msg, Sig, Result string
			}
		}
	}
	wiretest.ReadJSON(t, "vectors/wycheproof/ed25519_test.json", &file)
	n := 0
	for _, g := range file.TestGroups {
		key, err := NewPublicKey(unhex(t, g.PublicKey.Pk))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range g.Tests {
			n++
			signature := unhex(t, c.Sig)
			got := len(signature) == 64 && verify(key, unhex(t, c.Msg), [64]byte(signature))
			if got != (c.Result == "valid") {
				t.Errorf("%d %s: verified %v, want %s", c.TcID, c.Comment, got, c.Result)
			}
		}
	}
	if n != file.NumberOfTests || n == 0 {
		t.Errorf("ran %d of %d", n, file.NumberOfTests)
	}
}

// coseExample is what the EdDSA Sign1 examples of the COSE working group have.
type coseExample struct {
	Input struct {
		Sign0 struct {
			Key struct {
				X string `json:"x_hex"`
			}
			External string
		}
	}
	Intermediates struct {
		ToBeSigned string `json:"ToBeSign_hex"`
	}
	Output struct{ CBOR string }
}

// The working group's EdDSA examples: our Sig_structure is theirs, byte for byte,
// and their signature verifies over it. They put the key id into an unprotected
// header, so our own form refuses them.
func TestCOSEWorkingGroupExamples(t *testing.T) {
	n := 0
	for _, path := range sharedFiles(t, "vectors/cose-wg-examples/eddsa-examples") {
		var e coseExample
		wiretest.ReadJSON(t, path, &e)
		x := unhex(t, e.Input.Sign0.Key.X)
		if len(x) != 32 {
			continue // COSE_Sign, or Ed448
		}
		n++
		raw := unhex(t, e.Output.CBOR)
		var message struct {
			_           struct{} `cbor:",toarray"`
			Protected   []byte
			Unprotected map[any]any
			Payload     []byte
			Signature   []byte
		}
		if err := cbor.Unmarshal(raw[1:], &message); err != nil {
			t.Fatal(path, err)
		}
		signed := sigStructure(message.Protected, unhex(t, e.Input.Sign0.External), message.Payload)
		if !bytes.Equal(signed, unhex(t, e.Intermediates.ToBeSigned)) {
			t.Errorf("%s: Sig_structure differs", path)
		}
		if !verify(PublicKey(x), signed, [64]byte(message.Signature)) {
			t.Errorf("%s: does not verify", path)
		}
		if _, err := OpenEnvelope(raw); err == nil {
			t.Errorf("%s: opened as an envelope of ours", path)
		}
	}
	if n == 0 {
		t.Error("no example of Ed25519 was run")
	}
}

// sharedFiles are the JSON files of a folder in ../shared, as paths below it.
func sharedFiles(t testing.TB, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(wiretest.Shared(t, dir), "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range files {
		files[i] = filepath.Join(dir, filepath.Base(f))
	}
	return files
}

// An envelope that names another key than the one that signed it does not verify:
// who signed is read from the key id.
func TestKeyIDNamesTheSigner(t *testing.T) {
	key, err := NewPrivateKey(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	liar := key
	liar.id[0] ^= 1
	e, err := OpenEnvelope(Sign(PurposeDelta, []byte("payload"), liar))
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Verify(PurposeDelta, key.Public()); reason.Of(err) != reason.SignatureInvalid {
		t.Errorf("got %v, want %s", err, reason.SignatureInvalid)
	}
}

// FuzzSigStructure holds our hand-written Sig_structure against the codec's.
func FuzzSigStructure(f *testing.F) {
	f.Add([]byte{}, []byte("NHE-MEMORY-DELTA-v1"), []byte("payload"))
	f.Add(make([]byte, 24), make([]byte, 256), make([]byte, 70_000))
	f.Fuzz(func(t *testing.T, protected, aad, payload []byte) {
		want, err := cbor.Marshal([]any{"Signature1", protected, aad, payload})
		if err != nil {
			t.Fatal(err)
		}
		if protected == nil || aad == nil || payload == nil {
			t.Skip("nil is null to the codec")
		}
		if got := sigStructure(protected, aad, payload); !bytes.Equal(got, want) {
			t.Errorf("got %x\nwant %x", got, want)
		}
	})
}
