package nhe

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"testing"
	"time"

	"consilience/delta"
	"consilience/identity"
	"consilience/projection"
	"consilience/record"
)

// fleet is a store with two contributors, one of them under a mask.
type fleet struct {
	state    State
	author   identity.PrivateKey
	masked   identity.PrivateKey
	keys     *Keys
	evidence map[record.ID]Evidence
	sequence uint64
	signed   []byte   // the record that was emitted last
	objects  [][]byte // and its objects
}

func private(t testing.TB, name string) identity.PrivateKey {
	t.Helper()
	seed := projection.DigestOf([]byte(name))
	k, err := identity.NewPrivateKey(seed[:])
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func newFleet(t testing.TB) *fleet {
	t.Helper()
	f := &fleet{
		state:  State{Store: [32]byte{1}, Space: "notes", Revision: 42, PolicyDigest: [32]byte{2}},
		author: private(t, "author"), masked: private(t, "masked"), evidence: map[record.ID]Evidence{},
	}
	keys, err := NewKeys([]Key{
		{Key: f.author.Public(), Owner: f.author.Public().ID(), Accepted: true},
		{Key: f.masked.Public(), Owner: f.masked.Public().ID()},
	})
	if err != nil {
		t.Fatal(err)
	}
	f.keys = keys
	return f
}

// remember makes a record of the contributor, proposed by a signed delta.
func (f *fleet) remember(t testing.TB, by identity.PrivateKey, kind record.Kind, content string, authoritative bool) record.Record {
	t.Helper()
	r, err := record.New(kind, []byte(content), nil, by.Public().ID(), 1_750_000_000_000)
	if err != nil {
		t.Fatal(err)
	}
	f.evidence[r.ID] = Evidence{f.propose(t, by, r, f.state), authoritative}
	return r
}

// propose is the envelope of a delta that proposes r.
func (f *fleet) propose(t testing.TB, by identity.PrivateKey, r record.Record, state State) []byte {
	t.Helper()
	f.sequence++
	d := delta.Delta{Store: state.Store, Space: state.Space, Contributor: r.Contributor, Sequence: f.sequence,
		CreatedAt: 1_750_000_000_001, New: []delta.New{{Record: r.ID, Base: 800_000}}}
	raw, _, err := delta.Seal(d, []record.Record{r}, by)
	if err != nil {
		t.Fatal(err)
	}
	m, err := delta.Open(raw)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Clone(m.Envelope.Raw)
}

func (f *fleet) source(t testing.TB) projection.Source {
	t.Helper()
	trust, err := NewTrust(f.state, f.keys)
	if err != nil {
		t.Fatal(err)
	}
	return trust.Source(f.evidence)
}

var noon = time.Date(2026, 7, 29, 12, 0, 0, 0, time.UTC)

// everything delivers whatever opens.
var everything = projection.SelectionPolicy{MaxBytes: 1 << 20, MaxObjects: 100, DropDuplicates: true,
	Trust: []projection.Trust{projection.Trusted, projection.Unverified}}

// emit produces a projection of the records and verifies it in full.
func (f *fleet) emit(t testing.TB, policy projection.SelectionPolicy, records ...record.Record) projection.FullResult {
	t.Helper()
	seed := projection.DigestOf([]byte("adapter"))
	key := ed25519.NewKeyFromSeed(seed[:])
	adapter := projection.Adapter{ID: "urn:x:adapter", KeyID: "k"}
	now := func() time.Time { return noon }
	p, err := projection.NewProducer(adapter, key, now, func() (string, error) { return "urn:x:projection:1", nil })
	if err != nil {
		t.Fatal(err)
	}
	request := projection.Request{RecallRequest: []byte("tea?"), SelectionPolicy: policy.Bytes(),
		Compile: projection.CompileSelectionPolicy, Source: f.source(t)}
	for _, r := range records {
		request.Candidates = append(request.Candidates, projection.Candidate{Object: r.AppendWire(nil)})
	}
	e, err := p.Produce(request)
	if err != nil {
		t.Fatal(err)
	}
	f.signed, f.objects = e.Record(), e.Objects()
	return f.verify(t, adapter, key, request, e)
}

func (f *fleet) verify(t testing.TB, a projection.Adapter, key ed25519.PrivateKey, r projection.Request, e *projection.Emission) projection.FullResult {
	t.Helper()
	policy := projection.Policy{
		Pins: []projection.Pin{{AdapterID: a.ID, KeyID: a.KeyID, Key: identity.PublicKey(key.Public().(ed25519.PublicKey)),
			Status: projection.Active, ValidFrom: noon, ValidTo: noon}},
		Freshness: projection.Freshness{MaxCreationAge: 1, MaxTrustAge: 1, MaxTrustToCreation: 1},
		Profiles:  []projection.Profile{{Source: SourceProfile, Frame: FrameProfile}},
	}
	v, err := projection.NewVerifier(policy, func() time.Time { return noon }, nil)
	if err != nil {
		t.Fatal(err)
	}
	full, err := v.Full(context.Background(), e.Record(), projection.Material{
		RecallRequest: r.RecallRequest, SelectionPolicy: r.SelectionPolicy, TrustSnapshot: e.Snapshot(),
		Objects: e.Objects(), Fragments: e.Fragments(), Projection: e.Bytes(), Source: f.source(t),
	})
	if err != nil {
		t.Fatal(err)
	}
	return full
}
