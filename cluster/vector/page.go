package vector

import "slices"

// pageItems is how many places lie in one piece of memory, a multiple of those of a
// chunk: an index that grows copies none of the pages that are full.
const pageItems = 2 * chunk * block

// page holds the vectors of some places, and what most of them are skipped by.
type page struct {
	rows    []int8    // dims for each place
	norms2  []int32   // exact
	removed []uint64  // bits
	heads   [2][]byte // what a depth has besides: for each block of places, for each group of four values, four bytes of each place
	sizes   [2][]size // of whole blocks, for each depth
}

// add stores a vector at the next place.
func (p *page) add(v Vector, s shape) {
	place := len(p.norms2)
	p.rows = append(p.rows, v...)
	p.norms2 = append(p.norms2, v.Norm2())
	if place%64 == 0 {
		p.removed = append(p.removed, 0)
	}
	if place%block == 0 {
		for i, width := range s.widths {
			p.heads[i] = append(p.heads[i], slices.Repeat([]byte{offset}, width*block)...)
			p.sizes[i] = append(p.sizes[i], make([]size, block)...)
		}
	}
	s.put(p, place, v)
}

// cut forgets the places from n on.
func (p *page) cut(n int, s shape) {
	for place := n; place < len(p.norms2); place++ {
		p.removed[place/64] &^= 1 << (place % 64)
		s.put(p, place, nil)
	}
	blocks := (n + block - 1) / block
	p.rows, p.norms2, p.removed = p.rows[:n*s.dims], p.norms2[:n], p.removed[:(n+63)/64]
	for i, width := range s.widths {
		p.heads[i] = p.heads[i][:blocks*block*width]
		p.sizes[i] = p.sizes[i][:blocks*block]
	}
}

// snapshot is the page with its first n places, in the same memory but for the bits.
func (p *page) snapshot(n int, s shape) *page {
	q := &page{rows: p.rows[:n*s.dims], norms2: p.norms2[:n], removed: slices.Clone(p.removed[:(n+63)/64])}
	for i, width := range s.widths {
		places := (n + block - 1) / block * block
		q.heads[i], q.sizes[i] = p.heads[i][:places*width], p.sizes[i][:places]
	}
	return q
}

// row is the vector at a place.
func (p *page) row(place, dims int) Vector {
	return Vector(p.rows[place*dims : (place+1)*dims : (place+1)*dims])
}

// live reports a place that holds a vector that was not removed.
func (p *page) live(place int) bool {
	return place < len(p.norms2) && p.removed[place/64]>>(place%64)&1 == 0
}
