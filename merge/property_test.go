package merge

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime/debug"
	"slices"
	"strconv"
	"testing"

	"consilience/command"
	"consilience/fleet"
	"consilience/record"
)

// TestMain lets garbage pile up: the histories are many and small.
func TestMain(m *testing.M) {
	debug.SetGCPercent(1000)
	os.Exit(m.Run())
}

// histories is the number of random histories of the property tests.
// CONSILIENCE_HISTORIES lowers or raises it.
func histories(t testing.TB, normal int) int {
	if n, err := strconv.Atoi(os.Getenv("CONSILIENCE_HISTORIES")); err == nil {
		return n
	}
	if testing.Short() {
		return normal / 20
	}
	return normal
}

// perScenario is the number of histories on one fleet.
const perScenario = 40

// eachHistory calls check with n random histories.
func eachHistory(t *testing.T, n int, plain bool, check func(t *testing.T, h *history, rng *rand.Rand)) {
	for seed := range (n + perScenario - 1) / perScenario {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(uint64(seed), 7))
			sc := newScenario(t, rng, plain)
			for i := range perScenario {
				h := sc.history(t, rng, sc.spaces[i%len(sc.spaces)])
				check(t, h, rng)
				if t.Failed() {
					t.Fatalf("history %d of scenario %d", i, seed)
				}
			}
		})
	}
}

// N-43, N-46, N-48, N-59, N-61, N-64, N-71: the properties of merge.md on random
// histories of every kind of space.
func TestHistories(t *testing.T) {
	eachHistory(t, histories(t, 10_000), false, func(t *testing.T, h *history, rng *rand.Rand) {
		checkBounds(t, h)
		checkRivals(t, h)
		checkReplay(t, h, rng)
		checkTables(t, h, rng)
		checkRecompute(t, h, rng)
	})
}

// checkBounds: nothing counts for more than its base and its contributor's
// reputation, and what one voice says stays below both.
func checkBounds(t *testing.T, h *history) {
	for _, it := range h.state.items {
		single, voices := uint32(0), 0
		for _, st := range it.Statements {
			if st.Effective > st.Value || st.Effective > st.Reputation {
				t.Errorf("effective %d above base %d or reputation %d", st.Effective, st.Value, st.Reputation)
			}
			if st.Side == Support && st.Counted.Weighs() {
				voices++
				single = min(st.Value, st.Reputation)
			}
		}
		if it.Confidence > MaxConfidence || voices == 0 && it.Confidence > 0 || voices == 1 && it.Confidence > single {
			t.Errorf("confidence %d of %d voices, bound %d", it.Confidence, voices, single)
		}
		if it.Status == Active && it.Support > 0 && it.Confidence == 0 && it.Support >= MinSupported {
			t.Error("a doubt deleted an item")
		}
	}
}

// checkRivals: of two active values of one claim at most one is believed.
func checkRivals(t *testing.T, h *history) {
	for _, a := range h.state.items {
		for _, b := range h.state.items {
			if a.Claim == nil || b.Claim == nil || a.Claim.Key != b.Claim.Key || a.Claim.Value == b.Claim.Value {
				continue
			}
			x, y := a.Standing(), b.Standing()
			if x.Rivals() && y.Rivals() && min(BeliefAmong(x, []Standing{y}), BeliefAmong(y, []Standing{x})) >= 500_000 {
				t.Errorf("both of two rivals are believed: %d and %d", a.Confidence, b.Confidence)
			}
		}
	}
}

// snapshot is what readers see of a space.
func snapshot(s *State) map[record.ItemID]string {
	seen := map[record.ItemID]string{}
	for id, it := range s.itemIDs {
		if it == nil {
			continue
		}
		slices.SortFunc(it.Statements, byStatement)
		text := fmt.Sprint(it.numbers())
		for _, st := range it.Statements {
			text += fmt.Sprintf(" %d/%d.%d:%d%s", st.Contributor, st.Sequence, st.Index, st.Effective, st.Counted)
		}
		seen[id] = text
	}
	return seen
}

