package projection

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gowebpki/jcs"
)

// randomRecord has values of every shape that the form allows.
func randomRecord(random *rand.Rand) Record {
	text := func() string {
		letters := []rune("aZ09 \"\\/<>&'\u00e9\u0301\u20ac\U0001f600\ufb01")
		s := []rune{letters[random.IntN(len(letters))]}
		for range random.IntN(12) {
			s = append(s, letters[random.IntN(len(letters))])
		}
		return string(s)
	}
	digest := func() (d Digest) {
		for i := range d {
			d[i] = byte(random.Uint32())
		}
		return d
	}
	at := func() Timestamp { return TimestampOf(time.UnixMilli(random.Int64N(4e12))) }
	r := Record{
		Version: Version, SourceProfile: text(), ProjectionID: "urn:x:" + string(KeyOf([]byte(text()))), CreatedAt: at(),
		Adapter: Adapter{text(), text()}, Delivered: []Entry{}, Nonclaims: noNonclaims(),
		SelectionContext: SelectionContext{digest(), digest(), digest(), at(), text()},
		Exclusions:       Exclusions{random.Int64N(maxInteger), [exclusionReasons]int64{random.Int64N(9), 0, random.Int64N(maxInteger), 1}},
		Projection:       Commitment{Encoding, random.Int64N(maxInteger), digest()},
		Proof:            Proof{Algorithm: Algorithm, KeyID: text()},
	}
	for i := range random.IntN(4) {
		e := Entry{int64(i), 1 + random.Int64N(9), digest(), digest(), Labels{Unverified, Unknown, "", random.IntN(2) == 0}}
		if random.IntN(2) == 0 {
			e.Labels = Labels{Self, Signed, KeyOf([]byte(text())), false}
		}
		r.Delivered = append(r.Delivered, e)
	}
	return r
}

// P-66: the canonical form written by hand is what an independent canonicaliser
// makes of it, and reading it gives the record back.
func TestCanonicalFormAgainstOracle(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		r := randomRecord(random)
		got := r.Canonical()
		want, err := jcs.Transform(got)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) || r.Digest() != DigestOf(want) { // AP-22
			t.Fatalf("got  %s\nwant %s", got, want)
		}
		again, err := Parse(got)
		if err != nil {
			t.Fatalf("%v: %s", err, got)
		}
		if !bytes.Equal(again.Canonical(), got) {
			t.Fatal("reading changed the record")
		}
		if got := again.SignedBytes(); !bytes.Equal(got, signedByOracle(t, want)) {
			t.Fatalf("signed bytes %q", got)
		}
	}
}

// signedByOracle removes proof and canonicalises without our code.
func signedByOracle(t *testing.T, record []byte) []byte {
	t.Helper()
	var members map[string]json.RawMessage
	if err := json.Unmarshal(record, &members); err != nil {
		t.Fatal(err)
	}
	delete(members, "proof")
	plain, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	canonical, err := jcs.Transform(plain)
	if err != nil {
		t.Fatal(err)
	}
	return append([]byte("MEMORY-PROJECTION-RECORD-v1\x00"), canonical...)
}

// Control characters cannot stand in a record, but the writer does not rely on it.
func TestCanonicalEscapes(t *testing.T) {
	for r := rune(0); r < 0x100; r++ {
		var c canonical
		c.text("", string(r))
		want, err := jcs.Transform(c)
		if err != nil || !bytes.Equal(c, want) {
			t.Errorf("%q: %s, want %s, %v", r, c, want, err)
		}
	}
}
