package vector

import "math/bits"

// Index holds vectors of one number of dimensions and finds all that are similar to
// a query. Places count from 0 in the order of Add. It is not safe for concurrent
// use with Add, Remove and Cut.
type Index struct {
	shape  shape
	pages  []*page // all but the last one are full
	length int
}

// NewIndex makes an index for vectors of dims values, at most [MaxDims].
func NewIndex(dims int) *Index { return &Index{shape: newShape(dims)} }

// Len is the number of places, removed ones included.
func (x *Index) Len() int { return x.length }

// ItemSize is how many bytes a place takes.
func (x *Index) ItemSize() int { return x.shape.dims + x.shape.head() + 12 }

// Dims is the number of dimensions.
func (x *Index) Dims() int { return x.shape.dims }

// Add stores a vector and returns its place. It panics if the vector is not valid
// for this index: the caller checks what comes from outside.
func (x *Index) Add(v Vector) int {
	if !v.Valid(x.shape.dims) {
		panic("vector: not a vector of this index")
	}
	place := x.length
	if place/pageItems == len(x.pages) {
		x.pages = append(x.pages, &page{})
	}
	x.pages[place/pageItems].add(v, x.shape)
	x.length++
	return place
}

// Remove makes a place be found no more.
func (x *Index) Remove(place int) {
	x.pages[place/pageItems].removed[place%pageItems/64] |= 1 << (place % 64)
}

// Restore undoes Remove.
func (x *Index) Restore(place int) {
	x.pages[place/pageItems].removed[place%pageItems/64] &^= 1 << (place % 64)
}

// Cut forgets all places from n on.
func (x *Index) Cut(n int) {
	full := n / pageItems
	if full < len(x.pages) {
		x.pages[full].cut(n%pageItems, x.shape)
		x.pages = x.pages[:full+1]
	}
	x.length = n
}

// Snapshot is the index as it was with n places: what happens to this one does not
// change it, if n is a multiple of 64 and places before it are never cut.
func (x *Index) Snapshot(n int) *Index {
	s := &Index{shape: x.shape, length: n}
	for number := 0; number*pageItems < n; number++ {
		s.pages = append(s.pages, x.pages[number].snapshot(min(n-number*pageItems, pageItems), x.shape))
	}
	return s
}

// Row is the vector at a place. It MUST NOT be changed.
func (x *Index) Row(place int) Vector {
	return x.pages[place/pageItems].row(place%pageItems, x.shape.dims)
}

// Search returns, for each query, all stored vectors from place from on whose
// similarity is at least threshold ppm, by ascending place. A query of zeros has no
// hits, and a threshold below 1 counts as 1.
func (x *Index) Search(queries []Vector, threshold int32, from int) [][]Hit {
	hits, floors := make([][]Hit, len(queries)), make([]int32, len(queries))
	for i := range floors {
		floors[i] = threshold
	}
	x.Scan(queries, floors, from, x.length, func(query int, h Hit) { hits[query] = append(hits[query], h) })
	return hits
}

// Similarity is that of a stored vector and one of squared length norm2, if it is at
// least floor ppm.
func (x *Index) Similarity(v Vector, norm2 int32, place int, floor int32) (similarity int32, ok bool) {
	in := x.pages[place/pageItems]
	if !in.live(place % pageItems) {
		return 0, false
	}
	similarity = Similarity(dot(v, in.row(place%pageItems, x.shape.dims)), norm2, in.norms2[place%pageItems])
	return similarity, similarity >= max(1, floor)
}

// root is the square root of n, rounded down.
func root(n int32) int32 {
	if n <= 0 {
		return 0
	}
	r := int32(1) << ((bits.Len32(uint32(n)) + 1) / 2)
	for {
		next := (r + n/r) / 2
		if next >= r {
			return r
		}
		r = next
	}
}

// rootUp is the square root of n, rounded up.
func rootUp(n int32) int32 {
	r := root(n)
	if r*r < n {
		r++
	}
	return r
}
