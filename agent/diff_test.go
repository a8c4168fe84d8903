package agent_test

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"consilience/agent"
	"consilience/delta"
	"consilience/identity"
	"consilience/reason"
	"consilience/record"
)

// world is a random slice and a random state derived from it.
type world struct {
	rng     *rand.Rand
	slice   []delta.SliceEntry
	changes agent.Changes
	records map[record.ID]record.Record
}

func hash(rng *rand.Rand) (h [32]byte) {
	for i := range h {
		h[i] = byte(rng.Uint32())
	}
	return h
}

// newWorld makes a world whose new records refer to each other in a random way.
func newWorld(t testing.TB, seed uint64) world {
	t.Helper()
	w := world{rng: rand.New(rand.NewPCG(seed, 7)), records: map[record.ID]record.Record{}}
	for range w.rng.IntN(40) {
		w.slice = append(w.slice, delta.SliceEntry{Item: hash(w.rng), Head: hash(w.rng), ContentHash: hash(w.rng), Confidence: w.rng.Uint32N(999_000)})
	}
	slices.SortFunc(w.slice, func(a, b delta.SliceEntry) int { return bytes.Compare(a.Item[:], b.Item[:]) })
	var own []record.Record
	for range w.rng.IntN(30) {
		var pairs []record.Pair
		for _, r := range own {
			if w.rng.IntN(8) == 0 {
				pairs = append(pairs, record.Pair{Record: r.ID, Hash: r.ContentHash})
			}
		}
		own = append(own, w.record(t, pairs))
	}
	for _, i := range w.rng.Perm(len(own)) {
		w.changes.New = append(w.changes.New, delta.New{Record: own[i].ID, Base: 1 + w.rng.Uint32N(1_000_000)})
	}
	for _, e := range w.slice {
		switch w.rng.IntN(4) {
		case 0:
			r := w.record(t, []record.Pair{{Record: e.Head, Hash: e.ContentHash}})
			w.changes.Modified = append(w.changes.Modified, delta.Modified{Item: e.Item, Record: r.ID, Base: 1 + w.rng.Uint32N(1_000_000)})
		case 1:
			w.changes.Absent = append(w.changes.Absent, delta.Absent{Item: e.Item, Strength: 1 + w.rng.Uint32N(1_000_000)})
		}
	}
	return w
}

func (w world) record(t testing.TB, pairs []record.Pair) record.Record {
	t.Helper()
	content := bytes.Repeat([]byte{byte(w.rng.Uint32())}, 1+w.rng.IntN(400))
	r, err := record.New(record.Binary, append(content, byte(len(w.records)), byte(len(w.records)>>8)), pairs, identity.ID{1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	w.records[r.ID] = r
	return r
}

// Diff and Apply undo each other, and Diff is the same for a state that came about
// in another order (N-11, N-44).
func TestDiffAndApplyUndoEachOther(t *testing.T) {
	t.Parallel()
	for seed := range uint64(500) {
		w := newWorld(t, seed)
		state := agent.Apply(w.slice, w.changes)
		got := agent.Diff(w.slice, state)
		if !reflect.DeepEqual(got, w.changes) {
			t.Fatalf("seed %d: the delta of the state that a delta makes is another", seed)
		}
		again := agent.State{Items: maps.Clone(state.Items), New: slices.Clone(state.New), Dropped: maps.Clone(state.Dropped)}
		if !reflect.DeepEqual(agent.Diff(w.slice, again), got) {
			t.Fatalf("seed %d: not deterministic", seed)
		}
	}
}

// Absence is judged against the slice only: what the slice does not have is not
// absent (N-47), and a state that changed nothing gives an empty delta.
func TestDiffLooksAtTheSliceOnly(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 3)
	if c := agent.Diff(w.slice, agent.FromSlice(w.slice)); !c.Empty() {
		t.Errorf("nothing changed, and the delta is %+v", c)
	}
	outside := delta.Absent{Item: record.ItemID{9}, Strength: 1}
	if c := agent.Diff(w.slice, agent.Apply(w.slice, agent.Changes{Absent: []delta.Absent{outside}})); !c.Empty() {
		t.Errorf("an item outside the slice is absent: %+v", c)
	}
	gone := delta.Modified{Item: record.ItemID{9}, Record: record.ID{9}, Base: 5}
	c := agent.Diff(w.slice, agent.Apply(w.slice, agent.Changes{Modified: []delta.Modified{gone}}))
	if want := []delta.New{{Record: gone.Record, Base: gone.Base}}; !reflect.DeepEqual(c, agent.Changes{New: want}) {
		t.Errorf("a modification of an item that went is %+v", c)
	}
	dropped := agent.FromSlice(w.slice)
	delete(dropped.Items, w.slice[0].Item)
	if c := agent.Diff(w.slice, dropped); len(c.Absent) != 1 || c.Absent[0].Strength != agent.DefaultStrength {
		t.Errorf("a dropped item is %+v", c)
	}
}

// The parts of a delta are its statements, each once, no part over the limits, and
// no record before one that it refers to. Each part seals.
func TestSplitKeepsEverythingInOrder(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		w := newWorld(t, seed)
		limits := delta.Limits{MessageBytes: 3000 + w.rng.IntN(3000), Entries: 1 + w.rng.IntN(20), Nesting: 8}
		parts, err := agent.Split(w.changes, w.records, limits)
		if err != nil {
			t.Fatal(err)
		}
		var all agent.Changes
		travelled := map[record.ID]bool{}
		for _, p := range parts {
			checkPart(t, w, p, limits, travelled)
			all.New, all.Modified, all.Absent = append(all.New, p.New...), append(all.Modified, p.Modified...), append(all.Absent, p.Absent...)
		}
		if !sameStatements(all, w.changes) {
			t.Fatalf("seed %d: the parts say something else than the delta", seed)
		}
	}
}

