package record

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"consilience/identity"
)

// shelf is a source in memory that counts what is read from it.
type shelf struct {
	records map[ID]Record
	back    map[ID][]ID
	gets    []ID
	asks    int
	broken  bool
}

func newShelf(records ...Record) *shelf {
	s := &shelf{records: map[ID]Record{}, back: map[ID][]ID{}}
	for _, r := range records {
		s.put(r)
	}
	return s
}

func (s *shelf) put(r Record) {
	s.records[r.ID] = r
	for _, p := range r.Pairs {
		s.back[p.Record] = append(s.back[p.Record], r.ID)
	}
}

func (s *shelf) Get(id ID) (Record, bool, error) {
	if s.broken {
		return Record{}, false, errors.New("the source is broken")
	}
	s.gets = append(s.gets, id)
	r, ok := s.records[id]
	return r, ok, nil
}

// BackReferences ignores max, as a hostile source would.
func (s *shelf) BackReferences(id ID, _ int) ([]ID, error) {
	s.asks++
	return s.back[id], nil
}

// alter stores a changed record under the id of r.
func (s *shelf) alter(r Record, change func(*Record)) {
	change(&r)
	s.records[r.ID] = r
}

// rewrite replaces the content of r and, consistently, its forward part, but not
// the id under which it is found.
func (s *shelf) rewrite(t *testing.T, r Record, content string) Record {
	t.Helper()
	forged, err := New(r.Kind, []byte(content), r.Pairs, r.Contributor, r.WrittenAt)
	if err != nil {
		t.Fatal(err)
	}
	stored := forged
	stored.ID = r.ID
	s.records[r.ID] = stored
	return forged
}

func (s *shelf) expect(t *testing.T, r Record, state State, faults ...Fault) {
	t.Helper()
	s.gets, s.asks = nil, 0
	v, err := Validate(r.ID, s)
	if err != nil {
		t.Fatal(err)
	}
	if v.Record != r.ID || v.State != state || !slices.Equal(v.Faults, faults) {
		t.Errorf("got %s %v, want %s %v", v.State, v.Faults, state, faults)
	}
}

// graph is a record g, a record n that refers to it, and two that refer to n.
func graph(t *testing.T) (s *shelf, g, n, first, second Record) {
	g = mustNew(t, Text, "The bridge is closed.")
	n = mustNew(t, Text, "The detour takes an hour.", pairTo(g))
	first = mustNew(t, Text, "Trains are full.", pairTo(n))
	second = mustNew(t, Structured, `["two"]`, pairTo(n), pairTo(g))
	return newShelf(g, n, first, second), g, n, first, second
}

// N-1, N-29, N-33: one get for the record and one for each pair, in a store of
// any size, and no other record is looked at.
func TestFetchesAreBounded(t *testing.T) {
	s := newShelf()
	made := []Record{mustNew(t, Text, "root")}
	r := rand.New(rand.NewPCG(1, 29))
	for i := range 2_000 {
		var pairs []Pair
		for range r.IntN(5) {
			pairs = append(pairs, pairTo(made[r.IntN(len(made))]))
		}
		made = append(made, mustNew(t, Text, fmt.Sprint("record ", i), pairs...))
	}
	for _, m := range made {
		s.put(m)
	}
	for _, m := range made {
		s.expect(t, m, Intact)
		want := []ID{m.ID}
		for _, p := range m.Pairs {
			want = append(want, p.Record)
		}
		if !slices.Equal(s.gets, want) || s.asks != 0 {
			t.Fatalf("%d gets for %d pairs, %d questions for back-references", len(s.gets), len(m.Pairs), s.asks)
		}
	}
}

// N-1: deleting unrelated records changes nothing. N-33: a tampered grandparent
// is not seen.
func TestNoWalkBeyondDirectReferences(t *testing.T) {
	s, g, n, first, _ := graph(t)
	s.alter(g, func(r *Record) { r.Content = []byte("The bridge is open.") })
	s.expect(t, first, Intact)
	delete(s.records, g.ID)
	s.expect(t, first, Intact)
	s.expect(t, n, Unresolved, Fault{g.ID, FaultMissing, ""})
}

