package vector

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The kernel of a shelf equals the reference, bit for bit, and so does what a search
// finds without it.
func TestSumEqualsReference(t *testing.T) {
	if !wide {
		t.Skip("this processor has no AVX2")
	}
	r := rand.New(rand.NewPCG(8, 8))
	for _, dims := range dimensions {
		all := shelved(r, 400, dims)
		s := NewShelf(dims)
		for _, v := range all {
			s.Add(v)
		}
		blocks := s.Len() / block
		fast, slow := make([]int32, blocks*block), make([]int32, blocks*block)
		for range 20 {
			q := NewQuery(dims, all[r.IntN(len(all))])
			clear(fast)
			clear(slow)
			for i := range s.parts {
				p, term := &s.parts[i], q.terms[i]
				term.need = needed(q.norm, r.Int32N(Million))
				a, b := slices.Repeat([]byte{0xdb}, blocks), slices.Repeat([]byte{0xdb}, blocks)
				sum(p.heads[:blocks*block*p.width()], p.sizes[:blocks*block], q.values[i], &term, 2*s.shape.places, fast, a)
				sumPortable(p.heads[:blocks*block*p.width()], p.sizes[:blocks*block], q.values[i], &term, 2*s.shape.places, slow, b)
				if !slices.Equal(fast, slow) || !slices.Equal(a, b) {
					t.Fatalf("%d dimensions: part %d differs", dims, i)
				}
			}
		}
		v := all[0]
		want := nearest(s, dims, v, 50)
		wide = false
		got := nearest(s, dims, v, 50)
		if wide = true; !slices.Equal(got, want) {
			t.Fatalf("%d dimensions: other vectors are the nearest", dims)
		}
	}
}
