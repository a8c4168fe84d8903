package near

import (
	"cmp"
	"slices"

	"consilience/cluster"
	"consilience/cluster/vector"
)

// view is what a search reads: the items up to a place.
type view struct {
	vectors   *vector.Index
	entries   []entry
	row       func(hard [16]byte) (r row, known bool) // of which no place is beyond the view
	readings  *readings
	threshold int32
}

// now is the view of whoever uses the index.
func (x *Index) now() *view {
	return &view{x.vectors, x.entries, func(hard [16]byte) (row, bool) { r, known := x.alike[hard]; return r, known }, &x.asked.readings, x.threshold}
}

// search finds what is similar to texts from a place on, and judges it. It changes
// nothing but them.
//
// The gate refuses every text of another signature, so of those only the best are worth
// a verdict; in a space of near-identical facts nearly all are. Where a text's own
// signature has few places, those are looked through one by one, and the floor of the
// scan for the others rises with the best of them.
func (v *view) search(texts []*question, from int) {
	vectors, floors := make([]vector.Vector, len(texts)), make([]int32, len(texts))
	for i, q := range texts {
		vectors[i] = q.vector
		r, known := v.row(q.signature())
		if q.same.alone = r.few(len(v.entries)); known && q.same.alone {
			v.among(q, r, from)
		}
		floors[i] = v.floor(q)
	}
	v.vectors.Scan(vectors, floors, from, v.vectors.Len(), func(i int, h vector.Hit) {
		q := texts[i]
		switch own := v.entries[h.Place].hard == q.signature(); {
		case own && !q.same.alone:
			q.same.hits = append(q.same.hits, h)
		case !own:
			v.keepBest(q, h)
			floors[i] = v.floor(q)
		}
	})
	for _, q := range texts {
		q.until = v.vectors.Len()
		for _, h := range v.hits(q) {
			v.verdict(q, h.Place)
		}
	}
}

// among finds what is similar to a text in the row of its signature, from a place on.
func (v *view) among(q *question, r row, from int) {
	norm2 := q.vector.Norm2()
	for place := int(r.last); place >= from; place = int(v.entries[place].before) {
		if similarity, ok := v.vectors.Similarity(q.vector, norm2, place, v.threshold); ok {
			q.same.hits = append(q.same.hits, vector.Hit{Place: place, Similarity: similarity})
		}
	}
}

// floor is the least similarity that a scan still has use for.
func (v *view) floor(q *question) int32 {
	if q.same.alone && len(q.others) == MaxRefused {
		return q.others[MaxRefused-1].Similarity
	}
	return v.threshold
}

// keepBest keeps a hit of another signature if it is among the best.
func (v *view) keepBest(q *question, h vector.Hit) {
	at, _ := slices.BinarySearchFunc(q.others, h, v.compare)
	if at < MaxRefused {
		q.others = slices.Insert(q.others, at, h)[:min(len(q.others)+1, MaxRefused)]
	}
}

// hits are those worth judging, best first.
func (v *view) hits(q *question) []vector.Hit {
	all := slices.Concat(q.same.hits, q.others)
	slices.SortFunc(all, v.compare)
	return all
}

// compare orders hits, best first, ties by the lower item id.
func (v *view) compare(a, b vector.Hit) int {
	if c := cmp.Compare(b.Similarity, a.Similarity); c != 0 {
		return c
	}
	p, q := v.entries[a.Place].item, v.entries[b.Place].item
	return slices.Compare(p[:], q[:])
}

// verdict is the gate's about a text and the founding text at a place.
func (v *view) verdict(q *question, place int) string {
	if said, ok := q.judged[place]; ok {
		return said
	}
	said := cluster.Judge(q.read(), v.readings.of(place, v.entries[place].text))
	if q.judged == nil {
		q.judged = map[int]string{}
	}
	q.judged[place] = said
	return said
}
