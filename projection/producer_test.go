package projection_test

import (
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"consilience/projection"
	"consilience/projection/apertomemory"
	"consilience/reason"
)

// P-24, P-74, P-76: a round trip through the own verifier, order by the policy.
func TestRoundTrip(t *testing.T) {
	w := newWorkshop()
	w.add("o1", "of an author", projection.Trusted)
	w.add("o2", "of the owner \u20ac", projection.Self)
	w.add("o3", "of nobody", projection.Unverified)
	w.fails("o4", projection.Refuse(projection.AuthenticationFailed, "x"))
	w.fails("o5", projection.Refuse(projection.SchemaInvalid, "x"))
	e := w.must(t)
	if err := w.verify(e); err != nil {
		t.Fatal(err)
	}
	s := e.Statement()
	if len(s.Delivered) != 2 || s.Delivered[0].Trust != projection.Self || s.Delivered[1].Trust != projection.Trusted {
		t.Errorf("%+v", s.Delivered)
	}
	if want := (projection.Exclusions{Total: 3, ByReason: [4]int64{1, 1, 1, 0}}); s.Exclusions != want {
		t.Errorf("%+v", s.Exclusions)
	}
	if s.Projection.ByteLength != int64(len(e.Bytes())) { // P-30: bytes, not runes
		t.Error(s.Projection.ByteLength)
	}
}

// AP-18: nothing to deliver is a projection too.
func TestEmptyProjection(t *testing.T) {
	w := newWorkshop()
	w.add("o", "of nobody", projection.Unverified)
	e := w.must(t)
	if err := w.verify(e); err != nil {
		t.Fatal(err)
	}
	if s := e.Statement(); len(e.Bytes()) != 0 || s.Projection.Digest != projection.DigestOf(nil) || s.Exclusions.Total != 1 {
		t.Errorf("%+v", s)
	}
	if !strings.Contains(string(e.Record()), `"delivered":[]`) {
		t.Error("delivered is no empty array")
	}
}

// P-72, P-73: request and policy are fixed before the clock is read for trust, trust
// before the first object is opened, creation after the last.
func TestOrderOfProduction(t *testing.T) {
	w := newWorkshop()
	w.add("o", "body", projection.Self)
	w.request.Compile = func(policy []byte) (projection.Rules, error) {
		w.log = append(w.log, "policy")
		return projection.CompileSelectionPolicy(policy)
	}
	w.request.Source = logged{w.source, &w.log}
	w.must(t)
	if got := strings.Join(w.log, " "); got != "policy clock snapshot open snapshot clock" {
		t.Error(got)
	}
}

type logged struct {
	stated
	log *[]string
}

func (l logged) Open(object []byte) (projection.Opened, error) {
	*l.log = append(*l.log, "open")
	return l.stated.Open(object)
}

func (l logged) Snapshot() []byte {
	*l.log = append(*l.log, "snapshot")
	return l.stated.Snapshot()
}

// P-72: a clock that runs backwards between evaluation and signature is an error.
func TestClockBackwards(t *testing.T) {
	w := newWorkshop()
	w.clock = []time.Time{noon, noon.Add(-1)}
	e, err := w.produce(t)
	wantCode(t, err, projection.TrustSnapshotFromFuture)
	if e != nil {
		t.Error("an emission beside the error")
	}
}

// P-49: a source whose trust state moves while objects are opened gives no record.
func TestMovingTrustState(t *testing.T) {
	w := newWorkshop()
	w.request.Source = &moving{stated: w.source}
	_, err := w.produce(t)
	wantCode(t, err, projection.TrustSnapshotInconsistent)
}

type moving struct {
	stated
	n byte
}

func (m *moving) Snapshot() []byte { m.n++; return []byte{m.n} }