// N-31, N-34: any changed byte of a content shows in the record itself, for every
// kind, also where the change keeps the canonical form's value.
func TestEveryChangedByteShows(t *testing.T) {
	for kind, content := range map[Kind]string{Text: "Zürich", Structured: `{"a":[1.5,"\n"],"b":null}`, Binary: "\x00\xff"} {
		r := mustNew(t, kind, content)
		s := newShelf(r)
		for at := range r.Content {
			for _, flip := range []byte{1, 0x20, 0x80, 0xFF} {
				s.alter(r, func(r *Record) {
					r.Content = bytes.Clone(r.Content)
					r.Content[at] ^= flip
				})
				s.expect(t, r, Tampered, Fault{r.ID, FaultContent, ""})
			}
		}
		for _, altered := range [][]byte{append(bytes.Clone(r.Content), ' '), {}, append([]byte{' '}, r.Content...)} {
			s.alter(r, func(r *Record) { r.Content = altered })
			s.expect(t, r, Tampered, Fault{r.ID, FaultContent, ""})
		}
	}
}

// N-12, N-15, N-19, N-69: so does any changed byte of the forward part, whatever
// the columns beside it say, and a consistent rewrite of content and hash.
func TestForwardPartIsCheckedByTheID(t *testing.T) {
	s, g, n, _, _ := graph(t)
	for at := range n.Forward {
		s.alter(n, func(r *Record) {
			r.Forward = bytes.Clone(r.Forward)
			r.Forward[at] ^= 1
		})
		s.expect(t, n, Tampered, Fault{n.ID, FaultForward, ""})
	}
	s.rewrite(t, n, "The detour takes a minute.")
	s.expect(t, n, Tampered, Fault{n.ID, FaultForward, ""})
	s.alter(n, func(r *Record) { *r = g; r.ID = n.ID })
	s.expect(t, n, Tampered, Fault{n.ID, FaultForward, ""})
	s.alter(n, func(r *Record) { r.Pairs, r.Kind, r.ContentHash, r.Form = nil, Binary, Hash{}, "x" })
	s.expect(t, n, Intact) // columns that repeat the forward part decide nothing
}

// N-32, N-34, N-35: the record whose content changed is the tampered one, the one
// that refers to it an intact observer, and the fault is placed at the referenced id.
func TestTamperIsLocalised(t *testing.T) {
	s, g, n, first, second := graph(t)
	s.alter(n, func(r *Record) { r.Content = []byte("The detour takes a minute.") })
	at := Fault{n.ID, FaultPairContent, NodeSuspect}
	s.expect(t, n, Tampered, Fault{n.ID, FaultContent, ""})
	s.expect(t, first, Observer, at)
	s.expect(t, second, Observer, at)
	s.expect(t, g, Intact)
}

// N-32, N-36: the content and its stated hash were both rewritten. The pair is
// compared with the recomputed hash, and other records that refer to the node
// decide: with the old hash the node is suspect, without any nothing is decided.
func TestRewrittenNodeIsObserved(t *testing.T) {
	s, g, n, first, _ := graph(t)
	s.rewrite(t, n, "The detour takes a minute.")
	s.expect(t, first, Observer, Fault{n.ID, FaultPairContent, NodeSuspect})
	s.back[n.ID] = nil
	s.expect(t, first, Observer, Fault{n.ID, FaultPairContent, Undecided})
	s.back[n.ID] = []ID{first.ID, n.ID}
	s.expect(t, first, Observer, Fault{n.ID, FaultPairContent, Undecided}) // neither the observer nor the node testifies
	s.expect(t, g, Intact)
}

