package recall

import (
	"context"
	"slices"

	"consilience/recall/selection"
	"consilience/reconcile"
)

// mostSimilar is how many of the most similar items candidates are chosen from at most,
// those that the store shows first, unless twice as many are asked for.
const mostSimilar = 4096

// steps are among how many of the most similar items a number of candidates is looked
// for: the first is nearly always enough, and costs half of the search that 512 take.
// More are needed where the store hides many, lest they hide what is left.
func steps(candidates int) []int {
	few := 2*candidates + 8
	most := max(few, mostSimilar)
	return slices.Compact([]int{few, min(8*few, most), most})
}

// findSimilar finds the candidates among the items most similar to a text.
func (s *Service) findSimilar(ctx context.Context, q reconcile.Asked, text string, question Question) (found Recalled, err error) {
	steps := steps(question.Limit)
	for similar, err := range s.cfg.Searcher.Search(ctx, q.Space, text, steps...) {
		if err != nil {
			return Recalled{}, err
		}
		question.Similar = similar
		if found, err = s.store.Recall(ctx, q.Space.Num, question); err != nil || len(similar) < steps[0] || question.settled(found) {
			return found, err
		}
	}
	return found, nil
}

// settled reports whether no item that is less similar than those of the question can
// be a candidate: there are enough, the store shows all of them, and the last one does
// not merely tie with what was left out.
func (q Question) settled(found Recalled) bool {
	if len(found.Candidates) < q.Limit {
		return false
	}
	least := q.Similar[len(q.Similar)-1].Score
	return !slices.ContainsFunc(found.Candidates, func(c Candidate) bool {
		return c.Confidence < q.Lowest || c.Status == selection.Quarantined || c.Status == selection.Contradicted || c.Score == least
	})
}
