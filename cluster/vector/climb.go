package vector

import "math/bits"

// Search calls found for every vector whose similarity with the query is at least
// floor ppm, and above 0, by ascending place. found returns the floor from there on,
// which MUST NOT fall.
func (s *Shelf) Search(q *Query, floor int32, found func(place int, similarity int32) int32) {
	if q.norm2 == 0 {
		return
	}
	c := climb{shelf: s, query: q, floor: floor, found: found}
	blocks := (s.Len() + block - 1) / block
	for first := 0; first < blocks; first += batch {
		c.batch(first, min(batch, blocks-first))
	}
}

// climb is a search under way, whose floor rises.
type climb struct {
	shelf *Shelf
	query *Query
	floor int32
	found func(place int, similarity int32) int32
	sums  [batch * block]int32 // products of the parts so far
	masks [batch]byte          // a bit for each vector that could not be skipped so far
}

// batch searches n blocks.
func (c *climb) batch(first, n int) {
	clear(c.sums[:n*block])
	for b := range n {
		c.masks[b] = 0xff
	}
	for i := range c.shelf.parts {
		for b := 0; b < n; b++ {
			run := c.run(b, n)
			if run > b {
				c.take(i, first, b, run-b)
			}
			b = run
		}
	}
	for b := range n {
		for mask := uint(c.masks[b]); mask != 0; mask &= mask - 1 {
			item := bits.TrailingZeros(mask)
			c.compare((first+b)*block+item, c.sums[b*block+item])
		}
	}
}

// run is where the run of blocks from b on ends that could not be skipped, at most n.
func (c *climb) run(b, n int) int {
	for b < n && c.masks[b] != 0 {
		b++
	}
	return b
}

// take takes a part of n blocks of the batch that begins at block first, from its
// block b on.
func (c *climb) take(i, first, b, n int) {
	t := c.query.terms[i]
	t.need = needed(c.query.norm, c.floor)
	p, at := &c.shelf.parts[i], (first+b)*block
	end := at + n*block
	sum(p.heads[at*p.width():end*p.width()], p.sizes[at:end], c.query.values[i], &t, 2*c.shelf.shape.places,
		c.sums[b*block:(b+n)*block], c.masks[b:b+n])
}

// compare is the exact test.
func (c *climb) compare(place int, product int32) {
	if place >= c.shelf.Len() {
		return // the last block is not full
	}
	if s := Similarity(product, c.query.norm2, c.shelf.norms2[place]); s > 0 && s >= c.floor {
		c.floor = c.found(place, s)
	}
}
