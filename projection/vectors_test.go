package projection_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"consilience/identity"
	"consilience/projection"
	"consilience/projection/apertomemory"
)

// shared returns a file of the conformance vectors beside the repository, or skips.
func shared(t testing.TB, name string) []byte {
	t.Helper()
	dir, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if b, err := os.ReadFile(filepath.Join(dir, "shared", "vectors", name)); err == nil {
			return b
		}
	}
	t.Skipf("vectors/%s is not beside the repository", name)
	return nil
}

// published is the published vector set.
type published struct {
	AdapterPin struct {
		AdapterID string `json:"adapter_id"`
		KeyID     string `json:"key_id"`
		SPKI      string `json:"public_key_spki_b64u"`
		ValidFrom string `json:"valid_from"`
		ValidTo   string `json:"valid_to"`
	} `json:"adapter_pin"`
	Policy struct {
		Time          time.Time `json:"verification_time"`
		MaxProjection int       `json:"max_projection_age_sec"`
		MaxTrust      int       `json:"max_trust_age_sec"`
		Source        string    `json:"expected_source_profile"`
		Frame         string    `json:"expected_context_frame_profile"`
	} `json:"verification_policy"`
	Projection struct {
		Record   json.RawMessage `json:"record"`
		Material struct {
			Request    string   `json:"recall_request_b64u"`
			Policy     string   `json:"selection_policy_b64u"`
			Snapshot   string   `json:"trust_snapshot_b64u"`
			Objects    []string `json:"source_object_b64u_by_position"`
			Fragments  []string `json:"fragment_b64u_by_position"`
			Projection string   `json:"projection_b64u"`
			Native     []native `json:"native_source_results_by_position"`
		} `json:"verification_material"`
	} `json:"projection"`
	Edge struct {
		NullAuthor struct {
			Fragment string         `json:"fragment_b64u"`
			Digest   string         `json:"fragment_digest"`
			Native   map[string]any `json:"native_source_result"`
		} `json:"null_author"`
	} `json:"source_profile_edge_cases"`
	Cases []struct {
		ID       string `json:"id"`
		Mutation string `json:"mutation"`
		Expect   struct{ Result string }
	} `json:"cases"`
}

type native struct {
	FormatVersion int64   `json:"formatVersion"`
	Digest        string  `json:"sealedObjectDigest"`
	Trust         string  `json:"derivedTrust"`
	Authorship    string  `json:"authorship"`
	AuthorKey     *string `json:"authorKeyIdB64u"`
	Custody       bool    `json:"custodyPresent"`
}

func loadPublished(t testing.TB) published {
	t.Helper()
	var p published
	file := shared(t, "memory-projection-record-v1/interop/apertomemory-emilia/memory-projection-record.v1.vectors.json")
	if err := json.Unmarshal(file, &p); err != nil {
		t.Fatal(err)
	}
	return p
}

