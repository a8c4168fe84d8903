package audit_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"consilience/audit"
	"consilience/delta"
	"consilience/identity"
	"consilience/record"
)

const writtenAt = 1_790_000_000_000

// space is a space in memory whose rows a test may alter, as somebody with the
// database's password could.
type space struct {
	t     *testing.T
	rows  []audit.Stored
	keys  map[identity.KeyID]identity.PublicKey
	chunk int
	said  uint64

	erases    []audit.Erase
	operators map[identity.KeyID]uint64 // from which sequence on

	mu   sync.Mutex
	gets int
}

func newSpace(t *testing.T) *space {
	return &space{t: t, keys: map[identity.KeyID]identity.PublicKey{}, operators: map[identity.KeyID]uint64{}, chunk: 2}
}

func (s *space) author(name string) identity.PrivateKey {
	s.t.Helper()
	seed := sha256.Sum256([]byte(name))
	k, err := identity.NewPrivateKey(seed[:])
	if err != nil {
		s.t.Fatal(err)
	}
	s.keys[k.Public().KeyID()] = k.Public()
	return k
}

func (s *space) record(by identity.PrivateKey, text string, refs ...record.Record) record.Record {
	s.t.Helper()
	var pairs []record.Pair
	for _, r := range refs {
		pairs = append(pairs, record.Pair{Record: r.ID, Hash: r.ContentHash})
	}
	r, err := record.New(record.Text, []byte(text), pairs, by.Public().ID(), writtenAt)
	if err != nil {
		s.t.Fatal(err)
	}
	return r
}

// envelope is what an author signs about records.
func (s *space) envelope(by identity.PrivateKey, records ...record.Record) []byte {
	s.t.Helper()
	s.said++
	d := delta.Delta{Space: "ops", Contributor: by.Public().ID(), Sequence: s.said, CreatedAt: writtenAt}
	for _, r := range records {
		d.New = append(d.New, delta.New{Record: r.ID, Base: 900_000})
	}
	raw, _, err := delta.Seal(d, records, by)
	if err != nil {
		s.t.Fatal(err)
	}
	m, err := delta.Open(raw)
	if err != nil {
		s.t.Fatal(err)
	}
	return m.Envelope.Raw
}

// say stores a delta.
func (s *space) say(by identity.PrivateKey, records ...record.Record) {
	s.t.Helper()
	envelope := s.envelope(by, records...)
	for _, r := range records {
		s.rows = append(s.rows, audit.Stored{ID: r.ID, Forward: r.Forward, Content: r.Content, Envelope: envelope})
	}
}

// row is the stored row of a record.
func (s *space) row(r record.Record) *audit.Stored {
	for i := range s.rows {
		if s.rows[i].ID == r.ID {
			return &s.rows[i]
		}
	}
	s.t.Fatal("no such row")
	return nil
}

func (s *space) remove(r record.Record) {
	s.rows = slices.DeleteFunc(s.rows, func(x audit.Stored) bool { return x.ID == r.ID })
}

// rewrite puts another content and a forward part that states its hash into the
// row of r; id and envelope stay, as far as the caller does not change them.
func (s *space) rewrite(r record.Record, content string) record.Record {
	s.t.Helper()
	forged, err := record.New(record.Text, []byte(content), r.Pairs, r.Contributor, r.WrittenAt)
	if err != nil {
		s.t.Fatal(err)
	}
	row := s.row(r)
	row.Forward, row.Content = forged.Forward, forged.Content
	return forged
}

// EachRecord implements [audit.Source].
func (s *space) EachRecord(_ context.Context, each func([]audit.Stored) error) error {
	for chunk := range slices.Chunk(s.rows, s.chunk) {
		if err := each(slices.Clone(chunk)); err != nil {
			return err
		}
	}
	return nil
}

// Get implements [audit.Source].
func (s *space) Get(_ context.Context, ids []record.ID) (found []audit.Stored, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gets++
	for _, row := range s.rows {
		if slices.Contains(ids, row.ID) {
			found = append(found, row)
		}
	}
	return found, nil
}

// BackReferences implements [audit.Source].
func (s *space) BackReferences(_ context.Context, id record.ID, limit int) (later []record.ID, err error) {
	for _, row := range s.rows {
		if r, err := record.DecodeForward(row.Forward); err == nil && len(later) < limit &&
			slices.ContainsFunc(r.Pairs, func(p record.Pair) bool { return p.Record == id }) {
			later = append(later, row.ID)
		}
	}
	return later, nil
}

// Key implements [audit.Source].
func (s *space) Key(kid identity.KeyID) (identity.PublicKey, identity.ID, bool) {
	k, ok := s.keys[kid]
	return k, k.ID(), ok
}

// found is what a test compares of a report.
type found struct {
	records, intact                  int
	tampered                         []audit.Fault
	observers, unresolved, unchecked []record.ID
}

