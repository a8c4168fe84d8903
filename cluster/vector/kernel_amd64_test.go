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
			s, in := index.shape, index.pages[0]
			p := s.pass(queries)
			floors := make([]int32, len(queries))
			for i := range floors {
				floors[i] = 1 + r.Int32N(Million)
			}
			p.need(floors)
			n := len(in.sizes[0]) / block
			for depth := range s.widths {
				var fast, slow [together * chunk]byte
				wide = true
				s.skip(p, in, depth, 0, n, fast[:])
				wide = false
				s.skip(p, in, depth, 0, n, slow[:])
				if wide = true; fast != slow {
					t.Fatalf("%d dimensions: masks of the heads differ", dims)
				}
			}
			productsEqualReference(t, r, queries[0], in)
		}
	}
}

func productsEqualReference(t *testing.T, r *rand.Rand, query Vector, in *page) {
	t.Helper()
	var places [listed + ahead]int32
	for i := range places {
		places[i] = r.Int32N(int32(len(in.norms2)))
	}
	n := 1 + r.IntN(40)
	fast, slow := make([]int32, n), make([]int32, n)
	products(query, in.rows, &places, fast)
	productsPortable(query, in.rows, &places, slow)
	if !slices.Equal(fast, slow) {
		t.Fatalf("%d dimensions: products with rows differ", len(query))
	}
}