// N-36: other records agree with the node as it is now, so the pair is suspect;
// where they disagree among themselves nothing is decided.
func TestPointerIsSuspectWhenOthersAgreeWithTheNode(t *testing.T) {
	n := mustNew(t, Text, "The detour takes an hour.")
	s := newShelf()
	forged := s.rewrite(t, n, "The detour takes a minute.")
	observer := mustNew(t, Text, "observer", pairTo(n))
	s.put(observer)
	s.put(mustNew(t, Text, "agrees with it now", Pair{n.ID, forged.ContentHash}))
	s.expect(t, observer, Observer, Fault{n.ID, FaultPairContent, PointerSuspect})
	s.put(mustNew(t, Text, "agrees with the observer", pairTo(n)))
	s.expect(t, observer, Observer, Fault{n.ID, FaultPairContent, Undecided})
}

// A pair that never was right is told by the id of the record it names: that
// record is sound, and no back-reference has to be asked.
func TestWrongPair(t *testing.T) {
	n := mustNew(t, Text, "The detour takes an hour.")
	observer := mustNew(t, Text, "observer", Pair{n.ID, HashOf([]byte("another"))})
	s := newShelf(n, observer)
	s.expect(t, observer, Observer, Fault{n.ID, FaultPairPointer, PointerSuspect})
	if s.asks != 0 {
		t.Error("back-references were asked")
	}
	s.expect(t, n, Intact)
}

// N-36, AN-7: back-references to absent records, to records that do not refer to
// the node, and to records that were altered themselves carry no weight.
func TestForgedBackReferencesCarryNoWeight(t *testing.T) {
	s, g, n, first, second := graph(t)
	forged := s.rewrite(t, n, "The detour takes a minute.")
	liar := mustNew(t, Text, "liar")
	swapped := mustNew(t, Text, "swapped", pairTo(g))
	s.put(liar)
	s.alter(swapped, func(r *Record) {
		lie := mustNew(t, Text, "swapped", Pair{n.ID, forged.ContentHash})
		r.Forward, r.Pairs = lie.Forward, lie.Pairs
	})
	decoy := mustNew(t, Text, "decoy", Pair{g.ID, n.ContentHash}) // the hash, of another record
	s.put(decoy)
	s.back[n.ID] = []ID{{9}, liar.ID, swapped.ID, decoy.ID, g.ID}
	s.expect(t, first, Observer, Fault{n.ID, FaultPairContent, Undecided})
	s.back[n.ID] = append(s.back[n.ID], second.ID)
	s.expect(t, first, Observer, Fault{n.ID, FaultPairContent, NodeSuspect})
}

// AN-7: a flood of back-references costs a bounded number of fetches.
func TestBackReferencesAreCapped(t *testing.T) {
	s, _, n, first, second := graph(t)
	s.rewrite(t, n, "The detour takes a minute.")
	s.back[n.ID] = nil
	for i := range 10_000 {
		s.back[n.ID] = append(s.back[n.ID], ID{byte(i), byte(i >> 8), 1})
	}
	s.back[n.ID] = append(s.back[n.ID], second.ID)
	s.expect(t, first, Observer, Fault{n.ID, FaultPairContent, Undecided})
	if want := 2 + maxReferrers; len(s.gets) != want {
		t.Errorf("%d gets, want %d", len(s.gets), want)
	}
}

// N-9, N-16, N-17, N-18, N-20, N-42, N-70: back-references, whatever they say, and
// their absence, change neither the forward part nor any verdict of a sound graph.
func TestBackReferencesTakeNoPart(t *testing.T) {
	s, g, n, first, second := graph(t)
	before := bytes.Clone(s.records[g.ID].Forward)
	for name, back := range map[string][]ID{
		"missing": nil, "forged": {{1}, {2}}, "repeated": {n.ID, n.ID, n.ID}, "own": {g.ID}, "huge": make([]ID, 100_000),
	} {
		for _, r := range []Record{g, n, first, second} {
			s.back[r.ID] = back
		}
		for _, r := range []Record{g, n, first, second} {
			if s.expect(t, r, Intact); s.asks != 0 {
				t.Errorf("%s: back-references were asked", name)
			}
		}
	}
	if !bytes.Equal(before, s.records[g.ID].Forward) {
		t.Error("the forward part changed")
	}
}

