package projection_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"consilience/identity"
	"consilience/projection"
	"consilience/projection/apertomemory"
	"consilience/projection/registry"
	"consilience/reason"
)

func publicKey(t testing.TB, digits string) identity.PublicKey {
	t.Helper()
	raw, err := hex.DecodeString(digits)
	if err != nil {
		t.Fatal(err)
	}
	k, err := identity.NewPublicKey(raw)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func wantCode(t *testing.T, err error, want reason.Code) {
	t.Helper()
	if got := reason.Of(err); got != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// P-6, P-66, P-82: the published signed record parses and verifies, in both scopes.
func TestPublishedRecordVerifies(t *testing.T) {
	b := genuine(t)
	full, err := b.verifier(t).Full(context.Background(), b.record, b.material)
	if err != nil {
		t.Fatal(err)
	}
	if full.Scope() != projection.ScopeFull || len(full.Delivered) != 2 || full.Exclusions.Total != 2 {
		t.Errorf("scope %s, %d delivered, %d excluded", full.Scope(), len(full.Delivered), full.Exclusions.Total)
	}
	if !bytes.Equal(full.Bytes(), b.material.Projection) || full.Projection.ByteLength != 328 { // P-30
		t.Error("other projection bytes")
	}
	envelope, err := b.verifier(t).Envelope(context.Background(), b.record)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(envelope.Statement, full.Statement) {
		t.Errorf("%+v, want %+v", envelope.Statement, full.Statement)
	}
	if envelope.Scope() != projection.ScopeEnvelope {
		t.Errorf("an envelope check returned scope %s", envelope.Scope())
	}
}

// adapterKey is the pinned key of the published set.
func TestPublishedKey(t *testing.T) {
	b := genuine(t)
	if k := identity.PublicKey(adapterKey().Public().(ed25519.PublicKey)); k != b.policy.Pins[0].Key {
		t.Error("the key made of the public label is not the pinned one")
	}
}

// proseRules are the published selection policy, which is a sentence.
type proseRules struct{}

func (proseRules) Admit(projection.Candidate) bool       { return true }
func (proseRules) Compare(a, b projection.Candidate) int { return 0 }
func (proseRules) Limits() projection.Limits {
	return projection.Limits{MaxBytes: 400, MaxObjects: 2}
}

// P-56, P-66, P-76: a producer that holds the published adapter key and sees the
// published inputs emits the published record, signature included, byte for byte.
func TestProducerReproducesThePublishedSignature(t *testing.T) {
	b := genuine(t)
	var candidates []projection.Candidate
	for i, object := range b.material.Objects {
		o := b.source.opened[projection.DigestOf(object)]
		body, err := apertomemory.Frame{}.Body(o.Labels, b.material.Fragments[i])
		if err != nil {
			t.Fatal(err)
		}
		o.Body = body
		b.source.opened[o.Digest] = o
		candidates = append(candidates, projection.Candidate{Object: object})
	}
	forged, third := []byte("an object that no key authenticates"), []byte("an object without room")
	b.source.opened[projection.DigestOf(third)] = projection.Opened{
		FormatVersion: 2, Digest: projection.DigestOf(third), Body: []byte("left out"),
		Labels: projection.Labels{Trust: projection.Unverified, Authorship: projection.Unknown},
	}
	candidates = append(candidates, projection.Candidate{Object: forged}, projection.Candidate{Object: third})

	want, err := projection.Parse(b.record)
	if err != nil {
		t.Fatal(err)
	}
	times := []time.Time{want.SelectionContext.TrustEvaluatedAt.Time(), want.CreatedAt.Time()}
	now := func() time.Time { at := times[0]; times = times[1:]; return at }
	ids := func() (string, error) { return want.ProjectionID, nil }
	p, err := projection.NewProducer(want.Adapter, adapterKey(), now, ids)
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.Produce(projection.Request{
		RecallRequest: b.material.RecallRequest, SelectionPolicy: b.material.SelectionPolicy,
		Compile: func([]byte) (projection.Rules, error) { return proseRules{}, nil },
		Source:  b.source, Candidates: candidates,
	})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Record(), want.Canonical()) {
		t.Errorf("got  %s\nwant %s", got.Record(), want.Canonical())
	}
	if !bytes.Equal(got.Bytes(), b.material.Projection) {
		t.Error("other projection bytes")
	}
}

// The published bodies are not the contents of the published objects ("Source vector
// 003: …" stands before one), so a reader that has the data keys and compares bodies
// refuses the published record (AP-17). The option for bodies lets it pass.
func TestPublishedBodiesAreNotTheObjects(t *testing.T) {
	b := genuine(t)
	b.material.Source = apertomemoryWithKeys(t).Source()
	wantCode(t, b.verify(t), projection.FragmentBodyMismatch)
	b.policy.AcceptOtherBodies = true
	if err := b.verify(t); err != nil {
		t.Error(err)
	}
}

// apertomemoryWithKeys can open the published objects.
func apertomemoryWithKeys(t testing.TB) *apertomemory.Keyring {
	t.Helper()
	dek, _ := hex.DecodeString("2b7e151628aed2a6abf7158809cf4f3c762e7160f38b4da56a784d9045190cfe")
	id, _ := hex.DecodeString("a0a1a2a3a4a5a6a7a8a9aaabacadaeaf")
	author := publicKey(t, "31f646bd8dc5aea4fbc52456b5369f86bf58165b6f701196331efc96a415725a")
	k, err := apertomemory.NewKeyring(apertomemory.Config{
		Owner:      publicKey(t, "927c69e5f6d735d057fb1f156436a0b67a2d053df693e03dbee2dff50cf42b19"),
		Accepted:   []apertomemory.Accepted{{ID: apertomemory.KeyIDOf(author), Key: author}},
		ObjectKeys: map[apertomemory.ObjectID][32]byte{apertomemory.ObjectID(id): [32]byte(dek)},
	})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// mutations are the published ones, by the names that the set gives them.
var mutations = map[string]func(t *testing.T, b *bench){
	"add_unknown_top_level_member": func(t *testing.T, b *bench) {
		n := tree(t, b.record)
		n.names, n.values = append(n.names, `"unknown"`), append(n.values, &node{literal: "true"})
		b.record = []byte(n.String())
	},
	"sign_with_legacy_v0_domain": func(t *testing.T, b *bench) {
		r, _ := projection.Parse(b.record)
		legacy := append([]byte("AMEM-EMILIA-PROJECTION-RECORD-v0"), r.SignedBytes()[len(projection.Version):]...)
		n := tree(t, b.record)
		n.set("proof.signature_b64u", `"`+rawSignature(legacy)+`"`)
		b.record = []byte(n.String())
	},
	"swap_delivered_entries": func(t *testing.T, b *bench) {
		n := tree(t, b.record)
		slices.Reverse(n.at("delivered").values)
		b.record = []byte(n.String())
	},
	"omit_delivered_entry": func(t *testing.T, b *bench) {
		n := tree(t, b.record)
		n.remove("delivered.1")
		b.record = []byte(n.String())
	},
	"duplicate_delivered_position": func(t *testing.T, b *bench) { unsigned(t, b, "delivered.1.position", "0") },
	"mutate_source_object_bytes":   func(t *testing.T, b *bench) { b.material.Objects[0][0] ^= 1 },
	"mutate_fragment_bytes":        func(t *testing.T, b *bench) { b.material.Fragments[0][0] ^= 1 },
	"substitute_projection_bytes_only": func(t *testing.T, b *bench) {
		b.material.Projection = []byte("different projection")
	},
	"mutate_recall_request_bytes":   func(t *testing.T, b *bench) { b.material.RecallRequest = []byte("different") },
	"mutate_selection_policy_bytes": func(t *testing.T, b *bench) { b.material.SelectionPolicy = []byte("different") },
	"mutate_trust_snapshot_bytes":   func(t *testing.T, b *bench) { b.material.TrustSnapshot = []byte("different") },
	"increment_exclusions_total":    func(t *testing.T, b *bench) { unsigned(t, b, "exclusions.total", "3") },
	"set_model_use_established": func(t *testing.T, b *bench) {
		unsigned(t, b, "nonclaims.model_use", `"ESTABLISHED"`)
	},
	"remove_adapter_pin": func(t *testing.T, b *bench) { b.policy.Pins = nil },
	"revoke_adapter_key": func(t *testing.T, b *bench) { b.policy.Pins[0].Status = projection.Revoked },
	"advance_verification_time": func(t *testing.T, b *bench) {
		b.now = b.now.Add(59 * time.Minute)
		b.policy.Freshness.MaxCreationAge = 2 * time.Hour
	},
	"relabel_native_source_result": func(t *testing.T, b *bench) {
		d := projection.DigestOf(b.material.Objects[0])
		o := b.source.opened[d]
		o.Trust = projection.Unverified
		b.source.opened[d] = o
	},
	"register_projection_twice": func(t *testing.T, b *bench) {
		b.policy.SingleUse, b.registry = true, &registry.Memory{}
		if err := b.verify(t); err != nil {
			t.Fatal("first use:", err)
		}
	},
}

func rawSignature(message []byte) string {
	return base64.RawURLEncoding.EncodeToString(ed25519.Sign(adapterKey(), message))
}

func unsigned(t *testing.T, b *bench, path, literal string) {
	t.Helper()
	n := tree(t, b.record)
	n.set(path, literal)
	b.record = []byte(n.String())
}

// P-90: each of the published mutations gets its published code.
func TestPublishedMutations(t *testing.T) {
	cases := loadPublished(t).Cases
	if len(cases) != 19 {
		t.Fatalf("%d published cases, want one positive and 18 mutations", len(cases))
	}
	for _, c := range cases {
		t.Run(c.ID, func(t *testing.T) {
			b := genuine(t)
			if c.Mutation == "" {
				if err := b.verify(t); err != nil {
					t.Error(err)
				}
				return
			}
			mutate, ok := mutations[c.Mutation]
			if !ok {
				t.Fatalf("no such mutation: %s", c.Mutation)
			}
			mutate(t, b)
			wantCode(t, b.verify(t), reason.Code(c.Expect.Result))
		})
	}
}

// P-56: the null-author fragment is rebuilt from its labels and body.
func TestPublishedNullAuthorFragment(t *testing.T) {
	p := loadPublished(t)
	fragment := b64(t, p.Edge.NullAuthor.Fragment)
	labels := projection.Labels{Trust: projection.Unverified, Authorship: projection.Unknown}
	body, err := apertomemory.Frame{}.Body(labels, fragment)
	if err != nil {
		t.Fatal(err)
	}
	if got := (apertomemory.Frame{}).Build(labels, body); !bytes.Equal(got, fragment) || len(got) != 157 {
		t.Errorf("%q", got)
	}
	if got := projection.DigestOf(fragment).String(); got != p.Edge.NullAuthor.Digest {
		t.Error(got)
	}
}

var errBroken = errors.New("the source cannot be reached")
