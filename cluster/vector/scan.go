package vector

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// Hit is a stored vector that is similar enough.
type Hit struct {
	Place      int
	Similarity int32 // ppm, rounded down
}

// Scan calls take for the stored vectors from place from to before place to whose
// similarity to a query is at least the query's floor, ppm, by ascending place for
// each query. It may raise the floors meanwhile: what it has no use for any more is
// then skipped. A query of zeros has no hits, and a floor below 1 counts as 1.
//
// A chunk of places meets all queries before the next one: it stays in the cache.
func (x *Index) Scan(queries []Vector, floors []int32, from, to int, take func(query int, h Hit)) {
	to = min(to, x.length)
	s := &scanning{Index: x, queries: queries, norms2: make([]int32, len(queries)), floors: floors, from: from, to: to, take: take}
	for q, v := range queries {
		s.norms2[q], floors[q] = v.Norm2(), min(max(1, floors[q]), Million)
	}
	if to-from < small {
		s.each()
		return
	}
	for some := range slices.Chunk(queries, together) {
		s.passes = append(s.passes, x.shape.pass(some))
	}
	for number := from / pageItems; number*pageItems < to; number++ {
		in := x.pages[number]
		last := (min(to-number*pageItems, pageItems) + block - 1) / block
		for first := max(0, from-number*pageItems) / block; first < last; first += chunk {
			s.chunk(in, number*pageItems, first, min(chunk, last-first))
		}
	}
}

// small is the number of places below which the sketch does not pay.
const small = 64

// scanning is a scan under way.
type scanning struct {
	*Index
	queries  []Vector
	norms2   []int32
	floors   []int32
	passes   []*pass
	from, to int
	take     func(query int, h Hit)
	list     [listed + ahead]int32 // places in a page
	dots     [listed]int32
}

// each compares all queries with all of a few places.
func (s *scanning) each() {
	for q := range s.queries {
		for place := s.from; place < s.to; place++ {
			s.list[0] = int32(place % pageItems)
			s.compare(s.pages[place/pageItems], place/pageItems*pageItems, q, 1)
		}
	}
}

// chunk looks at n blocks of a page whose first place is base.
func (s *scanning) chunk(in *page, base, first, n int) {
	var masks [together * chunk]byte
	for g, p := range s.passes {
		queries := min(together, len(s.queries)-g*together)
		p.need(s.floors[g*together:][:queries])
		s.shape.skip(p, in, p.pace.depth(), first, n, masks[:])
		left := 0
		for q := range queries {
			left += s.places(in, base, g*together+q, first*block, masks[q*chunk:][:n])
		}
		p.pace.saw(left, queries*n*block)
	}
}

// listed is how many places a chunk has, and ahead how many the kernel looks ahead.
const (
	listed = chunk * block
	ahead  = 8
)

// places compares a query with each place of a chunk that has a bit in a row of masks,
// and returns how many there are.
func (s *scanning) places(in *page, base, query, first int, masks []byte) (n int) {
	for len(masks) >= 8 {
		for word := binary.LittleEndian.Uint64(masks); word != 0; word &= word - 1 {
			s.list[n] = int32(first + bits.TrailingZeros64(word))
			n++
		}
		masks, first = masks[8:], first+8*block
	}
	for i, mask := range masks {
		for ; mask != 0; mask &= mask - 1 {
			s.list[n] = int32(first + i*block + bits.TrailingZeros8(mask))
			n++
		}
	}
	s.compare(in, base, query, n)
	return n
}

// compare is the exact test of the first n places of the list.
func (s *scanning) compare(in *page, base, query, n int) {
	for n > 0 && base+int(s.list[n-1]) >= s.to { // a block may hold fewer places than it has bits
		n--
	}
	if n == 0 {
		return
	}
	products(s.queries[query], in.rows, &s.list, s.dots[:n])
	norm2, floor, bar := s.norms2[query], s.floors[query], s.bar(query)
	for i, d := range s.dots[:n] {
		place := int(s.list[i])
		if d <= 0 || float64(d)*float64(d) < bar*float64(in.norms2[place]) || base+place < s.from || !in.live(place) {
			continue
		}
		if found := Similarity(d, norm2, in.norms2[place]); found >= floor {
			s.take(query, Hit{base + place, found})
			floor, bar = s.floors[query], s.bar(query)
		}
	}
}

// bar is what the square of a product must reach for each unit of the stored
// vector's squared length, with a margin far above what the floats are off by.
func (s *scanning) bar(query int) float64 {
	f := float64(s.floors[query]) / Million
	return f * f * float64(s.norms2[query]) * (1 - 1e-9)
}
