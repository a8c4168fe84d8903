package vector

import (
	"encoding/binary"
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
// needs, a vector is skipped only if it is no hit, in integers throughout.
type sketch struct {
	head   int    // values of a head, a multiple of pairDims
	shift  uint   // binary places of need, see query
	heads  []byte // for each block of items, for each group of four values, four bytes of each item
	tails  []int32
	norms  []int32
	length int
}

const (
	headDims = 96 // measured: fewer let more candidates pass than they save
	block    = 8  // items whose values lie together
	group    = 4  // values of an item that lie together
	pairDims = 2 * group
	together = 4 // queries of one pass
	offset   = 64
	// chunk is the number of blocks that fit the second-level cache with their heads.
	chunk = 256
)

func newSketch(dims int) sketch {
	head := min(headDims, (dims+pairDims-1)/pairDims*pairDims)
	return sketch{head: head, shift: uint(30 - bits.Len(uint(2*Peak*Peak*dims)))}
}

// add stores what place needs; places come in order.
func (s *sketch) add(place int, v Vector) {
	if place%block == 0 {
		empty := make([]byte, s.head*block)
		for i := range empty {
			empty[i] = offset
		}
		s.heads = append(s.heads, empty...)
		s.tails = append(s.tails, make([]int32, block)...)
		s.norms = append(s.norms, make([]int32, block)...)
	}
	s.length = place + 1
	s.put(place, v)
}

func (s *sketch) put(place int, v Vector) {
	head := v[:min(s.head, len(v))]
	at := place/block*block*s.head + place%block*group
	for i, x := range head {
		s.heads[at+i/group*group*block+i%group] = byte(int(x) + offset)
	}
	s.tails[place] = rootUp(v.Norm2() - head.Norm2())
	s.norms[place] = root(v.Norm2())
}

// cut forgets the places from n on.
func (s *sketch) cut(n int) {
	blocks := (n + block - 1) / block
	s.heads, s.tails, s.norms = s.heads[:blocks*block*s.head], s.tails[:blocks*block], s.norms[:blocks*block]
	s.length = n
	for place := n; place < blocks*block; place++ {
		s.put(place, make(Vector, s.head))
	}
}

// pass is up to four queries as the kernels take them.
type pass struct {
	values []int8 // for each pair of groups, for each query, both groups repeated for each item
	terms  [together]term
}

// term is what a query adds to the bound.
type term struct {
	bias int32 // what the offset of the heads adds to the product
	tail int32 // length of the tail, rounded up
	need int32 // what a stored vector of length one needs, times 2^shift, rounded down
}

func (s *sketch) pass(queries []Vector, threshold int32) *pass {
	p := &pass{values: make([]int8, s.head*together*block)}
	for q, v := range queries {
		head := v[:min(s.head, len(v))]
		for i, x := range head {
			at := i/pairDims*together*2*group*block + q*2*group*block + i%pairDims/group*group*block + i%group
			for item := range block {
				p.values[at+item*group] = x
			}
			p.terms[q].bias += offset * int32(x)
		}
		p.terms[q].tail = rootUp(v.Norm2() - head.Norm2())
		p.terms[q].need = int32(uint64(root(v.Norm2())) << s.shift * uint64(threshold) / Million)
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
	blocks := len(s.tails) / block
	for first := from / block; first < blocks; first += chunk {
		n := min(chunk, blocks-first)
		for g, p := range passes {
			s.kernel(p, first, n, masks[:])
			for q := range min(together, len(queries)-g*together) {
				places(masks[q*chunk:q*chunk+n], first*block, func(place int) { candidate(g*together+q, place) })
			}
		}
	}
}

// kernel sets, for each query and each of n blocks, a bit for each item that cannot
// be skipped.
func (s *sketch) kernel(p *pass, first, n int, masks []byte) {
	heads := s.heads[first*block*s.head : (first+n)*block*s.head]
	tails, norms := s.tails[first*block:(first+n)*block], s.norms[first*block:(first+n)*block]
	scan(heads, tails, norms, p, s.head, s.shift, masks)
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
