package nhe_test

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"strings"
	"time"

	"consilience/delta"
	"consilience/identity"
	"consilience/projection"
	"consilience/projection/nhe"
	"consilience/record"
)

// A record goes from its author's delta into a projection, and from there to a
// relying party that pinned the adapter's key.
func Example() {
	author, _ := identity.NewPrivateKey([]byte("0123456789abcdef0123456789abcdef"))
	adapterKey := ed25519.NewKeyFromSeed([]byte("fedcba9876543210fedcba9876543210"))
	noon := func() time.Time { return time.Date(2026, 7, 29, 12, 0, 0, 0, time.UTC) }

	// The store: one key, one record, and the envelope of the delta that carried it.
	tea, _ := record.New(record.Text, []byte("The kettle is in the left cupboard."), nil, author.Public().ID(), 1)
	state := nhe.State{Store: [32]byte{1}, Space: "kitchen", Revision: 7}
	message, _, _ := delta.Seal(delta.Delta{Store: state.Store, Space: state.Space, Contributor: tea.Contributor, Sequence: 1,
		New: []delta.New{{Record: tea.ID, Base: 900_000}}}, []record.Record{tea}, author)
	opened, _ := delta.Open(message)
	keys, _ := nhe.NewKeys([]nhe.Key{{Key: author.Public(), Owner: tea.Contributor, Accepted: true}})
	trust, _ := nhe.NewTrust(state, keys)
	source := trust.Source(map[record.ID]nhe.Evidence{tea.ID: {Envelope: opened.Envelope.Raw, Authoritative: true}})

	// The adapter answers a recall.
	adapter := projection.Adapter{ID: "urn:example:adapter", KeyID: "2026-07"}
	producer, _ := projection.NewProducer(adapter, adapterKey, noon, projection.RandomIDs(strings.NewReader("sixteen bytes ok")))
	request := projection.Request{
		RecallRequest:   []byte("where is the kettle?"),
		SelectionPolicy: projection.DefaultSelectionPolicy().Bytes(),
		Compile:         projection.CompileSelectionPolicy,
		Source:          source,
		Candidates:      []projection.Candidate{{Object: tea.AppendWire(nil)}},
	}
	emission, err := producer.Produce(request)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", emission.Bytes())

	// The relying party verifies everything.
	policy := projection.Policy{
		Pins: []projection.Pin{{AdapterID: adapter.ID, KeyID: adapter.KeyID, Key: identity.PublicKey(adapterKey.Public().(ed25519.PublicKey)),
			Status: projection.Active, ValidFrom: noon(), ValidTo: noon().AddDate(1, 0, 0)}},
		Freshness: projection.Freshness{MaxCreationAge: time.Minute, MaxTrustAge: time.Minute, MaxTrustToCreation: time.Minute},
		Profiles:  []projection.Profile{{Source: nhe.SourceProfile, Frame: nhe.FrameProfile}},
	}
	verifier, _ := projection.NewVerifier(policy, noon, nil)
	result, err := verifier.Full(context.Background(), emission.Record(), projection.Material{
		RecallRequest: request.RecallRequest, SelectionPolicy: request.SelectionPolicy, TrustSnapshot: emission.Snapshot(),
		Objects: emission.Objects(), Fragments: emission.Fragments(), Projection: emission.Bytes(), Source: source,
	})
	fmt.Println(result.Scope(), len(result.Delivered), err)
	// Output:
	// [NHE-Memory trust=trusted authorship=signed author_key=-3lwIZ4m0fQ custody=false bytes=35 sha256=JI85TQ3sGSiQSLD3ELeMRMfweQVB-EgyxMPF9nmbfo0]
	// The kettle is in the left cupboard.
	// [/NHE-Memory sha256=JI85TQ3sGSiQSLD3ELeMRMfweQVB-EgyxMPF9nmbfo0]
	// full 1 <nil>
}
