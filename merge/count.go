package merge

import (
	"slices"

	"consilience/command"
	"consilience/lineage"
	"consilience/reputation"
)

// lockedReputation bounds the stored reputation of a locked contributor's stances.
const lockedReputation = reputation.LockedValue

// open reports whether everybody known may propose to the space.
func (t *step) open() bool { return t.policy.Admission == command.AdmissionOpen }

// counted chooses, of one side's stances, those that weigh: the strongest of each
// independence group, of at most [MaxGroups] groups, strongest first. It marks
// every stance with whether and why it does not count.
func (t *step) counted(stances []*Statement, side Side) []*Statement {
	var of []*Statement
	for _, st := range stances {
		switch {
		case st.Side != side:
		case st.Echo:
			t.count(st, Echo)
		default:
			of = append(of, st)
		}
	}
	slices.SortFunc(of, t.byWeight)
	taken := of[:0:0]
	blocked := t.independence(of)
	for _, st := range of {
		if why := blocked(st); why != Counts {
			t.count(st, why)
			continue
		}
		taken = append(taken, st)
		t.count(st, t.weakness(st))
	}
	return taken
}

// weakness says why a stance that weighs is no full one.
func (t *step) weakness(st *Statement) Reason {
	switch {
	case t.locked(st.Contributor):
		return Locked
	case st.Side == Support && st.Effective < t.policy.NearZero:
		return NearZero
	}
	return Counts
}

// independence returns the guard of draft section 5.4: it is asked about the
// stances in order and says of each why it must not add to those it let through.
func (t *step) independence(of []*Statement) func(*Statement) Reason {
	if t.policy.LineageDistance > 0 {
		return t.byDistance()
	}
	return t.byGroup(of)
}

// byGroup lets one stance of each group through: a lineage, an origin, or in an
// open space the pool of those in whose group nobody was proven.
func (t *step) byGroup(of []*Statement) func(*Statement) Reason {
	var proven, seen []lineage.Group
	for _, st := range of {
		if t.open() && st.Proven {
			proven = append(proven, t.lineage.Group(st.Contributor))
		}
	}
	slices.Sort(proven)
	return func(st *Statement) Reason {
		group, why := t.lineage.Group(st.Contributor), SameGroup
		if _, ok := slices.BinarySearch(proven, group); t.open() && !ok {
			group, why = lineage.Pool, InPool
		}
		if len(seen) == MaxGroups || slices.Contains(seen, group) {
			return why
		}
		seen = append(seen, group)
		return Counts
	}
}

// byDistance lets a stance through that is independent of all let through before,
// by the draft's rule at the space's lineage distance.
func (t *step) byDistance() func(*Statement) Reason {
	var taken []*Statement
	return func(st *Statement) Reason {
		if len(taken) == MaxGroups {
			return SameGroup
		}
		for _, other := range taken {
			if why := t.dependent(st, other); why != Counts {
				return why
			}
		}
		taken = append(taken, st)
		return Counts
	}
}

// dependent says why two stances are not independent at the space's distance.
func (t *step) dependent(a, b *Statement) Reason {
	if t.lineage.Dependent(a.Contributor, b.Contributor, int(t.policy.LineageDistance)) {
		return SameGroup
	}
	if g := t.lineage.Group(a.Contributor); g < 0 && g == t.lineage.Group(b.Contributor) {
		return SameGroup
	}
	if t.open() && !a.Proven && !b.Proven {
		return InPool
	}
	return Counts
}
