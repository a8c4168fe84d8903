package merge

import (
	"cmp"
	"slices"
)

// stances sorts an item's statements by contributor and returns, of each, the
// newest by its own sequence that no quarantine masks (rulings Q5). The others
// are marked masked or withdrawn. It brings every statement's weight up to date.
func (t *step) stances(it *Item) []*Statement {
	slices.SortFunc(it.Statements, byStatement)
	var standing []*Statement
	for end := len(it.Statements); end > 0; {
		n := it.Statements[end-1].Contributor
		start := end - 1
		for start > 0 && it.Statements[start-1].Contributor == n {
			start--
		}
		if st := t.stance(it.Statements[start:end]); st != nil {
			standing = append(standing, st)
		}
		end = start
	}
	return standing
}

// stance returns the newest unmasked of one contributor's statements, oldest
// first, or nil.
func (t *step) stance(own []*Statement) (stance *Statement) {
	n := own[0].Contributor
	since, masked := t.lineage.Mask(n)
	locked := t.locked(n)
	for _, st := range slices.Backward(own) {
		t.weigh(st, locked)
		switch {
		case masked && st.Seq >= since:
			t.count(st, Masked)
		case stance != nil:
			t.count(st, Withdrawn)
		default:
			stance = st
		}
	}
	return stance
}

// weigh brings a statement's effective value up to date.
func (t *step) weigh(st *Statement, locked bool) {
	reputation := st.Reputation
	if locked {
		reputation = min(reputation, lockedReputation)
	}
	e := uint32(0)
	if st.Side == Support {
		e = Effective(st.Value, reputation, int(st.Depth), t.policy.DepthFactor)
	} else {
		step := t.policy.UnprovenStep
		if st.Proven {
			step = t.policy.ProvenStep
		}
		e = DoubtEffective(st.Value, reputation, int(st.Depth), t.policy.DepthFactor, step)
	}
	if e != st.Effective {
		st.Effective = e
		marked(&st.mark, &t.changes.plan.ChangedStatements, st)
	}
}

// count says whether and why a statement does not count.
func (t *step) count(st *Statement, why Reason) {
	if st.Counted != why {
		st.Counted = why
		marked(&st.mark, &t.changes.plan.ChangedStatements, st)
	}
}

// byWeight is the order in which stances are chosen: strongest first, then the
// lower contributor id.
func (t *step) byWeight(a, b *Statement) int {
	if a.Effective != b.Effective {
		return cmp.Compare(b.Effective, a.Effective)
	}
	x, y := t.view.ID(a.Contributor), t.view.ID(b.Contributor)
	return slices.Compare(x[:], y[:])
}
