package projection_test

import (
	"context"
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"testing"
	"time"

	"consilience/identity"
	"consilience/projection"
	"consilience/projection/apertomemory"
)

// workshop is a producer with a source of objects that are made up.
type workshop struct {
	source  stated
	request projection.Request
	clock   []time.Time // successive readings; the last one repeats
	key     crypto.Signer
	log     []string // what happened, in order
}

var noon = time.Date(2026, 7, 29, 12, 0, 0, 0, time.UTC)

func newWorkshop() *workshop {
	w := &workshop{clock: []time.Time{noon, noon.Add(time.Second)}, key: adapterKey()}
	w.source = stated{
		profile:  projection.Profile{Source: apertomemory.SourceProfile, Frame: apertomemory.FrameProfile},
		frame:    apertomemory.Frame{},
		snapshot: []byte("snapshot"),
		opened:   map[projection.Digest]projection.Opened{},
		fail:     map[projection.Digest]error{},
	}
	w.request = projection.Request{
		RecallRequest: []byte("request"), SelectionPolicy: projection.DefaultSelectionPolicy().Bytes(),
		Compile: projection.CompileSelectionPolicy, Source: w.source,
	}
	return w
}

// add makes an object up, with its body and labels.
func (w *workshop) add(object, body string, trust projection.Trust) projection.Digest {
	d := projection.DigestOf([]byte(object))
	l := projection.Labels{Trust: trust, Authorship: projection.Signed, AuthorKey: "Y8HonACcWtc"}
	if trust == projection.Unverified {
		l = projection.Labels{Trust: trust, Authorship: projection.Unknown}
	}
	w.source.opened[d] = projection.Opened{FormatVersion: 2, Digest: d, Labels: l, Body: []byte(body)}
	w.candidate(object)
	return d
}

func (w *workshop) candidate(object string) {
	w.request.Candidates = append(w.request.Candidates, projection.Candidate{Object: []byte(object)})
}

func (w *workshop) fails(object string, err error) {
	w.source.fail[projection.DigestOf([]byte(object))] = err
	w.candidate(object)
}

func (w *workshop) now() time.Time {
	w.log = append(w.log, "clock")
	at := w.clock[0]
	if len(w.clock) > 1 {
		w.clock = w.clock[1:]
	}
	return at
}

func (w *workshop) produce(t testing.TB) (*projection.Emission, error) {
	t.Helper()
	adapter := projection.Adapter{ID: "urn:x:adapter", KeyID: "k1"}
	p, err := projection.NewProducer(adapter, w.key, w.now, projection.RandomIDs(rand.Reader))
	if err != nil {
		return nil, err
	}
	return p.Produce(w.request)
}

func (w *workshop) must(t testing.TB) *projection.Emission {
	t.Helper()
	e, err := w.produce(t)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// verify runs the own verifier over an emission.
func (w *workshop) verify(e *projection.Emission) error {
	key := identity.PublicKey(w.key.Public().(ed25519.PublicKey))
	policy := projection.Policy{
		Pins: []projection.Pin{{AdapterID: "urn:x:adapter", KeyID: "k1", Key: key, Status: projection.Active,
			ValidFrom: noon.Add(-time.Hour), ValidTo: noon.Add(time.Hour)}},
		Freshness: projection.Freshness{MaxCreationAge: time.Minute, MaxTrustAge: time.Minute, MaxTrustToCreation: time.Minute},
		Profiles:  []projection.Profile{w.source.profile},
	}
	v, err := projection.NewVerifier(policy, func() time.Time { return noon.Add(2 * time.Second) }, nil)
	if err != nil {
		return err
	}
	_, err = v.Full(context.Background(), e.Record(), projection.Material{
		RecallRequest: w.request.RecallRequest, SelectionPolicy: w.request.SelectionPolicy, TrustSnapshot: e.Snapshot(),
		Objects: e.Objects(), Fragments: e.Fragments(), Projection: e.Bytes(), Source: w.source,
	})
	return err
}
