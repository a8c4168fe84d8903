package near

import (
	"consilience/cluster"
	"consilience/cluster/vector"
)

// Similar returns the items whose founding text is similar to a text of vector v:
// all that it may join or is the rival of, and the [MaxRefused] most similar that
// the gate refused. Best first, ties by the lower item id.
func (x *Index) Similar(text string, v vector.Vector) []cluster.Candidate {
	if !v.Valid(x.vectors.Dims()) {
		return nil
	}
	q, now := x.question(text, v), x.now()
	now.bring(q, x.asked.order)
	var found []cluster.Candidate
	refused := 0
	for _, h := range now.hits(q) {
		verdict := now.verdict(q, h.Place)
		if verdict != cluster.Join && verdict != cluster.Rival {
			if refused++; refused > MaxRefused {
				continue
			}
		}
		found = append(found, cluster.Candidate{Item: x.entries[h.Place].item, Similarity: h.Similarity, Verdict: verdict})
	}
	return found
}
