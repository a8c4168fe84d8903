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
//
// It is tried twice: a short head skips most blocks of vectors, whole, and a long
// one most of what is left.
type sketch struct {
	short  int       // values of a short head, a multiple of pairDims
	more   int       // values that a long head has besides, a multiple of pairDims
	shift  uint      // binary places of need, see query
	heads  [2][]byte // short heads, and what long ones have besides: for each block of items, for each group of four values, four bytes of each item
	tails  [2][]int32
	norms  []int32
	length int
}

const (
	shortDims = 56 // measured, as is longDims: at a threshold of 0.8 one block in fifteen is left
	longDims  = 96 // fewer let more candidates pass than they save
	block     = 8  // items whose values lie together
	group     = 4  // values of an item that lie together
	pairDims  = 2 * group
	together  = 4 // queries of one pass
	offset    = 64
	// chunk is the number of blocks that fit the second-level cache with their heads.
	chunk = 256
)

func newSketch(dims int) sketch {
	all := (dims + pairDims - 1) / pairDims * pairDims
	short := min(shortDims, all)
	return sketch{short: short, more: min(longDims, all) - short, shift: uint(30 - bits.Len(uint(2*Peak*Peak*dims)))}
}

// parts are the values of a vector that stand in the short head, and those that the
// long one has besides.
func (s *sketch) parts(v Vector) [2]Vector {
	short := min(s.short, len(v))
	return [2]Vector{v[:short], v[short:min(s.short+s.more, len(v))]}
}

// tailsOf are the lengths of what is not in the short head, and not in the long one,
// rounded up.
func (s *sketch) tailsOf(v Vector) (tails [2]int32) {
	rest := v.Norm2()
	for i, part := range s.parts(v) {
		rest -= part.Norm2()
		tails[i] = rootUp(rest)
	}
	return tails
}

func (s *sketch) widths() [2]int { return [2]int{s.short, s.more} }

// add stores what place needs; places come in order.
func (s *sketch) add(place int, v Vector) {
	if place%block == 0 {
		for i, width := range s.widths() {
			s.heads[i] = append(s.heads[i], slices.Repeat([]byte{offset}, width*block)...)
			s.tails[i] = append(s.tails[i], make([]int32, block)...)
		}
		s.norms = append(s.norms, make([]int32, block)...)
	}
	s.length = place + 1
	s.put(place, v)
}

func (s *sketch) put(place int, v Vector) {
	tails := s.tailsOf(v)
	for i, part := range s.parts(v) {
		at := place/block*block*s.widths()[i] + place%block*group
		for d, x := range part {
			s.heads[i][at+d/group*group*block+d%group] = byte(int(x) + offset)
		}
		s.tails[i][place] = tails[i]
	}
	s.norms[place] = root(v.Norm2())
}

// cut forgets the places from n on.
func (s *sketch) cut(n int) {
	blocks := (n + block - 1) / block
	for i, width := range s.widths() {
		s.heads[i], s.tails[i] = s.heads[i][:blocks*block*width], s.tails[i][:blocks*block]
	}
	s.norms = s.norms[:blocks*block]
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
	bias int32 // what the offset of the heads adds to the product
	tail int32 // length of the tail, rounded up
	need int32 // what a stored vector of length one needs, times 2^shift, rounded down
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
		bias, tails := int32(0), s.tailsOf(v)
		need := int32(uint64(root(v.Norm2())) << s.shift * uint64(threshold) / Million)
		for i, part := range s.parts(v) {
			for d, x := range part {
				at := d/pairDims*stride + q*pairDims*block + d%pairDims/group*group*block + d%group
				for item := range block {
					p.values[i][at+item*group] = x
				}
				bias += offset * int32(x)
			}
			p.terms[i][q] = term{bias, tails[i], need}
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
	blocks := len(s.norms) / block
	for first := from / block; first < blocks; first += chunk {
		n := min(chunk, blocks-first)
		for g, p := range passes {
			s.skip(p, first, n, masks[:])
			for q := range min(together, len(queries)-g*together) {
				row := masks[q*chunk : q*chunk+n]
				s.narrow(p, q, first, row)
				places(row, first*block, func(place int) { candidate(g*together+q, place) })
			}
		}
	}
}

// skip sets, for each query and each of n blocks, a bit for each item that the short
// head cannot skip.
func (s *sketch) skip(p *pass, first, n int, masks []byte) {
	heads := s.heads[0][first*block*s.short : (first+n)*block*s.short]
	tails, norms := s.tails[0][first*block:(first+n)*block], s.norms[first*block:(first+n)*block]
	scan(heads, tails, norms, p, s.short, s.shift, masks)
}

// narrow takes from one query's row of masks the items that the long head can skip.
func (s *sketch) narrow(p *pass, query, first int, row []byte) {
	if s.more == 0 {
		return
	}
	for i := 0; i < len(row); i++ {
		if i%8 == 0 {
			for len(row)-i >= 8 && binary.LittleEndian.Uint64(row[i:]) == 0 {
				i += 8
			}
			if i == len(row) {
				return
			}
		}
		if row[i] != 0 {
			row[i] &= s.long(p, query, first+i)
		}
	}
}

// long has a bit for each item of a block that the long head cannot skip.
func (s *sketch) long(p *pass, query, number int) byte {
	at := number * block
	return bound(s.heads[0][at*s.short:(at+block)*s.short], s.heads[1][at*s.more:(at+block)*s.more],
		s.tails[1][at:at+block], s.norms[at:at+block], p, query, s.shift)
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
