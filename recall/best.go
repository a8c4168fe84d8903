package recall

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"

	"consilience/cluster/vector"
)

// best are the items most similar to a query, best first, ties by the lower number.
// What it ends with does not depend on the order in which they are found. It is safe
// for concurrent use.
type best struct {
	query *vector.Query
	most  int
	floor atomic.Int32 // what is less similar is not among the best

	mu    sync.Mutex
	found []Similar
}

func newBest(query *vector.Query, most int) *best {
	return &best{query: query, most: most, found: make([]Similar, 0, most+1)}
}

// take keeps an item if it is among the best, and returns the floor.
func (b *best) take(s Similar) int32 {
	b.mu.Lock()
	defer b.mu.Unlock()
	at, _ := slices.BinarySearchFunc(b.found, s, compareSimilar)
	if at == b.most {
		return b.floor.Load()
	}
	b.found = slices.Insert(b.found, at, s)
	if len(b.found) > b.most {
		b.found = b.found[:b.most]
	}
	if len(b.found) == b.most {
		b.floor.Store(int32(b.found[b.most-1].Score))
	}
	return b.floor.Load()
}

func compareSimilar(a, b Similar) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Item, b.Item))
}
