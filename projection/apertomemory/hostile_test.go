package apertomemory

import (
	"crypto/ed25519"
	"encoding/binary"
	"strings"
	"testing"

	"consilience/identity"
	"consilience/projection"
	"consilience/reason"
)

// P-38, S-3: a message that ends anywhere before its end is refused for its form, in
// both layers, also where content that nothing authenticates is asked for.
func TestEveryTruncation(t *testing.T) {
	layers := map[string]func(f *forge, cut func([]byte) []byte){
		"signed":    func(f *forge, cut func([]byte) []byte) { f.plain = cut },
		"encrypted": func(f *forge, cut func([]byte) []byte) { f.message = cut },
	}
	for what, set := range layers {
		whole := 1
		for n := 0; n < whole; n++ {
			f := forged(t, "stranger")
			set(f, func(b []byte) []byte { whole = len(b); return b[:n] })
			object := f.seal(t)
			for _, optIn := range []bool{false, true} {
				if _, err := reader(t, optIn).Open(object); err == nil {
					t.Fatalf("%s message of %d bytes, cut at %d, is opened", what, whole, n)
				} else {
					wantRefused(t, err, projection.SchemaInvalid)
				}
			}
		}
	}
}

// AP-12: a signer that the keyring does not know has no key at all, and above all not
// the one of 32 zeros, under which anybody can make a signature.
func TestSignatureUnderNoKey(t *testing.T) {
	var zero identity.PublicKey
	f := forged(t, "owner")
	f.kid = make([]byte, 8)
	for salt := uint64(0); ; salt++ {
		f.payload[4] = map[uint64]any{2: f.kid}
		f.payload[9] = binary.BigEndian.AppendUint64(nil, salt)
		scope := [16]byte{5}
		signed := sign1{protected: encode(t, map[int]any{1: -8, 4: f.kid}), payload: encode(t, f.payload)}
		message := signed.signedBytes(sealed{ID: testObject, Scope: scope, Version: 2}.aad())
		signature := make([]byte, 64)
		signature[0] = 1 // the neutral point, and 0
		if ed25519.Verify(zero[:], message, signature) {
			f.sign = func(_, _ []byte) []byte { return signature }
			break
		}
	}
	_, err := reader(t, false).Open(f.seal(t))
	wantRefused(t, err, projection.AuthenticationFailed)
}

// S-9, S-10: what a broken custody record fails to say is not reported as zero.
func TestBrokenCustodySaysNothing(t *testing.T) {
	f := forged(t, "owner")
	f.payload[20] = map[uint64]any{1: nil, 2: []byte("short"), 3: 7, 4: f.kid}
	got, err := reader(t, false).Open(f.seal(t))
	if c := got.Custody; err != nil || !c.Present || c.FromVersion != nil || c.Claimed != nil || c.Proven != nil {
		t.Errorf("%+v, %v", c, err)
	}
}

// P-38: only a map with unsigned integer keys, none twice, is a payload.
func TestHostilePayloads(t *testing.T) {
	for what, raw := range map[string][]byte{
		"nothing": {}, "null": {0xf6}, "an array": {0x80}, "a key twice": {0xa2, 1, 1, 1, 2}, "a key twice, longer": {0xa2, 1, 1, 0x18, 1, 2},
		"a text key": {0xa1, 0x61, 0x31, 1}, "a negative key": {0xa1, 0x20, 1}, "indefinite": {0xbf, 1, 1, 0xff},
		"indefinite inside": {0xa1, 1, 0x9f, 0xff}, "cut": {0xa1, 1}, "more": {0xa1, 1, 1, 1},
	} {
		if _, ok := ParsePayload(raw); ok {
			t.Errorf("%s is a payload", what)
		}
	}
}

// P-45, AP-11: snapshot bytes are read strictly whatever the entries are, and an author
// key of another length is nobody's, also where an id of zeros is somebody's.
func TestSnapshotIsReadForNobody(t *testing.T) {
	nobody := projection.Entry{Labels: projection.Labels{Trust: projection.Unverified, Authorship: projection.Unknown}}
	wantCode(t, checkSnapshot([]byte{0xa0}, []projection.Entry{nobody}), projection.TrustSnapshotInvalid)
	zeros := Snapshot(KeyID{}, []KeyID{{}})
	for _, l := range []projection.Labels{
		{Trust: projection.Self, Authorship: projection.Signed}, {Trust: projection.Trusted, Authorship: projection.Signed},
		{Trust: projection.Trusted, Authorship: projection.Attested, Custody: true},
	} {
		l.AuthorKey = projection.KeyOf(make([]byte, 8))
		if err := checkSnapshot(zeros, []projection.Entry{{Labels: l}}); err != nil {
			t.Errorf("%+v: %v", l, err)
		}
		l.AuthorKey = projection.KeyOf(make([]byte, 7))
		wantCode(t, checkSnapshot(zeros, []projection.Entry{{Labels: l}}), projection.TrustSnapshotInconsistent)
	}
}

// S-7: a file decides whether content that nothing authenticates is shown.
func TestKeyringFileOptsIn(t *testing.T) {
	object := vectors(t)["009-legacy-v1-MUST-NOT-VERIFY"].object(t)
	for value, opened := range map[string]bool{"false": false, "true": true} {
		file := strings.Replace(keyringFile(t), `"allow_unverified": false`, `"allow_unverified": `+value, 1)
		k, err := ParseKeyring([]byte(file))
		if err != nil {
			t.Fatal(err)
		}
		if f, err := k.Open(object); (err == nil) != opened || opened && f.Trust != projection.Unverified {
			t.Errorf("%s: %+v, %v", value, f, err)
		}
	}
	_, err := ParseKeyring(append([]byte(keyringFile(t)), make([]byte, MaxKeyringBytes)...))
	wantCode(t, err, projection.ResourceLimit)
	_, err = ParseKeyring([]byte("{"))
	wantCode(t, err, reason.ContentInvalid)
}
