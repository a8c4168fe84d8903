package vector

import "math"

// Most stored vectors are skipped by their sketch: their first values, the head, and
// how long the rest is, the tail.
//
// The bound: the inner product of two vectors is that of their heads plus that of
// their tails, and the second is at most the product of the tails' lengths (Cauchy
// and Schwarz). With lengths rounded up in this sum, and the lengths of the whole
// vectors rounded down in what a hit needs, a vector is skipped only if it is no hit,
// in integers throughout. Lengths have some binary places, and stay below 2^15; so
// products of two of them, and those of heads shifted as far, are below 2^30, and the
// bound fits 32 bits.

const (
	block    = 8 // items whose values lie together
	group    = 4 // values of an item that lie together
	pairDims = 2 * group
	together = 4 // queries of one pass
	offset   = 64
	// chunk is the number of blocks that fit the second-level cache with their heads and
	// the vectors that are looked up.
	chunk = 256
)

// widths are how many values of a head are tried, and how many more where those do not
// skip nearly all: the vectors are alike, or the threshold is low. Both are multiples of
// pairDims, and measured on sentences that people wrote, under the built-in model.
var widths = [2]int{64, 32}

// shape is what the sketches of vectors of one number of dimensions have in common.
type shape struct {
	dims   int
	widths [2]int // values that a depth has besides, multiples of pairDims
	places uint   // binary places of a length
}

func newShape(dims int) shape {
	all := (dims + pairDims - 1) / pairDims * pairDims
	places := uint(0)
	for Peak*Peak*dims<<(2*places+2) <= math.MaxInt16*math.MaxInt16 {
		places++
	}
	first := min(widths[0], all)
	return shape{dims, [2]int{first, min(widths[1], all-first)}, places}
}

// size is the lengths of the tail of a vector, rounded up, and of all of it, rounded
// down.
type size struct{ tail, norm int16 }

// head is how many values are stored of each vector.
func (s shape) head() int { return s.widths[0] + s.widths[1] }

// parts are the values that each depth has besides.
func (s shape) parts(v Vector) [2]Vector {
	first := min(s.widths[0], len(v))
	return [2]Vector{v[:first], v[first:min(s.head(), len(v))]}
}

// sizesOf are the lengths for each depth.
func (s shape) sizesOf(v Vector) (sizes [2]size) {
	whole := v.Norm2()
	norm, tail := s.length(whole), whole
	for i, part := range s.parts(v) {
		tail -= part.Norm2()
		sizes[i] = size{s.lengthUp(tail), norm}
	}
	return sizes
}

// length is a length by its square, with its binary places, rounded down.
func (s shape) length(norm2 int32) int16 { return int16(root(norm2 << (2 * s.places))) }

// lengthUp is length rounded up.
func (s shape) lengthUp(norm2 int32) int16 { return int16(rootUp(norm2 << (2 * s.places))) }

// interleave puts values of a place among those of its block, of which each place has
// width.
func interleave(heads []byte, width, place int, values Vector) {
	at := place/block*block*width + place%block*group
	for d, x := range values {
		heads[at+d/group*group*block+d%group] = byte(int(x) + offset)
	}
}

// needed is minus what a hit of a similarity in ppm needs for each unit of a stored
// vector's length, rounded down, by the length of the query.
func needed(norm int16, similarity int32) int16 {
	return -int16(int64(norm) * int64(similarity) / Million)
}

// put stores the sketch of the vector at a place of a page; nil stands for zeros.
func (s shape) put(p *page, place int, v Vector) {
	if v == nil {
		v = make(Vector, s.dims)
	}
	sizes := s.sizesOf(v)
	for i, part := range s.parts(v) {
		interleave(p.heads[i], s.widths[i], place, part)
		p.sizes[i][place] = sizes[i]
	}
}

// pass is up to four queries as the kernels take them.
type pass struct {
	values []int8            // as heads: for each pair of groups, for each query, both groups repeated for each item
	terms  [2][together]term // for each depth, for each query
	norms  [together]int16
	pace   pace
}

// term is what a query adds to the bound.
type term struct {
	bias int32 // takes back what the offset of the heads adds to the product
	tail int16 // length of the tail, rounded up
	need int16 // minus what a hit needs, for each unit of a stored vector's length, rounded down
}

// stride is how many bytes of a pass's values lie between one pair of groups and the
// next of the same query.
const stride = together * pairDims * block

func (s shape) pass(queries []Vector) *pass {
	p := &pass{values: make([]int8, s.head()/pairDims*stride)}
	for q, v := range queries {
		bias, sizes := int32(0), s.sizesOf(v)
		for i, part := range s.parts(v) {
			for d, x := range part {
				d += i * s.widths[0]
				at := d/pairDims*stride + q*pairDims*block + d%pairDims/group*group*block + d%group
				for item := range block {
					p.values[at+item*group] = x
				}
				bias -= offset * int32(x)
			}
			p.terms[i][q] = term{bias: bias, tail: sizes[i].tail}
		}
		p.norms[q] = sizes[0].norm
	}
	return p
}

// need sets what a hit needs: a similarity for each query, ppm.
func (p *pass) need(floors []int32) {
	for q, floor := range floors {
		need := needed(p.norms[q], floor)
		p.terms[0][q].need, p.terms[1][q].need = need, need
	}
}

// skip sets, for each query and each of n blocks of a page, a bit for each item that
// the bound cannot skip.
func (s shape) skip(p *pass, in *page, depth, first, n int, masks []byte) {
	from, to := first*block, (first+n)*block
	var heads [2][]byte
	for i := range depth + 1 {
		heads[i] = in.heads[i][from*s.widths[i] : to*s.widths[i]]
	}
	scan(heads, in.sizes[depth][from:to], p, &p.terms[depth], 2*s.places, masks)
}
