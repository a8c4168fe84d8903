package merge

import (
	"encoding/json"

	"consilience/cluster"
	"consilience/record"
)

// manyValued is a policy's list of many-valued predicates, folded as the
// predicates of claims are, so that a policy may spell them as records do.
type manyValued struct {
	of     *string // first of the list that was folded
	folded map[string]bool
}

// has reports whether a folded predicate is on a policy's list.
func (m *manyValued) has(list []string, predicate string) bool {
	if len(list) == 0 {
		return false
	}
	if m.of != &list[0] || len(m.folded) == 0 {
		m.of, m.folded = &list[0], make(map[string]bool, len(list))
		for _, p := range list {
			m.folded[foldPredicate(p)] = true
		}
	}
	return m.folded[predicate]
}

// foldPredicate reads the predicate as that of a claim.
func foldPredicate(predicate string) string {
	text, err := json.Marshal(map[string]any{"predicate": predicate, "subject": "", "value": 0})
	if err != nil {
		return predicate
	}
	c, _ := cluster.ClaimOf(record.Structured, text)
	return c.Predicate
}