// expect audits the space in chunks of each size: where chunks end decides nothing.
func (s *space) expect(want found) {
	s.t.Helper()
	slices.SortFunc(want.tampered, func(a, b audit.Fault) int {
		return slices.Compare([]byte(string(a.Record[:])+a.Fault), []byte(string(b.Record[:])+b.Fault))
	})
	byBytes := func(a, b record.ID) int { return bytes.Compare(a[:], b[:]) }
	slices.SortFunc(want.observers, byBytes)
	slices.SortFunc(want.unresolved, byBytes)
	for s.chunk = 1; s.chunk <= len(s.rows)+1; s.chunk++ {
		progress := 0
		r, err := audit.Space(s.t.Context(), s, func(n int) { progress += n })
		if err != nil {
			s.t.Fatal(err)
		}
		if r.Records != want.records || r.Intact != want.intact || progress != want.records || !slices.Equal(r.Tampered, want.tampered) ||
			!slices.Equal(r.Observers, want.observers) || !slices.Equal(r.Unresolved, want.unresolved) || !slices.Equal(r.Unchecked, want.unchecked) {
			s.t.Errorf("chunks of %d: %+v\nwant %+v", s.chunk, r, want)
		}
		if r.Clean() != (len(want.tampered)+len(want.unresolved) == 0) {
			s.t.Errorf("clean: %v", r.Clean())
		}
	}
}

// graph is a space of two deltas: g and n, which refers to g, by one author; a and
// b, which refer to n, by another.
func graph(t *testing.T) (s *space, g, n, a, b record.Record) {
	s = newSpace(t)
	first, second := s.author("first"), s.author("second")
	g = s.record(first, "The bridge is closed.")
	n = s.record(first, "The detour takes an hour.", g)
	a, b = s.record(second, "Trains are full.", n), s.record(second, "Buses are full.", n, g)
	s.say(first, g, n)
	s.say(second, a, b)
	return s, g, n, a, b
}

func TestSoundSpaceIsIntact(t *testing.T) {
	s, _, _, _, _ := graph(t)
	s.expect(found{records: 4, intact: 4})
}

// N-31, N-34, N-35: the record whose content was flipped is the tampered one,
// those that refer to it are intact observers.
func TestContentFlipped(t *testing.T) {
	for at := range len("The detour takes an hour.") {
		s, _, n, a, b := graph(t)
		row := s.row(n)
		row.Content = bytes.Clone(row.Content)
		row.Content[at] ^= 1
		s.expect(found{
			records: 4, intact: 1, observers: []record.ID{a.ID, b.ID},
			tampered: []audit.Fault{
				{Record: n.ID, Fault: record.FaultContent},
				{Record: n.ID, Fault: record.FaultPairContent, Evidence: record.NodeSuspect},
			},
		})
	}
}

// N-32, N-36: the stated hash was rewritten too. The id does not hold, and those
// that refer to it compare with the hash of the content as it is now.
func TestHashRewrittenToo(t *testing.T) {
	s, _, n, a, b := graph(t)
	s.rewrite(n, "The detour takes a minute.")
	s.expect(found{
		records: 4, intact: 1, observers: []record.ID{a.ID, b.ID},
		tampered: []audit.Fault{
			{Record: n.ID, Fault: record.FaultForward},
			{Record: n.ID, Fault: record.FaultPairContent, Evidence: record.NodeSuspect},
		},
	})
}

// N-33: a tampered grandparent is no fault of the grandchild.
func TestNoWalkBeyondDirectReferences(t *testing.T) {
	s, g, n, a, b := graph(t)
	s.row(g).Content = []byte("The bridge is open.")
	s.expect(found{
		records: 4, intact: 1, observers: []record.ID{n.ID, b.ID},
		tampered: []audit.Fault{
			{Record: g.ID, Fault: record.FaultContent},
			{Record: g.ID, Fault: record.FaultPairContent, Evidence: record.NodeSuspect},
		},
	})
	if r, err := audit.One(t.Context(), s, a.ID); err != nil || r.Intact != 1 || !r.Clean() {
		t.Errorf("the grandchild alone: %+v, %v", r, err)
	}
}

// N-15, N-19: pairs are part of what the id binds. Swapping them for others is
// seen in the record itself.
func TestPairSwapped(t *testing.T) {
	s, g, _, a, _ := graph(t)
	forged, err := record.New(record.Text, a.Content, []record.Pair{{Record: g.ID, Hash: g.ContentHash}}, a.Contributor, a.WrittenAt)
	if err != nil {
		t.Fatal(err)
	}
	s.row(a).Forward = forged.Forward
	s.expect(found{records: 4, intact: 3, tampered: []audit.Fault{{Record: a.ID, Fault: record.FaultForward}}})
}

// N-69: content, hash and id rewritten together satisfy every hash. No author
// signed it; what was signed is missing, and who referred to it says so.
func TestConsistentRewriteIsUnsigned(t *testing.T) {
	s, _, n, a, b := graph(t)
	forged := s.rewrite(n, "The detour takes a minute.")
	s.row(n).ID = forged.ID
	s.expect(found{
		records: 4, intact: 1, tampered: []audit.Fault{{Record: forged.ID, Fault: audit.FaultSignature}},
		unresolved: []record.ID{n.ID, a.ID, b.ID},
	})
	// With a delta signed by the forger's own key, in the author's name.
	forger := s.author("forger")
	s.row(forged).Envelope = s.envelope(forger, s.record(forger, "The detour takes a minute."))
	r, err := audit.Space(t.Context(), s, nil)
	if err != nil || !slices.Contains(r.Tampered, audit.Fault{Record: forged.ID, Fault: audit.FaultSignature}) {
		t.Errorf("%+v, %v", r, err)
	}
}

