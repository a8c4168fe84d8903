package near

import (
	"cmp"
	"slices"

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
	q := x.question(text, v)
	x.bring(q)
	var found []cluster.Candidate
	refused := 0
	for _, h := range x.hits(q) {
		verdict := x.verdict(q, h.Place)
		if verdict != cluster.Join && verdict != cluster.Rival {
			if refused++; refused > MaxRefused {
				continue
			}
		}
		found = append(found, cluster.Candidate{Item: x.entries[h.Place].item, Similarity: h.Similarity, Verdict: verdict})
	}
	return found
}

// search finds what is similar to texts from a place on, and judges it. It changes
// nothing but them.
//
// The gate refuses every text of another signature, so of those only the best are worth
// a verdict; in a space of near-identical facts nearly all are. Where a text's own
// signature has few places, those are looked through one by one, and the floor of the
// scan for the others rises with the best of them.
func (x *Index) search(texts []*question, from int) {
	vectors, floors := make([]vector.Vector, len(texts)), make([]int32, len(texts))
	for i, q := range texts {
		q.same.alone = x.few(q.signature())
		if vectors[i] = q.vector; q.same.alone {
			x.among(q, from)
		}
		floors[i] = x.floor(q)
	}
	x.vectors.Scan(vectors, floors, from, x.vectors.Len(), func(i int, h vector.Hit) {
		q := texts[i]
		switch own := x.entries[h.Place].hard == q.signature(); {
		case own && !q.same.alone:
			q.same.hits = append(q.same.hits, h)
		case !own:
			x.keepBest(q, h)
			floors[i] = x.floor(q)
		}
	})
	for _, q := range texts {
		q.until = x.vectors.Len()
		for _, h := range x.hits(q) {
			x.verdict(q, h.Place)
		}
	}
}

// among finds what is similar to a text in the row of its signature, from a place on.
func (x *Index) among(q *question, from int) {
	norm2 := q.vector.Norm2()
	r, known := x.alike[q.signature()]
	for place := int(r.last); known && place >= from; place = int(x.entries[place].before) {
		if similarity, ok := x.vectors.Similarity(q.vector, norm2, place, x.threshold); ok {
			q.same.hits = append(q.same.hits, vector.Hit{Place: place, Similarity: similarity})
		}
	}
}

// floor is the least similarity that a scan still has use for.
func (x *Index) floor(q *question) int32 {
	if q.same.alone && len(q.others) == MaxRefused {
		return q.others[MaxRefused-1].Similarity
	}
	return x.threshold
}

// keepBest keeps a hit of another signature if it is among the best.
func (x *Index) keepBest(q *question, h vector.Hit) {
	at, _ := slices.BinarySearchFunc(q.others, h, x.compare)
	if at < MaxRefused {
		q.others = slices.Insert(q.others, at, h)[:min(len(q.others)+1, MaxRefused)]
	}
}

// compare orders hits, best first, ties by the lower item id.
func (x *Index) compare(a, b vector.Hit) int {
	if c := cmp.Compare(b.Similarity, a.Similarity); c != 0 {
		return c
	}
	p, q := x.entries[a.Place].item, x.entries[b.Place].item
	return slices.Compare(p[:], q[:])
}