func checkPart(t *testing.T, w world, p agent.Part, limits delta.Limits, travelled map[record.ID]bool) {
	t.Helper()
	for _, r := range p.Records {
		for _, pair := range r.Pairs {
			if _, own := w.records[pair.Record]; own && !travelled[pair.Record] {
				t.Fatal("a record travels before one that it refers to")
			}
		}
		travelled[r.ID] = true
	}
	key, err := identity.NewPrivateKey(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	d := delta.Delta{
		Space: "plant", Contributor: identity.ID{1}, Sequence: 1, Base: &delta.Base{},
		New: p.New, Modified: p.Modified, Absent: p.Absent,
	}
	raw, _, err := delta.Seal(d, p.Records, key)
	if err != nil {
		t.Fatalf("a part does not seal: %v", err)
	}
	m, err := delta.Open(raw)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.CheckLimits(len(raw), limits); err != nil {
		t.Fatalf("a part is over the limits: %v", err)
	}
}

// sameStatements compares the groups as sets.
func sameStatements(a, b agent.Changes) bool {
	return same(a.New, b.New) && same(a.Modified, b.Modified) && same(a.Absent, b.Absent)
}

func same[T comparable](a, b []T) bool {
	count := map[T]int{}
	for _, x := range a {
		count[x]++
	}
	for _, x := range b {
		count[x]--
	}
	return !slices.ContainsFunc(slices.Collect(maps.Values(count)), func(n int) bool { return n != 0 })
}

func TestSplitRefusesWhatFitsNoMessage(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 1)
	r := w.record(t, nil)
	c := agent.Changes{New: []delta.New{{Record: r.ID, Base: 1}}}
	if _, err := agent.Split(c, w.records, delta.Limits{MessageBytes: 520, Entries: 9}); reason.Of(err) != reason.MessageTooLarge {
		t.Errorf("too large: %v", err)
	}
	if _, err := agent.Split(c, nil, delta.DefaultLimits); reason.Of(err) != reason.RecordMissing {
		t.Errorf("a record that is not there: %v", err)
	}
}

func TestPPMIsADecimal(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]uint32{"0.8": 800_000, "1": 1_000_000, "1.0": 1_000_000, "0.000001": 1, "0.7": 700_000, "0.123456": 123_456} {
		if got, err := agent.ParsePPM(s); err != nil || got != want {
			t.Errorf("%s is %d, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "0", "0.0", "1.000001", "2", "-0.5", "+0.5", "0.1234567", ".5", "1.", "0,5", "1e-1", "NaN", "00.5", " 0.5", "0.5_0"} {
		if _, err := agent.ParsePPM(s); reason.Of(err) != reason.OutOfRange {
			t.Errorf("%q: %v", s, err)
		}
	}
	for ppm, want := range map[uint32]string{800_000: "0.8", 1_000_000: "1", 1: "0.000001", 123_450: "0.12345"} {
		if got := agent.FormatPPM(ppm); got != want {
			t.Errorf("%d is %s", ppm, got)
		}
	}
}