// N-35, AN-6: a record that was taken out is missing, by the envelope that names
// it and by who refers to it; neither is tampered.
func TestRecordRemoved(t *testing.T) {
	s, _, n, a, b := graph(t)
	s.remove(n)
	s.expect(found{records: 3, intact: 1, unresolved: []record.ID{n.ID, a.ID, b.ID}})
	s, _, _, a, _ = graph(t)
	s.remove(a) // nobody refers to it
	s.expect(found{records: 3, intact: 3, unresolved: []record.ID{a.ID}})
}

// N-69: an envelope of another delta, of nobody's key, altered or gone, proves
// nothing of the records beside it.
func TestEnvelopeSwapped(t *testing.T) {
	for name, swap := range map[string]func(s *space, g record.Record) []byte{
		"another delta's": func(s *space, g record.Record) []byte {
			return s.envelope(s.author("first"), s.record(s.author("first"), "x"))
		},
		"another's": func(s *space, g record.Record) []byte { return s.rows[3].Envelope },
		"altered": func(s *space, g record.Record) []byte {
			e := bytes.Clone(s.row(g).Envelope)
			e[len(e)-1] ^= 1
			return e
		},
		"no envelope": func(*space, record.Record) []byte { return []byte{0xFF} },
		"gone":        func(*space, record.Record) []byte { return nil },
	} {
		s, g, n, _, _ := graph(t)
		s.row(g).Envelope = swap(s, g)
		r, err := audit.Space(t.Context(), s, nil)
		if err != nil || !slices.Equal(r.Tampered, []audit.Fault{{Record: g.ID, Fault: audit.FaultSignature}}) || r.Intact != 3 {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
		if one, err := audit.One(t.Context(), s, g.ID); err != nil || one.Clean() || one.Intact != 0 {
			t.Errorf("%s, alone: %+v, %v", name, one, err)
		}
		if one, err := audit.One(t.Context(), s, n.ID); err != nil || !one.Clean() {
			t.Errorf("%s, its neighbour: %+v, %v", name, one, err)
		}
	}
}

// A rewritten author is one that never signed.
func TestAuthorUnknown(t *testing.T) {
	s, g, n, _, _ := graph(t)
	delete(s.keys, s.author("first").Public().KeyID())
	r, err := audit.Space(t.Context(), s, nil)
	if err != nil || len(r.Tampered) != 2 || r.Intact != 2 {
		t.Errorf("%s %s: %+v, %v", g.ID, n.ID, r, err)
	}
}

// N-1, N-29: a sound space costs no look-up beyond its own rows where a chunk
// holds what its records refer to.
func TestSoundSpaceNeedsNoLookups(t *testing.T) {
	s, _, _, _, _ := graph(t)
	s.chunk = len(s.rows)
	if _, err := audit.Space(t.Context(), s, nil); err != nil || s.gets != 0 {
		t.Errorf("%d look-ups, %v", s.gets, err)
	}
}

// broken is a source that cannot be read.
type broken struct {
	*space
	each bool
}

var errBroken = errors.New("the disk is gone")

func (b broken) EachRecord(ctx context.Context, each func([]audit.Stored) error) error {
	if b.each {
		return errBroken
	}
	return b.space.EachRecord(ctx, each)
}

func (b broken) Get(context.Context, []record.ID) ([]audit.Stored, error) { return nil, errBroken }

// An audit that could not read gives no verdict.
func TestUnreadableIsNoVerdict(t *testing.T) {
	s, _, _, _, _ := graph(t)
	s.chunk = 1
	for _, each := range []bool{true, false} {
		if r, err := audit.Space(t.Context(), broken{s, each}, nil); !errors.Is(err, errBroken) || r.Records != 0 {
			t.Errorf("%+v, %v", r, err)
		}
	}
	if _, err := audit.One(t.Context(), broken{s, false}, s.rows[0].ID); !errors.Is(err, errBroken) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := audit.Space(ctx, s, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// The report is the JSON that `reconciler verify` promises, with no null in it.
func TestReportAsJSON(t *testing.T) {
	s, _, _, _, _ := graph(t)
	r, err := audit.Space(t.Context(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(r)
	want := `{"records":4,"intact":4,"tampered":[],"observers":[],"unresolved":[],"erased":[],"unchecked":[]}`
	if err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
	all := r.With(audit.Report{Records: 1, Tampered: []audit.Fault{{Fault: "content"}}})
	if all.Records != 5 || all.Clean() {
		t.Errorf("together: %+v", all)
	}
	line, err := json.Marshal(audit.Fault{Record: record.ID{1}, Fault: "content"})
	if err != nil || string(line) != fmt.Sprintf(`{"record_id":%q,"fault":"content","evidence":""}`, record.ID{1}) {
		t.Errorf("%s, %v", line, err)
	}
}
