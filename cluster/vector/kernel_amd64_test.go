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
			n := len(s.tails) / block
			s.kernel(p, 0, n, fast[:])
			scanPortable(s.heads, s.tails, s.norms, p, s.head, s.shift, slow[:])
			for q := range queries {
				if !slices.Equal(fast[q*chunk:q*chunk+n], slow[q*chunk:q*chunk+n]) {
					t.Fatalf("%d dimensions: masks differ", dims)
				}
			}
		}
	}
}
