// Package near finds the items of a space that a text may join: it holds the
// founding texts of one space with their vectors of one model, searches them
// exactly and lets the gate judge what is similar. It is rule 3 of joining
// (merge.md) over the pure [cluster.Judge] and the exact [vector.Index].
//
// What it answers depends on the items it holds and on nothing else: not on the
// order in which they were added, and not on what was prepared. The tour: near.go
// holds the items and answers, asked.go remembers what was found for the texts of
// one transaction.
package near

import (
	"cmp"
	"slices"

	"consilience/cluster"
	"consilience/cluster/vector"
	"consilience/record"
)

// MaxRefused is how many items that the gate refused are named for a text: merging
// keeps no more of them.
const MaxRefused = 8

// Index holds the founding texts of a space. It is not safe for concurrent use.
type Index struct {
	threshold int32
	vectors   *vector.Index
	entries   []entry
	places    map[record.ItemID]int
	mark      int
	removed   []int // since the mark
	asked     asking
	texts     int // bytes of all founding texts
}

// entry is a founding text. Its reading is made when the gate asks: a million
// readings would not fit, and few are ever asked for.
type entry struct {
	item record.ItemID
	text string
	hard [16]byte
}

// New makes an index for vectors of dims values. threshold is the similarity in ppm
// from which on a text is a candidate.
func New(threshold int32, dims int) *Index {
	return &Index{threshold: threshold, vectors: vector.NewIndex(dims), places: map[record.ItemID]int{}}
}

// Len is the number of items.
func (x *Index) Len() int { return len(x.places) }

// overhead is what an item takes beside its vector and its text, bytes: its id, twice,
// its signature, and the spare room of maps and slices.
const overhead = 240

// Size is how many bytes the items take, roughly.
func (x *Index) Size() int { return len(x.entries)*(x.vectors.ItemSize()+overhead) + x.texts }

// Add takes an item's founding text with its vector. An item that is there stays
// as it is. What is no vector of the model's dimensions counts as one of zeros,
// similar to nothing.
func (x *Index) Add(item record.ItemID, text string, v vector.Vector) {
	if _, known := x.places[item]; known {
		return
	}
	if !v.Valid(x.vectors.Dims()) {
		v = make(vector.Vector, x.vectors.Dims())
	}
	place := x.vectors.Add(v)
	x.places[item] = place
	reading := x.asked.takeReading(text)
	x.asked.keep(place, reading)
	x.entries = append(x.entries, entry{item, text, short(reading)})
	x.texts += len(text)
}

func short(r *cluster.Reading) (s [16]byte) {
	full := r.Signature()
	copy(s[:], full[:])
	return s
}

// Remove takes an item out: its founding text was erased.
func (x *Index) Remove(item record.ItemID) {
	if place, known := x.places[item]; known {
		x.vectors.Remove(place)
		delete(x.places, item)
		x.removed = append(x.removed, place)
		x.asked = asking{} // it may hold this place
	}
}

// Mark makes what was added and removed so far stay: a transaction was committed.
func (x *Index) Mark() {
	x.mark, x.removed, x.asked = x.vectors.Len(), x.removed[:0], asking{}
}

// Rollback forgets what was added and removed since the mark: a transaction failed.
func (x *Index) Rollback() {
	for _, e := range x.entries[x.mark:] {
		delete(x.places, e.item)
		x.texts -= len(e.text)
	}
	for _, place := range x.removed { // after the deletions: an item may have been removed and added again
		if place < x.mark {
			x.vectors.Restore(place)
			x.places[x.entries[place].item] = place
		}
	}
	x.entries = x.entries[:x.mark]
	x.vectors.Cut(x.mark)
	x.removed, x.asked = x.removed[:0], asking{}
}

// Similar returns the items whose founding text is similar to a text of vector v:
// all that it may join or is the rival of, and the [MaxRefused] most similar that
// the gate refused. Best first, ties by the lower item id.
func (x *Index) Similar(text string, v vector.Vector) []cluster.Candidate {
	if !v.Valid(x.vectors.Dims()) {
		return nil
	}
	q := x.question(text, v)
	x.bring(q)
	if len(q.hits) == 0 {
		return nil
	}
	var found []cluster.Candidate
	refused := 0
	for _, h := range q.hits {
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

// worthJudging leaves out, best first, the hits that the gate refuses by their
// signature and that are not among the best: in a space of near-identical facts they
// are nearly all.
func (x *Index) worthJudging(hits []vector.Hit, hard [16]byte) []vector.Hit {
	var same, others []vector.Hit
	for _, h := range hits {
		if x.entries[h.Place].hard == hard {
			same = append(same, h)
			continue
		}
		if len(others) == MaxRefused && x.compare(h, others[MaxRefused-1]) > 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(others, h, x.compare)
		others = slices.Insert(others, at, h)[:min(len(others)+1, MaxRefused)]
	}
	all := append(same, others...)
	slices.SortFunc(all, x.compare)
	return all
}

// compare orders hits, best first, ties by the lower item id.
func (x *Index) compare(a, b vector.Hit) int {
	if c := cmp.Compare(b.Similarity, a.Similarity); c != 0 {
		return c
	}
	p, q := x.entries[a.Place].item, x.entries[b.Place].item
	return slices.Compare(p[:], q[:])
}