// N-2, N-28, N-30, N-68: newer records on the same subject, by anybody, change
// nothing about what an older one attests.
func TestNewerRecordsChangeNothing(t *testing.T) {
	said := func(value string, pairs ...Pair) Record {
		return mustNew(t, Structured, `{"predicate":"status","subject":"bridge","value":"`+value+`"}`, pairs...)
	}
	old := said("closed")
	referrer := mustNew(t, Text, "So we walk.", pairTo(old))
	s := newShelf(old, referrer)
	newer := said("open", pairTo(old))
	attacker, err := New(Structured, old.Content, nil, identity.ID{66}, writtenAt+1)
	if err != nil {
		t.Fatal(err)
	}
	s.put(newer)
	s.put(attacker)
	for _, r := range []Record{old, referrer, newer, attacker} {
		s.expect(t, r, Intact)
	}
	if attacker.ID == old.ID {
		t.Error("two authors share a record id") // N-12
	}
}

// AN-6: what is not there is neither a pass nor a tamper.
func TestMissingIsUnresolved(t *testing.T) {
	s, g, n, _, _ := graph(t)
	delete(s.records, g.ID)
	s.expect(t, g, Unresolved, Fault{g.ID, FaultMissing, ""})
	s.expect(t, n, Unresolved, Fault{g.ID, FaultMissing, ""})
}

// Erase: a record whose content was erased, and one that refers to it, report
// erased and never tampered; what is left is still checked.
func TestErasedIsNotTampered(t *testing.T) {
	s, g, n, first, second := graph(t)
	s.alter(n, func(r *Record) { r.Content, r.Erased = nil, true })
	s.expect(t, n, Erased, Fault{n.ID, FaultErased, ""})
	s.expect(t, first, Erased, Fault{n.ID, FaultErased, ""})
	s.alter(n, func(r *Record) {
		r.Content, r.Erased, r.Forward = nil, true, bytes.Replace(r.Forward, g.ID[:], first.ID[:], 1)
	})
	s.expect(t, n, Tampered, Fault{n.ID, FaultForward, ""})
	s.alter(g, func(r *Record) { r.Content = []byte("x") })
	s.expect(t, second, Observer, Fault{n.ID, FaultErased, ""}, Fault{g.ID, FaultPairContent, NodeSuspect})
}

// N-22, AN-3: a record of another form is one that cannot be validated here,
// whatever its content, and never a tampered one.
func TestUnknownFormCannotBeValidated(t *testing.T) {
	future := Record{Kind: Text, Form: "text-nfc-99.0", Content: []byte("\U0001fae9"), Contributor: writer}
	future.ContentHash = HashOf(future.Content)
	future.Forward = future.encodeForward()
	future.ID = idOf(future.Forward)
	observer := mustNew(t, Text, "observer", pairTo(future))
	s := newShelf(future, observer)
	s.expect(t, future, CannotValidate, Fault{future.ID, FaultForm, ""})
	s.expect(t, observer, Intact) // its octets have the pair's hash
	s.alter(future, func(r *Record) { r.Content = []byte("another spelling, perhaps") })
	s.expect(t, future, CannotValidate, Fault{future.ID, FaultForm, ""})
	s.expect(t, observer, CannotValidate, Fault{future.ID, FaultForm, ""})
}

// A record's own state comes before what it sees in others.
func TestOwnFaultDecides(t *testing.T) {
	s, g, n, _, _ := graph(t)
	s.alter(g, func(r *Record) { r.Content = []byte("x") })
	s.alter(n, func(r *Record) { r.Content = []byte("y") })
	s.expect(t, n, Tampered, Fault{n.ID, FaultContent, ""}, Fault{g.ID, FaultPairContent, NodeSuspect})
	s.alter(n, func(r *Record) { r.Content, r.Erased = nil, true })
	s.expect(t, n, Erased, Fault{n.ID, FaultErased, ""}, Fault{g.ID, FaultPairContent, NodeSuspect})
}

// A source that cannot be read is an error and no verdict.
func TestBrokenSource(t *testing.T) {
	s, g, _, _, _ := graph(t)
	s.broken = true
	if v, err := Validate(g.ID, s); err == nil {
		t.Errorf("got %v", v)
	}
}
