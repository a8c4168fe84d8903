package main

import (
	"crypto/rand"
	"maps"
	"slices"
	"testing"
	"time"

	"consilience/projection"
	"consilience/projection/apertomemory"
)

// objectVector is a published sealed object and what a reader makes of it.
type objectVector struct {
	Input struct {
		Sealed string `json:"sealed_object"`
	}
	Expect struct {
		Sealed       string  `json:"sealed_object"`
		Result       string  `json:"result"`
		Trust        string  `json:"trust"`
		TrustAllowed string  `json:"trust_when_allowed"`
		Authorship   string  `json:"authorship"`
		Author       *string `json:"author_key_id"`
	}
}

// objectVectors are the published vectors that hold an object, by name.
func objectVectors(t *testing.T) map[string]objectVector {
	t.Helper()
	var set struct{ Vectors map[string]objectVector }
	readShared(t, "apertomemory-v2/test-vectors/v2/apertomemory-v2-test-vectors.json", &set)
	maps.DeleteFunc(set.Vectors, func(_ string, v objectVector) bool { return v.Input.Sealed+v.Expect.Sealed == "" })
	if len(set.Vectors) != 12 {
		t.Fatalf("%d published objects", len(set.Vectors))
	}
	return set.Vectors
}

func (v objectVector) object(t *testing.T) []byte { return fromHex(t, v.Input.Sealed+v.Expect.Sealed) }

// claimed is a source that says of every object what its adapter wants to be true.
type claimed struct {
	projection.Source
	projection.Opened
}

func (c claimed) Open(object []byte) (projection.Opened, error) {
	c.Digest = projection.DigestOf(object)
	return c.Opened, nil
}

func (claimed) CheckSnapshot([]byte, []projection.Entry) error { return nil }

// emitted is a record that the published adapter key signs over objects, as source
// says they are.
func emitted(t *testing.T, source projection.Source, keyring []byte, objects ...[]byte) exhibit {
	t.Helper()
	adapter := projection.Adapter{ID: "urn:x:adapter", KeyID: "k"}
	p, err := projection.NewProducer(adapter, adapterKey(), time.Now, projection.RandomIDs(rand.Reader))
	if err != nil {
		t.Fatal(err)
	}
	policy := projection.DefaultSelectionPolicy()
	policy.Trust = []projection.Trust{projection.Self, projection.Trusted, projection.Unverified}
	request := projection.Request{
		RecallRequest: []byte("everything"), SelectionPolicy: policy.Bytes(), Compile: projection.CompileSelectionPolicy, Source: source,
	}
	for _, object := range objects {
		request.Candidates = append(request.Candidates, projection.Candidate{Object: object})
	}
	e, err := p.Produce(request)
	if err != nil {
		t.Fatal(err)
	}
	return exhibit{
		record: e.Record(), projection: e.Bytes(), request: request.RecallRequest, selection: request.SelectionPolicy, snapshot: e.Snapshot(),
		objects: e.Objects(), fragments: e.Fragments(), keyring: keyring, policy: relying(t, adapter),
	}
}

func sourceOf(t *testing.T, keyring []byte) projection.Source {
	t.Helper()
	k, err := apertomemory.ParseKeyring(keyring)
	if err != nil {
		t.Fatal(err)
	}
	return k.Source()
}

// P-74, S-4..S-14: a record over all published objects verifies in full with the
// keyring that opens them: what the vectors refuse is counted, the rest is delivered
// with the labels that they state.
func TestVerifyPublishedObjects(t *testing.T) {
	all := objectVectors(t)
	keyring := keyringFile(t, true, false)
	var objects [][]byte
	want := map[string]objectVector{} // by digest
	for _, name := range slices.Sorted(maps.Keys(all)) {
		objects = append(objects, all[name].object(t))
		if all[name].Expect.Result == "" {
			want[projection.DigestOf(all[name].object(t)).String()] = all[name]
		}
	}
	status, v := emitted(t, sourceOf(t, keyring), keyring, objects...).verify(t)
	if status != 0 || !v.Verified || v.Record.LeftOut["authentication_failed"] != 5 || len(v.Record.Delivered) != len(want) {
		t.Fatalf("exit status %d: %+v %+v", status, v, v.Record)
	}
	for _, d := range v.Record.Delivered {
		w, known := want[d.Object]
		author := d.AuthorKey
		if author != "" {
			author = projectionKeyHex(t, d.AuthorKey)
		}
		wantAuthor := ""
		if w.Expect.Author != nil {
			wantAuthor = *w.Expect.Author
		}
		// 013 is about its confidence and states no authorship.
		if !known || string(d.Trust) != w.Expect.Trust || w.Expect.Authorship != "" && (string(d.Authorship) != w.Expect.Authorship || author != wantAuthor) {
			t.Errorf("%+v, want %+v", d, w.Expect)
		}
	}
}

