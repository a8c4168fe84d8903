package apertomemory

import (
	"context"
	"crypto/ed25519"
	"maps"
	"slices"
	"testing"
	"time"

	"consilience/identity"
	"consilience/projection"
)

// P-72, P-74, P-76, P-86, P-87: all published objects as candidates of one projection,
// opened by the native reader in producer and verifier. What the vectors refuse is
// counted, what they degrade is dropped, the rest is delivered in order of trust, and
// every body is the object's own.
func TestPublishedObjectsAsProjection(t *testing.T) {
	all := vectors(t)
	source := all["007-custody-attested"].keyring(t, false).Source()
	request := projection.Request{RecallRequest: []byte("everything"), SelectionPolicy: projection.DefaultSelectionPolicy().Bytes(),
		Compile: projection.CompileSelectionPolicy, Source: source}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if v := all[name]; v.Input.SealedObject != "" || v.Expect.SealedObject != "" {
			request.Candidates = append(request.Candidates, projection.Candidate{Object: v.object(t)})
		}
	}
	noon := time.Date(2026, 8, 5, 12, 0, 0, 0, time.UTC)
	now := func() time.Time { return noon }
	adapter, key := projection.Adapter{ID: "urn:x:adapter", KeyID: "k"}, private("adapter")
	p, err := projection.NewProducer(adapter, key, now, func() (string, error) { return "urn:x:projection:1", nil })
	if err != nil {
		t.Fatal(err)
	}
	e, err := p.Produce(request)
	if err != nil {
		t.Fatal(err)
	}
	s := e.Statement()
	want := projection.Exclusions{Total: 9}
	want.ByReason[projection.AuthenticationFailed], want.ByReason[projection.PolicyFiltered] = 5, 4
	if s.Exclusions != want || len(request.Candidates) != 12 {
		t.Errorf("%+v of %d", s.Exclusions, len(request.Candidates))
	}
	var trust []projection.Trust
	for _, d := range s.Delivered {
		trust = append(trust, d.Trust)
	}
	if !slices.Equal(trust, []projection.Trust{projection.Self, projection.Self, projection.Trusted}) {
		t.Error(trust)
	}
	policy := projection.Policy{
		Pins: []projection.Pin{{AdapterID: adapter.ID, KeyID: adapter.KeyID, Status: projection.Active, ValidFrom: noon, ValidTo: noon,
			Key: identity.PublicKey(key.Public().(ed25519.PublicKey))}},
		Freshness: projection.Freshness{MaxCreationAge: 1, MaxTrustAge: 1, MaxTrustToCreation: 1},
		Profiles:  []projection.Profile{source.Profile()}, RefuseImitations: true,
	}
	v, err := projection.NewVerifier(policy, now, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Full(context.Background(), e.Record(), projection.Material{
		RecallRequest: request.RecallRequest, SelectionPolicy: request.SelectionPolicy, TrustSnapshot: e.Snapshot(),
		Objects: e.Objects(), Fragments: e.Fragments(), Projection: e.Bytes(), Source: source,
	}); err != nil {
		t.Error(err)
	}
}
