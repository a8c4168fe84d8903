package merge

import (
	"bytes"
	"cmp"
	"slices"

	"consilience/lineage"
	"consilience/record"
)

// mark says whether something changed since the last drain.
type mark uint8

const (
	clean mark = iota
	changed
	fresh // made since the last drain
)

// changes tracks what changed since the last drain. Reputations are the nodes of
// those that did; plan holds the rows that only ever grow.
type changes struct {
	plan        Plan
	reputations map[lineage.Node]bool
}

// marked sets m to changed and appends x, once, to the list of the changed.
func marked[T any](m *mark, list *[]T, x T) {
	if *m == clean {
		*m = changed
		*list = append(*list, x)
	}
}

// made sets m to fresh and appends x to the list of the new.
func made[T any](m *mark, list *[]T, x T) {
	*m = fresh
	*list = append(*list, x)
}

// Drain returns everything that changed since the last Drain and starts anew; the
// state stays usable. See [Plan] for the memory that the two share.
func (s *State) Drain() *Plan {
	p := s.changes.plan
	p.Space = s.Space
	p.Reputations = s.reputationRows()
	s.changes = changes{}
	order(p.NewItems, byNumber)
	order(p.ChangedItems, byNumber)
	order(p.NewContents, byContent)
	order(p.ChangedContents, byContent)
	order(p.NewRecords, func(a, b NewRecord) int { return cmp.Compare(a.No, b.No) })
	order(p.NewStatements, byStatement)
	order(p.ChangedStatements, byStatement)
	order(p.NewHolders, byHolder)
	order(p.ChangedHolders, byHolder)
	p.unmark()
	return &p
}

func order[T any](list []T, by func(a, b T) int) { slices.SortFunc(list, by) }

// unmark makes everything in the plan clean again.
func (p *Plan) unmark() {
	for _, items := range [][]*Item{p.NewItems, p.ChangedItems} {
		for _, it := range items {
			it.mark = clean
		}
	}
	for _, contents := range [][]*ContentState{p.NewContents, p.ChangedContents} {
		for _, c := range contents {
			c.mark = clean
		}
	}
	for _, statements := range [][]*Statement{p.NewStatements, p.ChangedStatements} {
		for _, st := range statements {
			st.mark = clean
		}
	}
	for _, holders := range [][]HolderRow{p.NewHolders, p.ChangedHolders} {
		for _, h := range holders {
			h.mark = clean
		}
	}
}

// reputationRows returns the reputations that changed, by contributor.
func (s *State) reputationRows() []ReputationRow {
	var rows []ReputationRow
	for n := range s.changes.reputations {
		r := s.reps[n]
		rows = append(rows, ReputationRow{
			Contributor: n, Record: r.Clone(), Own: s.own(n),
			Proven: s.policy.Proven(*r), Locked: s.policy.Locked(*r),
		})
	}
	order(rows, func(a, b ReputationRow) int { return cmp.Compare(a.Contributor, b.Contributor) })
	return rows
}

func byNumber(a, b *Item) int { return cmp.Compare(a.No, b.No) }

func byContent(a, b *ContentState) int { return compareContent(a.Content, b.Content) }

func byHolder(a, b HolderRow) int {
	return cmp.Or(compareContent(a.Content, b.Content), cmp.Compare(a.Contributor, b.Contributor))
}

func byStatement(a, b *Statement) int {
	return cmp.Or(cmp.Compare(a.Contributor, b.Contributor),
		cmp.Compare(a.Sequence, b.Sequence), cmp.Compare(a.Index, b.Index))
}

func compareContent(a, b record.Content) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), bytes.Compare(a.Hash[:], b.Hash[:]))
}