// P-41, P-94, AP-10: a failure that is in no counter's meaning stops the production.
func TestSourceFailures(t *testing.T) {
	for what, err := range map[string]error{
		"unreachable":     errBroken,
		"policy filtered": projection.Refuse(projection.PolicyFiltered, "not a source's to say"),
		"context limit":   projection.Refuse(projection.ContextLimit, "not a source's to say"),
	} {
		w := newWorkshop()
		w.add("o1", "fine", projection.Self)
		w.fails("o2", err)
		if e, got := w.produce(t); !errors.Is(got, err) || e != nil {
			t.Errorf("%s: %v", what, got)
		}
	}
	w := newWorkshop()
	w.request.Source = nil
	_, err := w.produce(t)
	wantCode(t, err, projection.NativeVerifierMissing)
}

// P-32, P-34, AP-8: labels that contradict themselves are refused, never corrected;
// legal ones are carried as they are.
func TestLabelsOfASource(t *testing.T) {
	for _, trust := range []projection.Trust{projection.Self, projection.Trusted, projection.Unverified, "third-party", ""} {
		for _, authorship := range []projection.Authorship{projection.Signed, projection.Attested, projection.Unknown, "claimed", ""} {
			for _, key := range []projection.AuthorKey{"", "Y8HonACcWtc", "not base64url!"} {
				for _, custody := range []bool{false, true} {
					l := projection.Labels{Trust: trust, Authorship: authorship, AuthorKey: key, Custody: custody}
					labelled(t, l, legal(l))
				}
			}
		}
	}
}

func legal(l projection.Labels) bool {
	if l.Trust == "third-party" || l.Trust == "" || l.Authorship == "claimed" || l.Authorship == "" || strings.Contains(string(l.AuthorKey), "!") {
		return false
	}
	if l.Trust == projection.Unverified && (l.Authorship != projection.Unknown || l.AuthorKey != "") {
		return false
	}
	return l.Authorship != projection.Attested || l.Custody
}

func labelled(t *testing.T, l projection.Labels, legal bool) {
	t.Helper()
	w := newWorkshop()
	d := w.add("o", "body", projection.Self)
	o := w.source.opened[d]
	o.Labels = l
	w.source.opened[d] = o
	w.request.SelectionPolicy = projection.SelectionPolicy{MaxBytes: 999, MaxObjects: 9,
		Trust: []projection.Trust{projection.Self, projection.Trusted, projection.Unverified}}.Bytes()
	e, err := w.produce(t)
	if !legal {
		if reason.Of(err) != projection.SourceResultInvalid {
			t.Errorf("%+v: %v", l, err)
		}
		return
	}
	if err != nil || e.Statement().Delivered[0].Labels != l {
		t.Errorf("%+v: %v", l, err)
	}
}

// P-58: a body that is not UTF-8 is refused, not repaired; every other body is exact.
func TestBodies(t *testing.T) {
	exact := []string{"", " blanks ", "\r\n", "line\n\n", "e\u0301", "a\u2028b", "\ufeffbom", "nul\x00", "\U0001f600", "\t"}
	w := newWorkshop()
	for i, body := range exact {
		w.add(fmt.Sprint("o", i), body, projection.Self)
	}
	w.add("bad", "\xff", projection.Self)
	e := w.must(t)
	if err := w.verify(e); err != nil {
		t.Fatal(err)
	}
	if got := e.Statement().Exclusions.ByReason[projection.SchemaInvalid]; got != 1 {
		t.Error(got)
	}
	for i, f := range e.Fragments() {
		body, err := apertomemory.Frame{}.Body(e.Statement().Delivered[i].Labels, f)
		if err != nil || string(body) != exact[i] {
			t.Errorf("%q became %q, %v", exact[i], body, err)
		}
	}
}

