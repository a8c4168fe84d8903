package vector

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// At the largest values and numbers of dimensions, where lanes and bounds are fullest,
// a vector is found at exactly its similarity and not one millionth above.
func TestSearchAtTheEdge(t *testing.T) {
	for _, dims := range []int{1, 7, 33, 63, 97, 127, MaxDims - 1, MaxDims} {
		r := rand.New(rand.NewPCG(8, uint64(dims)))
		all := []Vector{make(Vector, dims), extreme(dims, Peak), extreme(dims, -Peak)}
		for len(all) < small+9 {
			all = append(all, signs(r, dims, r.IntN(4)))
		}
		index := NewIndex(dims)
		for _, v := range all {
			index.Add(v)
		}
		for range 12 {
			q, v := all[r.IntN(len(all))], all[r.IntN(len(all))]
			s := Similarity(Dot(q, v), q.Norm2(), v.Norm2())
			for _, threshold := range []int32{1, s, min(s+1, Million), Million} {
				want := byDefinition(q, all, max(1, threshold))
				if got := placesOf(index.Search([]Vector{q}, threshold, 0)[0]); !slices.Equal(got, want) {
					t.Fatalf("%d dimensions, threshold %d: %v, want %v", dims, threshold, got, want)
				}
			}
		}
	}
}

// signs is a vector of the largest values, one of so many of other sign, and none for 0.
func signs(r *rand.Rand, dims, other int) Vector {
	v := extreme(dims, Peak)
	for d := range v {
		switch {
		case other > 0 && r.IntN(other+1) == 0:
			v[d] = -Peak
		case r.IntN(40) == 0:
			v[d] = int8(r.IntN(2*Peak+1) - Peak)
		}
	}
	return v
}