func projectionKeyHex(t *testing.T, key string) string {
	t.Helper()
	return apertomemory.KeyID(fromUnpadded(t, key)).String()
}

// P-44, AP-16: an adapter that signs, with its genuine key, that an object is trusted is
// refused for each published object of which its own reader says otherwise, and
// for each that its reader refuses.
func TestVerifyRefusesClaimedTrust(t *testing.T) {
	keyring := keyringFile(t, true, false)
	claims := projection.Opened{FormatVersion: 2, Body: []byte("obey"), Labels: projection.Labels{
		Trust: projection.Trusted, Authorship: projection.Signed, AuthorKey: projection.AuthorKey(unpadded(fromHex(t, authorID))),
	}}
	refused := 0
	for name, v := range objectVectors(t) {
		x := emitted(t, claimed{sourceOf(t, keyring), claims}, keyring, v.object(t))
		status, got := x.verify(t)
		if status != 1 || got.Verified || got.Reason != projection.NativeResultMismatch || got.Checks[len(got.Checks)-1].Name != "native results are the source's own" {
			t.Errorf("%s: exit status %d, %+v", name, status, got)
		}
		if v.Expect.Result != "" {
			refused++
		}
	}
	if refused != 5 {
		t.Errorf("%d of the objects are to be refused", refused)
	}
}

// S-7, S-12: a legacy object is delivered, as unverified, only to who opted in to such
// objects; another keyring refuses the same record.
func TestVerifyLegacyObject(t *testing.T) {
	legacy := objectVectors(t)["009-legacy-v1-MUST-NOT-VERIFY"]
	opted := keyringFile(t, true, true)
	x := emitted(t, sourceOf(t, opted), opted, legacy.object(t))
	if status, v := x.verify(t); status != 0 || string(v.Record.Delivered[0].Trust) != legacy.Expect.TrustAllowed {
		t.Errorf("exit status %d, %+v", status, v)
	}
	x.keyring = keyringFile(t, true, false)
	if status, v := x.verify(t); status != 1 || v.Reason != projection.NativeResultMismatch {
		t.Errorf("exit status %d, %+v", status, v)
	}
}

// P-56: the published fragment without an author is the frame of an object that
// resolves to none, and of no object that has one.
func TestVerifyNullAuthorFragment(t *testing.T) {
	var set struct {
		Edge struct {
			NullAuthor struct {
				Fragment string `json:"fragment_b64u"`
			} `json:"null_author"`
		} `json:"source_profile_edge_cases"`
	}
	readShared(t, "memory-projection-record-v1/interop/apertomemory-emilia/memory-projection-record.v1.vectors.json", &set)
	fragment := fromUnpadded(t, set.Edge.NullAuthor.Fragment)
	unknown := projection.Labels{Trust: projection.Unverified, Authorship: projection.Unknown}
	body, err := apertomemory.Frame{}.Body(unknown, fragment)
	if err != nil {
		t.Fatal(err)
	}
	keyring, all := keyringFile(t, true, false), objectVectors(t)
	for name, want := range map[string]int{"014-empty-custody-map": 0, "003-sealed-object-v2": 1} {
		x := emitted(t, claimed{sourceOf(t, keyring), projection.Opened{FormatVersion: 2, Body: body, Labels: unknown}}, keyring, all[name].object(t))
		x.policy.AcceptOtherBodies = true
		if string(x.projection) != string(fragment) {
			t.Errorf("%q", x.projection)
		}
		if status, v := x.verify(t); status != want {
			t.Errorf("%s: exit status %d, %+v", name, status, v)
		}
	}
}
