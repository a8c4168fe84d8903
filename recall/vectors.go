package recall

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"consilience/cluster/vector"
)

// vectors are the embeddings of a space's founding texts, in the order of its items.
// They lie on shelves: an index that grows copies none of those that are full.
type vectors struct {
	dims    int
	shelves []shelf
	after   int64 // every item up to it was looked at
}

// shelf is vectors and the items that they are of.
type shelf struct {
	*vector.Shelf
	items []int64 // ascending
}

// size is what n vectors take in memory, bytes.
func (x *vectors) size(n int) int {
	full, rest := n/vector.ShelfLen, n%vector.ShelfLen
	shelves := full
	if rest > 0 {
		shelves++
	}
	return full*vector.ShelfSize(x.dims, vector.ShelfLen) + vector.ShelfSize(x.dims, rest) + shelves*vector.ShelfLen*8
}

// len is the number of vectors, removed ones included.
func (x *vectors) len() int {
	if len(x.shelves) == 0 {
		return 0
	}
	last := len(x.shelves) - 1
	return last*vector.ShelfLen + x.shelves[last].Len()
}

// take adds an item of the store, the next one. It returns errUnembedded for a text
// that has no embedding.
func (x *vectors) take(e Embedded) error {
	if e.Text && e.Vector == nil {
		return errUnembedded
	}
	if e.Text {
		x.add(e.Item, e.Vector)
	}
	x.after = e.Item
	return nil
}

// add takes the embedding of an item above all before it. What is no vector of the
// model counts as one of zeros, which is similar to nothing.
func (x *vectors) add(item int64, v vector.Vector) {
	if !v.Valid(x.dims) {
		v = make(vector.Vector, x.dims)
	}
	if x.len()%vector.ShelfLen == 0 {
		x.shelves = append(x.shelves, shelf{vector.NewShelf(x.dims), make([]int64, 0, vector.ShelfLen)})
	}
	last := &x.shelves[len(x.shelves)-1]
	last.Add(v)
	last.items = append(last.items, item)
}

// remove makes an item similar to nothing: its founding text was erased.
func (x *vectors) remove(item int64) {
	for _, s := range x.shelves {
		if at, known := slices.BinarySearch(s.items, item); known {
			s.Remove(at)
		}
	}
}

// search offers b all vectors that may be among the best, by as many goroutines as
// there are processors, where there is work for them.
func (x *vectors) search(b *best) {
	var all sync.WaitGroup
	var next atomic.Int64
	for range min(runtime.GOMAXPROCS(0), len(x.shelves)) - 1 {
		all.Go(func() { x.searchFrom(&next, b) })
	}
	x.searchFrom(&next, b)
	all.Wait()
}

// searchFrom searches one shelf after the other that nobody has begun.
func (x *vectors) searchFrom(next *atomic.Int64, b *best) {
	for {
		i := int(next.Add(1)) - 1
		if i >= len(x.shelves) {
			return
		}
		items := x.shelves[i].items
		x.shelves[i].Search(b.query, b.floor.Load(), func(place int, similarity int32) int32 {
			return b.take(Similar{Item: items[place], Score: int64(similarity)})
		})
	}
}
