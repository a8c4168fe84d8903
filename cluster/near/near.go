// Package near finds the items of a space that a text may join: it holds the
// founding texts of one space with their vectors of one model, searches them
// exactly and lets the gate judge what is similar. It is rule 3 of joining
// (merge.md) over the pure [cluster.Judge] and the exact [vector.Index].
//
// What it answers depends on the items it holds and on nothing else: not on the
// order in which they were added, and not on what was prepared. The tour: near.go
// holds the items, row.go those that only join each other, similar.go answers,
// by a view of the items (view.go); asked.go and readings.go remember what was found
// and read for the texts of one transaction, ahead.go searches for those of the next.
package near

import (
	"slices"
	"sync"

	"consilience/cluster"
	"consilience/cluster/vector"
	"consilience/record"
)

// MaxRefused is how many items that the gate refused are named for a text: merging
// keeps no more of them.
const MaxRefused = 8

// Index holds the founding texts of a space. It is not safe for concurrent use, but for
// [Index.Ahead].
type Index struct {
	threshold int32
	vectors   *vector.Index
	entries   []entry
	places    map[record.ItemID]int
	alike     map[[16]byte]row // by signature
	mark      int
	removed   []int // since the mark
	asked     asking
	texts     int // bytes of all founding texts

	mu       sync.Mutex // over what changes beside [Index.Ahead], and what it leaves
	ahead    map[string]*question
	removals int
}

// entry is a founding text. Its reading is made when the gate asks: a million
// readings would not fit, and few are ever asked for.
type entry struct {
	item   record.ItemID
	text   string
	hard   [16]byte
	before int32 // the place before it in the row of its signature, -1 for none
}

// New makes an index for vectors of dims values. threshold is the similarity in ppm
// from which on a text is a candidate.
func New(threshold int32, dims int) *Index {
	return &Index{threshold: threshold, vectors: vector.NewIndex(dims), places: map[record.ItemID]int{}, alike: map[[16]byte]row{}}
}

// Len is the number of items.
func (x *Index) Len() int { return len(x.places) }

// overhead is what an item takes beside its vector and its text, bytes: its id and its
// signature, twice each, and the spare room of maps and slices.
const overhead = 320

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
	reading := x.asked.takeReading(text)
	x.mu.Lock()
	place := x.vectors.Add(v)
	x.entries = append(x.entries, entry{item, text, short(reading), -1})
	x.line(place)
	x.mu.Unlock()
	x.places[item] = place
	x.asked.readings.keep(place, reading)
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
		x.mu.Lock()
		defer x.mu.Unlock()
		x.vectors.Remove(place)
		x.ahead, x.removals = nil, x.removals+1
		delete(x.places, item)
		x.removed = append(x.removed, place)
		x.asked = asking{} // it may hold this place
	}
}

// Mark makes what was added and removed so far stay: a transaction was committed.
func (x *Index) Mark() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.mark, x.removed, x.asked = x.vectors.Len(), x.removed[:0], asking{}
}

// Rollback forgets what was added and removed since the mark: a transaction failed.
func (x *Index) Rollback() {
	x.mu.Lock()
	defer x.mu.Unlock()
	for place, e := range slices.Backward(x.entries[x.mark:]) {
		delete(x.places, e.item)
		x.texts -= len(e.text)
		x.unline(x.mark + place)
	}
	for _, place := range x.removed { // after the deletions: an item may have been removed and added again
		if place < x.mark {
			x.ahead, x.removals = nil, x.removals+1 // found without it
			x.vectors.Restore(place)
			x.places[x.entries[place].item] = place
		}
	}
	x.entries = x.entries[:x.mark]
	x.vectors.Cut(x.mark)
	x.removed, x.asked = x.removed[:0], asking{}
}
