package merge

import (
	"slices"

	"consilience/fleet"
	"consilience/lineage"
)

// Sweep names items without number that an entry touches besides those it names:
// all on which the nodes have a statement, or all of the space. The caller writes
// the drained plan, feeds the items in any order and in chunks to
// [State.Recompute], and goes on with a fresh state.
type Sweep struct {
	Nodes   []lineage.Node // ascending
	All     bool
	Cause   string // kind of the entry
	CauseID string // its id, as shown
	Seq     uint64
}

// Empty reports whether nothing is to be swept.
func (w Sweep) Empty() bool { return len(w.Nodes) == 0 && !w.All }

// ItemNeeds names what [State.Recompute] of items looks at and is not loaded:
// whether their contributors are locked.
func (s *State) ItemNeeds(items []*Item) Need {
	r := &round{s: s}
	for _, it := range items {
		r.contributors(it)
	}
	return Union(r.need, Need{})
}

// Recompute recomputes items that a sweep touches and marks what changes in the
// plan. v is the view that the sweep's entry was applied with. Items that are not
// in the state are put.
func (s *State) Recompute(items []*Item, v fleet.View, w Sweep) {
	s.timed(w.Seq)
	t := s.step(w.Seq, v, w.Cause, w.CauseID)
	for _, it := range items {
		s.PutItem(it)
		t.recompute(s.items[it.No], false)
	}
}

// Settle recomputes, in a complete state, everything that a sweep touches.
func (s *State) Settle(v fleet.View, w Sweep) {
	var items []*Item
	for _, it := range s.items {
		if w.Touches(it) {
			items = append(items, it)
		}
	}
	slices.SortFunc(items, byNumber)
	s.Recompute(items, v, w)
}

// Touches reports whether the sweep touches an item.
func (w Sweep) Touches(it *Item) bool {
	return w.All || slices.ContainsFunc(it.Statements, func(st *Statement) bool {
		_, ok := slices.BinarySearch(w.Nodes, st.Contributor)
		return ok
	})
}