// P-5, P-73, P-75: what a caller does with its slices, before and after, has no
// effect on what was signed.
func TestEmissionsAreFixed(t *testing.T) {
	w := newWorkshop()
	w.add("o", "body", projection.Self)
	object := w.request.Candidates[0].Object
	policy, request := w.request.SelectionPolicy, w.request.RecallRequest
	w.request.Compile = func(b []byte) (projection.Rules, error) {
		r, err := projection.CompileSelectionPolicy(b)
		clear(b)
		clear(policy)
		clear(request)
		clear(object)
		return r, err
	}
	e := w.must(t)
	w.request.SelectionPolicy, w.request.RecallRequest = projection.DefaultSelectionPolicy().Bytes(), []byte("request")
	for _, handed := range slices.Concat([][]byte{e.Bytes(), e.Record(), e.Snapshot()}, e.Objects(), e.Fragments()) {
		clear(handed)
	}
	e.Statement().Delivered[0].Trust = projection.Unverified
	if err := w.verify(e); err != nil {
		t.Error(err)
	}
}

// P-77: a signature that fails, or is wrong, leaves nothing behind.
func TestSigningFailure(t *testing.T) {
	for what, c := range map[string]struct {
		key  crypto.Signer
		want error
	}{
		"fails": {signer{adapterKey(), nil, errBroken}, errBroken},
		"short": {signer{adapterKey(), []byte("short"), nil}, reason.New(projection.SignatureInvalid, "")},
		"wrong": {signer{adapterKey(), make([]byte, 64), nil}, reason.New(projection.SignatureInvalid, "")},
	} {
		w := newWorkshop()
		w.key = c.key
		if e, err := w.produce(t); !errors.Is(err, c.want) || e != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
}

type signer struct {
	ed25519.PrivateKey
	signature []byte
	err       error
}

func (s signer) Sign(io.Reader, []byte, crypto.SignerOpts) ([]byte, error) { return s.signature, s.err }

// AP-3, AP-12: a producer that other verifiers would refuse is none.
func TestProducersThatAreRefused(t *testing.T) {
	good := projection.Adapter{ID: "urn:x:a", KeyID: "k"}
	for what, c := range map[string]struct {
		adapter projection.Adapter
		key     crypto.Signer
		want    reason.Code
	}{
		"no URI":        {projection.Adapter{ID: "adapter", KeyID: "k"}, adapterKey(), projection.RecordInvalid},
		"no key id":     {projection.Adapter{ID: "urn:x:a"}, adapterKey(), projection.RecordInvalid},
		"longest":       {projection.Adapter{ID: "urn:x:a", KeyID: strings.Repeat("k", 512)}, adapterKey(), ""},
		"long key id":   {projection.Adapter{ID: "urn:x:a", KeyID: strings.Repeat("k", 513)}, adapterKey(), projection.RecordInvalid},
		"other scheme":  {good, other{}, projection.AdapterKeyInvalid},
		"small order":   {good, weak{}, projection.AdapterKeyInvalid},
		"none of these": {good, adapterKey(), ""},
	} {
		if _, err := projection.NewProducer(c.adapter, c.key, time.Now, projection.RandomIDs(rand.Reader)); reason.Of(err) != c.want {
			t.Errorf("%s: %v", what, err)
		}
	}
}

type other struct{ crypto.Signer }

func (other) Public() crypto.PublicKey { return big.NewInt(1) }

type weak struct{ crypto.Signer }

func (weak) Public() crypto.PublicKey {
	return ed25519.PublicKey(append([]byte{1}, make([]byte, 31)...))
}

// P-12: ids are URIs with 128 random bits, and never the same.
func TestRandomIDs(t *testing.T) {
	ids := projection.RandomIDs(rand.Reader)
	seen := map[string]bool{}
	for range 1000 {
		id, err := ids()
		if err != nil || seen[id] || len(id) != len("urn:x-consilience:projection:")+32 {
			t.Fatal(id, err)
		}
		seen[id] = true
	}
	if _, err := projection.RandomIDs(strings.NewReader("short"))(); err == nil {
		t.Error("an id without randomness")
	}
}
