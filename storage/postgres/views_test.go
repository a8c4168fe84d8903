package postgres

import (
	"fmt"
	"slices"
	"strings"

	"consilience/internal/testkit"
	"consilience/merge"
)

// checkViews holds what readers see against the merge in memory: every number and
// status of every item, every statement with whether and why it does not count.
func (w *world) checkViews(db *testkit.DB, plan *merge.Plan) {
	w.t.Helper()
	w.compare(db, "items", w.itemRows(plan), `
		SELECT item_id, (confidence * 1000000)::int AS c, (belief * 1000000)::int AS b, authoritative, status, supporters AS s, doubters AS d,
			groups AS g FROM memory.items`)
	w.compare(db, "provenance", w.statementRows(plan), `
		SELECT item_id, contributor, stance, counted, why_not_counted AS why, (base * 1000000)::int AS base FROM memory.provenance`)
}

func (w *world) compare(db *testkit.DB, what string, want []string, sql string) {
	w.t.Helper()
	got := ask(w.t, db, sql)
	slices.Sort(got)
	slices.Sort(want)
	wrong := 0
	for i := range max(len(got), len(want)) {
		g, m := "-", "-"
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			m = want[i]
		}
		if g != m && wrong < 5 {
			wrong++
			w.t.Errorf("%s: view shows\n\t%s\nmemory holds\n\t%s", what, g, m)
		}
	}
}

func (w *world) itemRows(plan *merge.Plan) []string {
	space, _ := w.fleet.At(w.seq + 1).Space(spaceName)
	rivals := rivalsOf(plan)
	var rows []string
	for _, it := range plan.NewItems {
		x, against := it.Standing(), rivals[it.No]
		belief := merge.BeliefAmong(x, against)
		status := it.Status.String()
		switch {
		case status == "quarantined":
			belief = 0
		case it.Verdict == merge.Contradicted:
			status = "contradicted"
		case it.Verdict == merge.Confirmed && !slices.ContainsFunc(against, isConfirmed):
			status = "confirmed"
		}
		rows = append(rows, fmt.Sprintf("item_id=%s c=%d b=%d authoritative=%v status=%s s=%d d=%d g=%d", it.ID, it.Confidence, belief,
			merge.Authoritative(space.Policy.Authority, space.Policy.NearZero, x, against), status, it.Supporters, it.Doubters, it.Groups))
	}
	return rows
}

func isConfirmed(s merge.Standing) bool {
	return s.Status == merge.Active && s.Verdict == merge.Confirmed
}

// rivalsOf finds rivals as merge.md defines them, by comparing every pair.
func rivalsOf(plan *merge.Plan) map[merge.ItemNo][]merge.Standing {
	byNo := map[merge.ItemNo]*merge.Item{}
	rivals := map[merge.ItemNo][]merge.Standing{}
	for _, a := range plan.NewItems {
		byNo[a.No] = a
		for _, b := range plan.NewItems {
			if a.Claim != nil && b.Claim != nil && a.Claim.Key == b.Claim.Key && a.Claim.Value != b.Claim.Value {
				rivals[a.No] = append(rivals[a.No], b.Standing())
			}
		}
	}
	for _, r := range plan.Related {
		if r.Why == merge.WhyDeclared || r.Why == merge.WhyPolarity {
			rivals[r.Item] = append(rivals[r.Item], byNo[r.Other].Standing())
			rivals[r.Other] = append(rivals[r.Other], byNo[r.Item].Standing())
		}
	}
	return rivals
}

func (w *world) statementRows(plan *merge.Plan) []string {
	v := w.fleet.At(w.seq + 1)
	var rows []string
	for _, it := range plan.NewItems {
		for _, st := range it.Statements {
			why := st.Counted.String()
			if why == "" {
				why = "NULL"
			}
			rows = append(rows, strings.Join([]string{
				"item_id=" + it.ID.String(), "contributor=" + v.ID(st.Contributor).String(), "stance=" + st.Side.String(),
				fmt.Sprintf("counted=%v", st.Counted == merge.Counts), "why=" + why, fmt.Sprintf("base=%d", st.Value)}, " "))
		}
	}
	return rows
}
