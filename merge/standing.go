package merge

import (
	"slices"

	"consilience/lineage"
	"consilience/reputation"
)

// speaker is what a delta's statements take from their contributor, read once
// before the delta has any effect (rulings Q19).
type speaker struct {
	node   lineage.Node
	root   lineage.Node
	value  uint32 // reputation, ppm, capped by parents and lock
	depth  int
	proven bool
	hidden bool          // masked at this place in the log
	group  lineage.Group // as a holder: the pool for the unproven of an open space
}

func (t *step) speaker(n lineage.Node) speaker {
	t.establish(n)
	sp := speaker{
		node: n, root: t.lineage.Root(n), value: t.value(n), depth: t.lineage.Depth(n),
		proven: t.State.policy.Proven(*t.reps[n]), hidden: t.lineage.Masked(n, t.seq),
		group: t.lineage.Group(n),
	}
	if !sp.proven && t.open() {
		sp.group = lineage.Pool
	}
	return sp
}

// establish makes sure that n and all that it derives from have a reputation in
// the space. Its base is fixed here, at the first entry: what the operator
// enrolled it with or the space's own, and for a derived one its parents' value.
func (t *step) establish(n lineage.Node) {
	for _, a := range t.lineage.Ancestors(n) { // ascending, so parents come first
		t.establishOne(a.Node)
	}
	t.establishOne(n)
}

func (t *step) establishOne(n lineage.Node) {
	if t.reps[n] != nil {
		return
	}
	c := t.view.ByNode(n)
	r0 := c.Reputation
	for i, p := range t.lineage.Parents(n) {
		if v := t.value(p); i == 0 || v < r0 {
			r0 = v
		}
	}
	if r0 == 0 {
		r0 = t.policy.R0
	}
	r := t.State.policy.New(r0, c.Vouched)
	t.remember(n, 0)
	t.reps[n] = &r
}

// value is the reputation of n now: its own, at most that of anyone it derives
// from. The least along all ways up is the least of all ancestors.
func (t *step) value(n lineage.Node) uint32 {
	v := t.own(n)
	for _, a := range t.lineage.Ancestors(n) {
		if t.reps[a.Node] != nil {
			v = min(v, t.own(a.Node))
		}
	}
	return v
}

// own is the reputation of n by its policy, lock included, parents not.
func (s *State) own(n lineage.Node) uint32 {
	v := reputation.Own(s.policy, *s.reps[n])
	if s.policy.Locked(*s.reps[n]) {
		v = min(v, reputation.LockedValue)
	}
	return v
}

// locked reports whether n is locked in the space.
func (s *State) locked(n lineage.Node) bool {
	r := s.reps[n]
	return r != nil && s.policy.Locked(*r)
}

// give adds evidence to n, or takes it back.
func (t *step) give(n lineage.Node, kind reputation.EventKind, times int) {
	r := t.reps[n]
	t.remember(n, t.own(n))
	*r = t.State.policy.Apply(*r, reputation.Event{Kind: kind, N: times})
}

// judged runs the breaker of n on one judgement; a lock or unlock touches
// everything that n stated.
func (t *step) judged(n lineage.Node, confirmed bool) {
	r := t.reps[n]
	t.remember(n, t.own(n))
	next, turned := t.State.policy.Judge(*r, confirmed)
	*r = next
	if turned {
		t.sweepOf(n)
	}
}

// remember keeps the reputation that n had before the entry and marks it changed.
func (t *step) remember(n lineage.Node, own uint32) {
	if _, ok := t.before[n]; !ok {
		if t.before == nil {
			t.before = map[lineage.Node]uint32{}
		}
		t.before[n] = own
	}
	if t.changes.reputations == nil {
		t.changes.reputations = map[lineage.Node]bool{}
	}
	t.changes.reputations[n] = true
}

// reputationHistory keeps what the entry changed, with its cause.
func (t *step) reputationHistory() {
	var nodes []lineage.Node
	for n := range t.before {
		nodes = append(nodes, n)
	}
	slices.Sort(nodes)
	for _, n := range nodes {
		if before, after := t.before[n], t.own(n); before != after {
			t.changes.plan.ReputationHistory = append(t.changes.plan.ReputationHistory, ReputationChange{
				Contributor: n, Seq: t.seq, Before: before, After: after, Cause: t.cause, CauseID: t.causeID,
			})
		}
	}
}
