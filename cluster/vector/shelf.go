package vector

import "math/bits"

// ShelfLen is how many vectors a [Shelf] holds at most.
const ShelfLen = 4096

// Shelf holds vectors of one number of dimensions and finds those that are most similar
// to a query: whoever asks raises the floor with what it finds. Places count from 0 in
// the order of Add. It is safe for concurrent searches, not with Add and Remove.
//
// The bound is that of a sketch, and so are its lengths. But no value is kept twice:
// the values of a vector lie in parts, of which a later one is read only where the ones
// before it cannot skip a block of vectors, and which give the product together.
type Shelf struct {
	shape  shape   // of which a shelf takes the dimensions and the lengths
	norms2 []int32 // exact; 0 for what was removed
	parts  []part
}

// part is some values of all vectors. They lie as in the heads of a sketch.
type part struct {
	from, to int // dimensions, filled up to whole pairs of groups
	heads    []byte
	sizes    []size // what is not in the parts up to this one is the tail; the last part, after which there is none, has those of the first
}

// cuts are where the parts of a vector end, in eighths. Reading memory is what takes
// the time. Under the built-in model, at the floor of the best 64 of a million texts
// that people's sentences were cut for, these skip 73, 96 and 99.8 of 100 blocks; at
// the floor of the best 512, 18, 64 and 97.
var cuts = [...]int{3, 4, 6, 8}

const (
	// firstRoom is for how many vectors a shelf has room at first.
	firstRoom = 64
	// batch is the number of blocks whose first part stays in the second-level cache.
	batch = 64
)

// NewShelf makes a shelf for vectors of dims values, at most [MaxDims].
func NewShelf(dims int) *Shelf {
	s := &Shelf{shape: newShape(dims)}
	from := 0
	for _, eighths := range cuts {
		if to := wholePairs(dims * eighths / 8); to > from {
			s.parts = append(s.parts, part{from: from, to: to})
			from = to
		}
	}
	return s
}

// wholePairs is n values with those that fill up the last pair of groups.
func wholePairs(n int) int { return (n + pairDims - 1) / pairDims * pairDims }

// ShelfSize is how many bytes a shelf with n vectors of dims values takes.
func ShelfSize(dims, n int) int {
	return room(n) * (wholePairs(dims) + 4*max(1, len(NewShelf(dims).parts)-1) + 4)
}

// room is for how many vectors a shelf with n of them has room: the few of a small
// space do not take a whole one.
func room(n int) int {
	if n == 0 {
		return 0
	}
	return max(firstRoom, 1<<bits.Len(uint(n-1)))
}

// Len is the number of places, removed ones included.
func (s *Shelf) Len() int { return len(s.norms2) }

// Add stores a vector at the next place. It panics if the vector is not valid for
// this shelf or the shelf is full: the caller checks both.
func (s *Shelf) Add(v Vector) {
	if !v.Valid(s.shape.dims) || s.Len() == ShelfLen {
		panic("vector: not a vector for this shelf")
	}
	place := s.Len()
	if place == cap(s.norms2) {
		s.grow(room(place + 1))
	}
	whole := v.Norm2()
	s.norms2 = append(s.norms2, whole)
	rest := whole
	for i := range s.parts {
		p := &s.parts[i]
		values := p.of(v)
		interleave(p.heads, p.width(), place, values)
		rest -= values.Norm2()
		if s.sized(i) {
			p.sizes[place] = size{tail: s.shape.lengthUp(rest), norm: s.shape.length(whole)}
		}
	}
}

// sized reports whether a part has sizes of its own.
func (s *Shelf) sized(i int) bool { return i == 0 || i < len(s.parts)-1 }

// grow makes room for n vectors.
func (s *Shelf) grow(n int) {
	s.norms2 = append(make([]int32, 0, n), s.norms2...)
	for i := range s.parts {
		p := &s.parts[i]
		heads := make([]byte, n*p.width())
		for at := copy(heads, p.heads); at < len(heads); at++ {
			heads[at] = offset // no value
		}
		p.heads = heads
		if s.sized(i) {
			p.sizes = append(make([]size, 0, n), p.sizes...)[:n]
		} else {
			p.sizes = s.parts[0].sizes
		}
	}
}

func (p *part) width() int { return p.to - p.from }

// of are the values of a vector that the part has, without those that fill it up.
func (p *part) of(v Vector) Vector { return v[min(p.from, len(v)):min(p.to, len(v))] }

// Remove makes a place be found no more.
func (s *Shelf) Remove(place int) { s.norms2[place] = 0 }

// Query is a vector that shelves of its dimensions are searched for. It is safe for
// concurrent use.
type Query struct {
	norm2  int32
	norm   int16    // rounded down
	values [][]int8 // for each part, filled up with zeros
	terms  []term   // for each part, without what a hit needs
}

// NewQuery prepares a search for a vector of dims values. It panics if it has others.
func NewQuery(dims int, v Vector) *Query {
	if !v.Valid(dims) {
		panic("vector: not a query")
	}
	s := NewShelf(dims)
	q := &Query{norm2: v.Norm2()}
	q.norm = s.shape.length(q.norm2)
	rest := q.norm2
	for i := range s.parts {
		p := &s.parts[i]
		values := append(make([]int8, 0, p.width()), p.of(v)...)[:p.width()]
		rest -= Vector(values).Norm2()
		t := term{tail: s.shape.lengthUp(rest)}
		for _, x := range values {
			t.bias -= offset * int32(x)
		}
		q.values, q.terms = append(q.values, values), append(q.terms, t)
	}
	return q
}

// Norm2 is the sum of squares.
func (q *Query) Norm2() int32 { return q.norm2 }
