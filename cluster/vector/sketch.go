package vector

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
)

// A sketch is what most stored vectors can be skipped by: their first values, and
// how long the rest is.
//
// The bound: write a vector as its head and its tail. The inner product of two
// vectors is that of their heads plus that of their tails, and the second is at
// most the product of the tails' lengths (Cauchy and Schwarz). With lengths rounded
// up in this sum, and the lengths of the whole vectors rounded down in what a hit
// needs, a vector is skipped only if it is no hit, in integers throughout. Lengths
// have some binary places, and stay below 2^15; so products of two of them, and
// those of heads shifted as far, are below 2^30, and the bound fits 32 bits.
//
// It is tried twice: a short head skips most blocks of vectors, whole, and a long
// one most of what is left.
type sketch struct {
	short  int       // values of a short head, a multiple of pairDims
	more   int       // values that a long head has besides, a multiple of pairDims
	places uint      // binary places of a length
	heads  [2][]byte // short heads, and what long ones have besides: for each block of items, for each group of four values, four bytes of each item
	sizes  [2][]size // with the short head, and with the long one
	length int
}

const (
	shortDims = 64  // measured, as is longDims: at a threshold of 0.8 it leaves one block in thirty
	longDims  = 128 // it leaves one vector in 40,000; each is looked up far away in memory
	block     = 8   // items whose values lie together
	group     = 4   // values of an item that lie together
	pairDims  = 2 * group
	together  = 4 // queries of one pass
	offset    = 64
	// chunk is the number of blocks that fit the second-level cache with their heads.
	chunk = 256
)

func newSketch(dims int) sketch {
	all := (dims + pairDims - 1) / pairDims * pairDims
	short := min(shortDims, all)
	places := uint(0)
	for Peak*Peak*dims<<(2*places+2) <= math.MaxInt16*math.MaxInt16 {
		places++
	}
	return sketch{short: short, more: min(longDims, all) - short, places: places}
}

// size is the lengths of a tail and of its vector.
type size struct{ tail, norm int16 }

// parts are the values of a vector that stand in the short head, and those that the
// long one has besides.
func (s *sketch) parts(v Vector) [2]Vector {
	short := min(s.short, len(v))
	return [2]Vector{v[:short], v[short:min(s.short+s.more, len(v))]}
}

// sizesOf are the lengths of what is not in the short head, and not in the long one,
// rounded up, and of the whole vector, rounded down.
func (s *sketch) sizesOf(v Vector) (sizes [2]size) {
	whole := v.Norm2()
	norm, rest := int16(root(whole<<(2*s.places))), whole
	for i, part := range s.parts(v) {
		rest -= part.Norm2()
		sizes[i] = size{int16(rootUp(rest << (2 * s.places))), norm}
	}
	return sizes
}

func (s *sketch) widths() [2]int { return [2]int{s.short, s.more} }

// add stores what place needs; places come in order.
func (s *sketch) add(place int, v Vector) {
	if place%block == 0 {
		for i, width := range s.widths() {
			s.heads[i] = append(s.heads[i], slices.Repeat([]byte{offset}, width*block)...)
			s.sizes[i] = append(s.sizes[i], make([]size, block)...)
		}
	}
	s.length = place + 1
	s.put(place, v)
}

func (s *sketch) put(place int, v Vector) {
	sizes := s.sizesOf(v)
	for i, part := range s.parts(v) {
		at := place/block*block*s.widths()[i] + place%block*group
		for d, x := range part {
			s.heads[i][at+d/group*group*block+d%group] = byte(int(x) + offset)
		}
		s.sizes[i][place] = sizes[i]
	}
}

// cut forgets the places from n on.
func (s *sketch) cut(n int) {
	blocks := (n + block - 1) / block
	for i, width := range s.widths() {
		s.heads[i], s.sizes[i] = s.heads[i][:blocks*block*width], s.sizes[i][:blocks*block]
	}
	s.length = n
	for place := n; place < blocks*block; place++ {
		s.put(place, make(Vector, s.short+s.more))
	}
}