// checkReplay: a replay, with every entry given twice, ends at the same digest;
// and the last quarantine, once released, has changed nothing (release exactness).
func checkReplay(t *testing.T, h *history, rng *rand.Rand) {
	s := NewState(SpaceState{Num: h.state.Space.Num, Name: h.space})
	s.Complete = true
	find := h.newFinder()
	var before map[record.ItemID]string
	for i, e := range h.entries {
		if i == len(h.entries)-2 {
			before = snapshot(s)
		}
		apply(t, s, h.sc.fleet, e, find)
		if rng.IntN(3) == 0 {
			apply(t, s, h.sc.fleet, e, find)
		}
	}
	if s.Digest(h.sc.now()) != h.state.Digest(h.sc.now()) {
		t.Error("a replay has another digest")
	}
	if last, ok := h.entries[len(h.entries)-2].Body.(*FactBody); ok && last.Kind == command.KindQuarantine {
		if !reflect.DeepEqual(before, snapshot(s)) {
			t.Error("a released quarantine left something changed")
		}
	}
}

// checkTables: the merge of batches, each over a state that was loaded for it and
// written as a plan, gives what one state in memory gives, however it is split.
func checkTables(t *testing.T, h *history, rng *rand.Rand) {
	db, find := newTables(SpaceState{Num: h.state.Space.Num, Name: h.space}), h.newFinder()
	for rest := h.entries; len(rest) > 0; {
		n := 1 + rng.IntN(min(8, len(rest)))
		rest = rest[db.batch(t, h.sc.fleet, find, rest[:n]):]
	}
	got := db.complete()
	if got.Digest(h.sc.now()) != h.state.Digest(h.sc.now()) {
		t.Error("batches over loaded states give another digest")
	}
	if !reflect.DeepEqual(snapshot(got), snapshot(h.state)) {
		t.Error("batches over loaded states give other items")
	}
	for no, it := range h.state.items {
		other := got.items[no]
		if other == nil || it.Revision != other.Revision || it.Updated != other.Updated || it.Created != other.Created || it.Founded != other.Founded {
			t.Errorf("item %d differs in its revision", no)
		}
	}
	for id, r := range h.state.records {
		if r != nil && *r != *got.records[id] {
			t.Errorf("record is %+v, want %+v", got.records[id], r)
		}
	}
	if got.Space != h.state.Space {
		t.Errorf("space is %+v, want %+v", got.Space, h.state.Space)
	}
}

// batch merges entries up to the first that sweeps, as the pipeline does, and
// returns how many.
func (db *tables) batch(t *testing.T, f *fleet.State, find finder, entries []Entry) int {
	s := NewState(db.space)
	for {
		var need Need
		for _, e := range entries {
			need = Union(need, s.Needs(e, view(f, e)))
		}
		if need.Empty() {
			break
		}
		db.load(need, s)
	}
	for i, e := range entries {
		w, err := s.Apply(e, view(f, e), find)
		for missing := (*Missing)(nil); errors.As(err, &missing); {
			db.load(missing.Need, s)
			w, err = s.Apply(e, view(f, e), find)
		}
		if err != nil {
			t.Fatal(err)
		}
		if !w.Empty() {
			db.write(s.Drain())
			db.sweep(f, e, w)
			return i + 1
		}
	}
	db.write(s.Drain())
	return len(entries)
}

// sweep recomputes what a sweep touches, in chunks of two.
func (db *tables) sweep(f *fleet.State, e Entry, w Sweep) {
	var touched []*Item
	for no := range db.items {
		if it := db.item(no); w.Touches(it) {
			touched = append(touched, it)
		}
	}
	for chunk := range slices.Chunk(touched, 2) {
		s := NewState(db.space)
		db.load(s.ItemNeeds(chunk), s)
		s.Recompute(chunk, view(f, e), w)
		db.write(s.Drain())
	}
}

// checkRecompute: the numbers of an item follow from its statements, in any
// order, and from nothing else; so every sweep was complete.
func checkRecompute(t *testing.T, h *history, rng *rand.Rand) {
	before := snapshot(h.state)
	var all []*Item
	for _, it := range h.state.items {
		rng.Shuffle(len(it.Statements), func(i, j int) {
			it.Statements[i], it.Statements[j] = it.Statements[j], it.Statements[i]
		})
		rng.Shuffle(len(it.Contents), func(i, j int) {
			it.Contents[i], it.Contents[j] = it.Contents[j], it.Contents[i]
		})
		all = append(all, it)
	}
	h.state.Recompute(all, h.sc.now(), Sweep{Seq: h.sc.seq})
	if p := h.state.Drain(); len(p.ChangedItems)+len(p.ChangedStatements) > 0 {
		t.Errorf("a recompute changed %d items and %d statements", len(p.ChangedItems), len(p.ChangedStatements))
	}
	if !reflect.DeepEqual(before, snapshot(h.state)) {
		t.Error("a recompute changed what readers see")
	}
}
