package exposure_test

import (
	"bytes"
	"crypto/sha256"
	"reflect"
	"testing"

	"consilience/identity"
	"consilience/reason"
	"consilience/recall/exposure"
)

func key(t testing.TB, name string) identity.PrivateKey {
	t.Helper()
	seed := sha256.Sum256([]byte(name))
	k, err := identity.NewPrivateKey(seed[:])
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func report(t testing.TB) exposure.Report {
	mallory, carol := key(t, "mallory").Public().ID(), key(t, "carol").Public().ID()
	return exposure.Report{
		Version: exposure.Version, Store: "s", Contributor: mallory, Lineage: []identity.ID{mallory}, Revision: 9, At: 10,
		Recipients: []exposure.Recipient{{Contributor: carol, Name: "carol <c>", Items: 1, First: 7}},
		Emissions:  []exposure.Emission{{Space: "plant", To: carol, By: mallory, Item: "item:x", Content: "h", How: "projection", Seq: 7, At: 8}},
	}
}

// A report comes back as it was signed, and from no other bytes: every bit of it counts.
func TestSealedReport(t *testing.T) {
	operator := key(t, "operator")
	want := report(t)
	raw := exposure.Seal(want, operator)
	got, err := exposure.Open(raw, key(t, "another").Public(), operator.Public())
	if err != nil || got.Signer != operator.Public().KeyID() {
		t.Fatalf("%+v, %v", got, err)
	}
	got.Signer = identity.KeyID{}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	for i := range raw {
		altered := bytes.Clone(raw)
		altered[i] ^= 1
		if _, err := exposure.Open(altered, operator.Public()); reason.Of(err) == "" {
			t.Fatalf("a report is read after a bit of byte %d was turned: %v", i, err)
		}
	}
}

// What an operator did not sign as a report is none, whatever it says; nor is what it
// signed in another spelling.
func TestRefusedReports(t *testing.T) {
	operator := key(t, "operator")
	payload := report(t).Encode()
	spaced := append([]byte("{ "), payload[1:]...)
	extra := append([]byte(`{"a":1,`), payload[1:]...)
	later := bytes.Replace(payload, []byte(`"version":1`), []byte(`"version":2`), 1)
	retyped := bytes.Replace(payload, []byte(`"revision":9`), []byte(`"revision":"9"`), 1)
	for name, c := range map[string]struct {
		raw  []byte
		want reason.Code
	}{
		"another's signature":   {exposure.Seal(report(t), key(t, "mallory")), reason.KeyUnknown},
		"signed as a reply":     {identity.Sign(identity.PurposeReply, payload, operator), reason.SignatureInvalid},
		"spaces":                {identity.Sign(exposure.Purpose, spaced, operator), reason.NotCanonical},
		"an unknown member":     {identity.Sign(exposure.Purpose, extra, operator), reason.Malformed},
		"a later version":       {identity.Sign(exposure.Purpose, later, operator), reason.VersionUnsupported},
		"a number that is text": {identity.Sign(exposure.Purpose, retyped, operator), reason.Malformed},
		"a member is missing":   {identity.Sign(exposure.Purpose, bytes.Replace(payload, []byte(`"revision":9,`), nil, 1), operator), reason.NotCanonical},
		"no envelope":           {payload, reason.Malformed},
	} {
		if _, err := exposure.Open(c.raw, operator.Public()); reason.Of(err) != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

func FuzzOpen(f *testing.F) {
	operator := key(f, "operator")
	f.Add(report(f).Encode())
	f.Fuzz(func(t *testing.T, payload []byte) {
		r, err := exposure.Open(identity.Sign(exposure.Purpose, payload, operator), operator.Public())
		if err == nil && !bytes.Equal(r.Encode(), payload) {
			t.Fatalf("%s is read as %s", payload, r.Encode())
		}
	})
}
