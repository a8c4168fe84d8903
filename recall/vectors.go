package recall

import (
	"cmp"
	"runtime"
	"slices"
	"sync"

	"consilience/cluster/vector"
)

// pageVectors is how many vectors lie in one piece of memory: an index that grows
// copies none of them.
const pageVectors = 4096

// vectors are the embeddings of a space's founding texts, in the order of its items.
type vectors struct {
	dims  int
	items []int64
	norms []int32 // squared; 0 is similar to nothing
	pages [][]int8
	after int64 // every item up to it was looked at
}

// size is what n more vectors take in memory, bytes.
func (x *vectors) size(n int) int { return n * (x.dims + 8 + 4) }

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
// model counts as one of zeros.
func (x *vectors) add(item int64, v vector.Vector) {
	if !v.Valid(x.dims) {
		v = make(vector.Vector, x.dims)
	}
	if len(x.items)%pageVectors == 0 {
		x.pages = append(x.pages, make([]int8, pageVectors*x.dims))
	}
	x.items, x.norms = append(x.items, item), append(x.norms, v.Norm2())
	copy(x.row(len(x.items)-1), v)
}

func (x *vectors) row(place int) vector.Vector {
	from := place % pageVectors * x.dims
	return x.pages[place/pageVectors][from : from+x.dims : from+x.dims]
}

// remove makes an item similar to nothing: its founding text was erased.
func (x *vectors) remove(item int64) {
	if at, known := slices.BinarySearch(x.items, item); known {
		x.norms[at] = 0
	}
}

// search offers every vector to b.
func (x *vectors) search(b *best) { x.offer(b, 0, len(x.items)) }

func (x *vectors) offer(b *best, from, to int) {
	for place := from; place < to; place++ {
		if x.norms[place] > 0 {
			b.offer(x.items[place], x.row(place), x.norms[place])
		}
	}
}

// searchAtOnce is search by as many goroutines as there are processors, where there is
// work for them.
func (x *vectors) searchAtOnce(b *best) {
	n := min(runtime.GOMAXPROCS(0), len(x.items)/pageVectors)
	if n < 2 {
		x.search(b)
		return
	}
	parts := make([]*best, n)
	var all sync.WaitGroup
	for i := range parts {
		parts[i] = newBest(b.query, b.most)
		all.Go(func() { x.offer(parts[i], i*len(x.items)/n, (i+1)*len(x.items)/n) })
	}
	all.Wait()
	for _, part := range parts {
		for _, f := range part.found {
			b.take(f)
		}
	}
}

// best are the items most similar to a query, best first, ties by the lower number.
// What it ends with does not depend on the order of the offers.
type best struct {
	query vector.Vector
	norm  int32
	most  int
	found []Similar
	floor float64 // an offer whose dot squared over its norm is below it is not among the best
}

func newBest(query vector.Vector, most int) *best {
	return &best{query: query, norm: query.Norm2(), most: most, found: make([]Similar, 0, most+1)}
}

func (b *best) offer(item int64, v vector.Vector, norm int32) {
	dot := vector.Dot(b.query, v)
	// The float only skips what is worse beyond its own error.
	if dot <= 0 || float64(dot)*float64(dot) < b.floor*float64(norm) {
		return
	}
	b.take(Similar{Item: item, Score: int64(vector.Similarity(dot, b.norm, norm))})
}

// take keeps an item if it is among the best.
func (b *best) take(s Similar) {
	at, _ := slices.BinarySearchFunc(b.found, s, compareSimilar)
	if s.Score == 0 || at == b.most {
		return
	}
	b.found = slices.Insert(b.found, at, s)
	if len(b.found) > b.most {
		b.found = b.found[:b.most]
	}
	if len(b.found) == b.most {
		worst := float64(b.found[b.most-1].Score) / vector.Million
		b.floor = worst * worst * float64(b.norm) * (1 - 1e-9)
	}
}

func compareSimilar(a, b Similar) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Item, b.Item))
}