// pass is up to four queries as the kernels take them.
type pass struct {
	values [2][]int8         // as heads: for each pair of groups, for each query, both groups repeated for each item
	terms  [2][together]term // with the short head, and with the long one
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

func (s *sketch) pass(queries []Vector, threshold int32) *pass {
	p := &pass{}
	for i, width := range s.widths() {
		p.values[i] = make([]int8, width/pairDims*stride)
	}
	for q, v := range queries {
		bias, sizes := int32(0), s.sizesOf(v)
		need := int16(int64(sizes[0].norm) * int64(threshold) / Million)
		for i, part := range s.parts(v) {
			for d, x := range part {
				at := d/pairDims*stride + q*pairDims*block + d%pairDims/group*group*block + d%group
				for item := range block {
					p.values[i][at+item*group] = x
				}
				bias -= offset * int32(x)
			}
			p.terms[i][q] = term{bias, sizes[i].tail, -need}
		}
	}
	return p
}

// scan calls candidate for each place that a query cannot skip, from the block of
// from on, by ascending place for each query. A chunk of places meets all queries
// before the next one: it stays in the cache.
func (s *sketch) scan(queries []Vector, threshold int32, from int, candidate func(query, place int)) {
	passes := make([]*pass, 0, (len(queries)+together-1)/together)
	for group := range slices.Chunk(queries, together) {
		passes = append(passes, s.pass(group, threshold))
	}
	var masks [together * chunk]byte
	blocks := len(s.sizes[0]) / block
	for first := from / block; first < blocks; first += chunk {
		n := min(chunk, blocks-first)
		for g, p := range passes {
			s.skip(p, first, n, masks[:])
			s.narrow(p, first, n, masks[:])
			for q := range min(together, len(queries)-g*together) {
				places(masks[q*chunk:q*chunk+n], first*block, func(place int) { candidate(g*together+q, place) })
			}
		}
	}
}

// skip sets, for each query and each of n blocks, a bit for each item that the short
// head cannot skip.
func (s *sketch) skip(p *pass, first, n int, masks []byte) {
	heads := s.heads[0][first*block*s.short : (first+n)*block*s.short]
	scan(heads, s.sizes[0][first*block:(first+n)*block], p, s.short, 2*s.places, masks)
}

// narrow takes from masks the items that the long head can skip.
func (s *sketch) narrow(p *pass, first, n int, masks []byte) {
	if s.more == 0 {
		return
	}
	for b := 0; b < n; b++ {
		for b%8 == 0 && b+8 <= n && anyOf(masks, b) == 0 {
			b += 8
		}
		if b < n && masks[b]|masks[chunk+b]|masks[2*chunk+b]|masks[3*chunk+b] != 0 {
			s.long(p, first+b, masks[b:])
		}
	}
}

// anyOf is what the masks of eight blocks have for any query.
func anyOf(masks []byte, b int) (any uint64) {
	for q := range together {
		any |= binary.LittleEndian.Uint64(masks[q*chunk+b:])
	}
	return any
}

// long takes the items of a block that the long head can skip from the first byte of
// each query's row of masks.
func (s *sketch) long(p *pass, number int, masks []byte) {
	at := number * block
	bound(s.heads[0][at*s.short:(at+block)*s.short], s.heads[1][at*s.more:(at+block)*s.more],
		s.sizes[1][at:at+block], p, 2*s.places, masks)
}

// places calls place for each bit of a row of masks.
func places(masks []byte, first int, place func(int)) {
	for len(masks) >= 8 {
		if word := binary.LittleEndian.Uint64(masks); word != 0 {
			each(word, first, place)
		}
		masks, first = masks[8:], first+64
	}
	for i, m := range masks {
		each(uint64(m), first+i*block, place)
	}
}

func each(word uint64, first int, place func(int)) {
	for ; word != 0; word &= word - 1 {
		place(first + bits.TrailingZeros64(word))
	}
}
