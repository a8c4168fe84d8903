package vector

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The kernels equal the reference, bit for bit.
func TestKernelsEqualReference(t *testing.T) {
	if !wide {
		t.Skip("this processor has no AVX2")
	}
	r := rand.New(rand.NewPCG(5, 5))
	for _, dims := range dimensions {
		all := sample(r, 333, dims)
		index := NewIndex(dims)
		for _, v := range all {
			index.Add(v)
		}
		for range 50 {
			first := r.IntN(len(all) - 4)
			queries := all[first : first+1+r.IntN(together)]
			if a, b := all[r.IntN(len(all))], queries[0]; dot(a, b) != dotPortable(a, b) {
				t.Fatalf("%d dimensions: products differ", dims)
			}
			s := &index.sketch
			p := s.pass(queries, 1+r.Int32N(Million))
			var fast, slow [together * chunk]byte
			n := len(s.sizes[0]) / block
			s.skip(p, 0, n, fast[:])
			scanPortable(s.heads[0], s.sizes[0], p, s.short, 2*s.places, slow[:])
			for q := range queries {
				if !slices.Equal(fast[q*chunk:q*chunk+n], slow[q*chunk:q*chunk+n]) {
					t.Fatalf("%d dimensions: masks of the short heads differ", dims)
				}
			}
			if s.more > 0 {
				longHeadsEqualReference(t, s, p)
			}
		}
	}
}

func longHeadsEqualReference(t *testing.T, s *sketch, p *pass) {
	t.Helper()
	for b := range len(s.sizes[0]) / block {
		var fast, slow [together * chunk]byte
		for q := range together {
			fast[q*chunk], slow[q*chunk] = 0b11011011, 0b11011011
		}
		at := b * block
		boundPortable(s.heads[0][at*s.short:(at+block)*s.short], s.heads[1][at*s.more:(at+block)*s.more],
			s.sizes[1][at:at+block], p, 2*s.places, slow[:])
		if s.long(p, b, fast[:]); fast != slow {
			t.Fatal("masks of the long heads differ")
		}
	}
}
