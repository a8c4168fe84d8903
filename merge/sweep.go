package merge

import (
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
func (s *State) ItemNeeds(items []*Item) Need { return Need{} }

// Recompute recomputes items that a sweep touches and marks what changes in the
// plan. v is the view that the sweep's entry was applied with. Items that are not
// in the state are put.
func (s *State) Recompute(items []*Item, v fleet.View, w Sweep) {}
