package vector

import "math/bits"

// Index holds vectors of one number of dimensions and finds all that are similar to
// a query. Places count from 0 in the order of Add. It is not safe for concurrent
// use with Add, Remove and Cut.
type Index struct {
	dims    int
	rows    []int8  // dims for each place
	norms2  []int32 // exact
	removed []uint64
	sketch  sketch
}

// Hit is a stored vector that is similar enough.
type Hit struct {
	Place      int
	Similarity int32 // ppm, rounded down
}

// NewIndex makes an index for vectors of dims values, at most [MaxDims].
func NewIndex(dims int) *Index { return &Index{dims: dims, sketch: newSketch(dims)} }

// Len is the number of places, removed ones included.
func (x *Index) Len() int { return len(x.norms2) }

// ItemSize is how many bytes a place takes.
func (x *Index) ItemSize() int { return x.dims + 4 + x.sketch.short + x.sketch.more + 8 }

// Dims is the number of dimensions.
func (x *Index) Dims() int { return x.dims }

// Add stores a vector and returns its place. It panics if the vector is not valid
// for this index: the caller checks what comes from outside.
func (x *Index) Add(v Vector) int {
	if !v.Valid(x.dims) {
		panic("vector: not a vector of this index")
	}
	place := x.Len()
	x.rows = append(x.rows, v...)
	x.norms2 = append(x.norms2, v.Norm2())
	if place%64 == 0 {
		x.removed = append(x.removed, 0)
	}
	x.sketch.add(place, v)
	return place
}

// Remove makes a place be found no more.
func (x *Index) Remove(place int) { x.removed[place/64] |= 1 << (place % 64) }

// Restore undoes Remove.
func (x *Index) Restore(place int) { x.removed[place/64] &^= 1 << (place % 64) }

// Cut forgets all places from n on.
func (x *Index) Cut(n int) {
	x.rows = x.rows[:n*x.dims]
	x.norms2 = x.norms2[:n]
	for place := n; place < (n+63)/64*64; place++ {
		if place/64 < len(x.removed) {
			x.Restore(place)
		}
	}
	x.removed = x.removed[:(n+63)/64]
	x.sketch.cut(n)
}

// Row is the vector at a place. It MUST NOT be changed.
func (x *Index) Row(place int) Vector {
	return Vector(x.rows[place*x.dims : (place+1)*x.dims : (place+1)*x.dims])
}

// Search returns, for each query, all stored vectors from place from on whose
// similarity is at least threshold ppm, by ascending place. A query of zeros has no
// hits, and a threshold below 1 counts as 1.
func (x *Index) Search(queries []Vector, threshold int32, from int) [][]Hit {
	threshold = max(1, min(threshold, Million))
	hits := make([][]Hit, len(queries))
	if x.Len()-from < small {
		for i, q := range queries {
			hits[i] = x.each(q, threshold, from)
		}
		return hits
	}
	x.sketch.scan(queries, threshold, from, func(query, place int) {
		if hit, ok := x.compare(queries[query], place, threshold); ok && place >= from {
			hits[query] = append(hits[query], hit)
		}
	})
	return hits
}

// small is the number of places below which the sketch does not pay.
const small = 64

func (x *Index) each(q Vector, threshold int32, from int) []Hit {
	var hits []Hit
	for place := from; place < x.Len(); place++ {
		if hit, ok := x.compare(q, place, threshold); ok {
			hits = append(hits, hit)
		}
	}
	return hits
}

// compare is the exact test.
func (x *Index) compare(q Vector, place int, threshold int32) (Hit, bool) {
	if place >= x.Len() || x.removed[place/64]>>(place%64)&1 == 1 {
		return Hit{}, false
	}
	d := dot(q, x.Row(place))
	if d <= 0 {
		return Hit{}, false
	}
	q2, n2 := q.Norm2(), x.norms2[place]
	if !atLeast(d, q2, n2, threshold) {
		return Hit{}, false
	}
	return Hit{place, Similarity(d, q2, n2)}, true
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