func b64(t testing.TB, s string) []byte {
	t.Helper()
	b, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func b64s(t testing.TB, all []string) [][]byte {
	var out [][]byte
	for _, s := range all {
		out = append(out, b64(t, s))
	}
	return out
}

// adapterKey is the test key of the published set: its generator derives it from a
// public label. TestPublishedKey holds that it is the pinned one.
func adapterKey() ed25519.PrivateKey {
	seed := sha256.Sum256([]byte("apertomemory-emilia/v0/adapter"))
	return ed25519.NewKeyFromSeed(seed[:])
}

// stated is a source that knows results and derives none: the published set gives
// native results beside objects that it gives no data keys for.
type stated struct {
	profile  projection.Profile
	frame    projection.Frame
	snapshot []byte
	opened   map[projection.Digest]projection.Opened
	fail     map[projection.Digest]error
	check    func([]byte, []projection.Entry) error
}

func (s stated) Profile() projection.Profile { return s.profile }
func (s stated) Frame() projection.Frame     { return s.frame }
func (s stated) Snapshot() []byte            { return bytes.Clone(s.snapshot) }
func (s stated) CheckSnapshot(b []byte, e []projection.Entry) error {
	if s.check == nil {
		return nil
	}
	return s.check(b, e)
}
func (s stated) Open(object []byte) (projection.Opened, error) {
	d := projection.DigestOf(object)
	if err := s.fail[d]; err != nil {
		return projection.Opened{}, err
	}
	o, ok := s.opened[d]
	if !ok {
		return o, projection.Refuse(projection.AuthenticationFailed, "not one of the stated objects")
	}
	return o, nil
}

// bench is a record with everything that a verifier needs for it.
type bench struct {
	record   []byte
	material projection.Material
	policy   projection.Policy
	now      time.Time
	source   stated
	registry projection.Registry
}

// genuine is the published positive record with its material.
func genuine(t testing.TB) *bench {
	t.Helper()
	p := loadPublished(t)
	m := p.Projection.Material
	profile := projection.Profile{Source: p.Policy.Source, Frame: p.Policy.Frame}
	keyring := apertomemoryKeyring(t)
	b := &bench{record: p.Projection.Record, now: p.Policy.Time}
	b.source = stated{
		profile: profile, frame: apertomemory.Frame{}, snapshot: b64(t, m.Snapshot),
		opened: map[projection.Digest]projection.Opened{}, fail: map[projection.Digest]error{},
		check: keyring.Source().CheckSnapshot,
	}
	for i, n := range m.Native {
		o := n.opened(t)
		b.source.opened[projection.DigestOf(b64(t, m.Objects[i]))] = o
	}
	b.material = projection.Material{
		RecallRequest: b64(t, m.Request), SelectionPolicy: b64(t, m.Policy), TrustSnapshot: b64(t, m.Snapshot),
		Objects: b64s(t, m.Objects), Fragments: b64s(t, m.Fragments), Projection: b64(t, m.Projection), Source: b.source,
	}
	b.policy = p.policy(t, profile)
	return b
}

func (n native) opened(t testing.TB) projection.Opened {
	t.Helper()
	d, ok := projection.ParseDigest(n.Digest)
	if !ok {
		t.Fatal("digest")
	}
	o := projection.Opened{FormatVersion: n.FormatVersion, Digest: d, Labels: projection.Labels{
		Trust: projection.Trust(n.Trust), Authorship: projection.Authorship(n.Authorship), Custody: n.Custody,
	}}
	if n.AuthorKey != nil {
		o.AuthorKey = projection.AuthorKey(*n.AuthorKey)
	}
	return o
}

func (p published) policy(t testing.TB, profile projection.Profile) projection.Policy {
	t.Helper()
	spki := b64(t, p.AdapterPin.SPKI)
	key, err := identity.NewPublicKey(spki[len(spki)-32:])
	if err != nil {
		t.Fatal(err)
	}
	from, _ := projection.ParseTimestamp(p.AdapterPin.ValidFrom)
	to, _ := projection.ParseTimestamp(p.AdapterPin.ValidTo)
	return projection.Policy{
		Pins: []projection.Pin{{
			AdapterID: p.AdapterPin.AdapterID, KeyID: p.AdapterPin.KeyID, Key: key, Status: projection.Active,
			ValidFrom: from.Time(), ValidTo: to.Time(),
		}},
		Freshness: projection.Freshness{
			MaxCreationAge:     time.Duration(p.Policy.MaxProjection) * time.Second,
			MaxTrustAge:        time.Duration(p.Policy.MaxTrust) * time.Second,
			MaxTrustToCreation: time.Duration(p.Policy.MaxTrust) * time.Second,
		},
		Profiles: []projection.Profile{profile},
	}
}

// apertomemoryKeyring has the keys that the published snapshot was taken of.
func apertomemoryKeyring(t testing.TB) *apertomemory.Keyring {
	t.Helper()
	owner := publicKey(t, "927c69e5f6d735d057fb1f156436a0b67a2d053df693e03dbee2dff50cf42b19")
	author := publicKey(t, "31f646bd8dc5aea4fbc52456b5369f86bf58165b6f701196331efc96a415725a")
	k, err := apertomemory.NewKeyring(apertomemory.Config{
		Owner:    owner,
		Accepted: []apertomemory.Accepted{{ID: apertomemory.KeyIDOf(author), Key: author}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func (b *bench) verifier(t testing.TB) *projection.Verifier {
	t.Helper()
	v, err := projection.NewVerifier(b.policy, func() time.Time { return b.now }, b.registry)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// verify runs the full verification; a policy that is refused counts as a refusal.
func (b *bench) verify(t testing.TB) error {
	t.Helper()
	v, err := projection.NewVerifier(b.policy, func() time.Time { return b.now }, b.registry)
	if err != nil {
		return err
	}
	_, err = v.Full(context.Background(), b.record, b.material)
	return err
}

func (b *bench) envelope(t testing.TB) error {
	t.Helper()
	_, err := b.verifier(t).Envelope(context.Background(), b.record)
	return err
}
