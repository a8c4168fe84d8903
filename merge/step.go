package merge

import (
	"slices"

	"consilience/command"
	"consilience/fleet"
	"consilience/lineage"
)

// step is one entry being merged: what it sees and what it touches.
type step struct {
	*State
	seq     uint64
	view    fleet.View
	lineage lineage.View
	policy  command.Policy // of the space, as the entry sees it
	cause   string
	causeID string

	touched []*Item                 // in the order of their first touch
	before  map[lineage.Node]uint32 // own reputations before the entry, of those it touches
	sweep   map[lineage.Node]bool   // contributors all of whose items are touched
	all     []lineage.Quarantine    // those by the letter of the draft (--all)
}

// step begins an entry. cause is its kind, causeID its id as shown.
func (s *State) step(seq uint64, v fleet.View, cause, causeID string) *step {
	t := &step{State: s, seq: seq, view: v, lineage: v.Lineage(), cause: cause, causeID: causeID}
	space, _ := v.Space(s.Space.Name)
	t.policy = space.Policy
	for _, q := range t.lineage.Quarantines() {
		if q.All {
			t.all = append(t.all, q)
		}
	}
	return t
}

// touch puts an item among those that are recomputed at the end of the entry.
func (t *step) touch(it *Item) {
	if it.touched != t.seq {
		it.touched = t.seq
		t.touched = append(t.touched, it)
	}
}

// finish recomputes what was touched and returns what is left to sweep.
func (t *step) finish() Sweep {
	for _, it := range t.touched {
		t.recompute(it, true)
	}
	t.reputationHistory()
	w := Sweep{Cause: t.cause, CauseID: t.causeID, Seq: t.seq}
	for n := range t.sweep {
		w.Nodes = append(w.Nodes, n)
	}
	slices.Sort(w.Nodes)
	return w
}

// sweepOf has all items recomputed on which n has a statement.
func (t *step) sweepOf(n lineage.Node) {
	if t.sweep == nil {
		t.sweep = map[lineage.Node]bool{}
	}
	t.sweep[n] = true
}
