package recall

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"consilience/cluster/vector"
)

const testDims = 40

// randomVectors has many equals, some of zeros, and some that point away.
func randomVectors(r *rand.Rand, n int) []vector.Vector {
	all := make([]vector.Vector, n)
	for i := range all {
		if i > 2 && r.IntN(3) == 0 {
			all[i] = all[r.IntN(i)]
			continue
		}
		all[i] = make(vector.Vector, testDims)
		for d := range all[i] {
			all[i][d] = int8(r.IntN(4*(i%8+1)) - i%8) // the eighth are short, every eighth are zeros or small
		}
	}
	return all
}

// The best are those that sorting all of them gives, across shelves, whatever the
// order in which they are found; what was removed is not among them.
func TestBestAreExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	all := randomVectors(r, 2*vector.ShelfLen+17)
	x := vectors{dims: testDims}
	for i, v := range all {
		if err := x.take(Embedded{Item: int64(2 * i), Text: i%5 != 0, Vector: v}); err != nil {
			t.Fatal(err)
		}
	}
	x.remove(4)
	x.remove(5) // is not there
	for _, most := range []int{1, 7, 512, 20_000} {
		v := all[r.IntN(len(all))]
		var naive []Similar
		for i, other := range all {
			score := int64(vector.Similarity(vector.Dot(v, other), v.Norm2(), other.Norm2()))
			if i%5 != 0 && i != 2 && score > 0 {
				naive = append(naive, Similar{Item: int64(2 * i), Score: score})
			}
		}
		query := vector.NewQuery(testDims, v)
		shuffled := newBest(query, most)
		for _, place := range r.Perm(len(naive)) {
			shuffled.take(naive[place])
		}
		slices.SortFunc(naive, compareSimilar)
		naive = naive[:min(most, len(naive))]
		b := newBest(query, most)
		if x.search(b); !slices.Equal(b.found, naive) {
			t.Errorf("the best %d are others", most)
		}
		if !slices.Equal(shuffled.found, naive) {
			t.Errorf("the best %d depend on the order", most)
		}
	}
	if err := x.take(Embedded{Item: 1 << 40, Text: true}); err != errUnembedded || x.after == 1<<40 {
		t.Errorf("a text without an embedding is passed over: %v", err)
	}
}

// BenchmarkSearch is the search of 250,000 vectors of the built-in model's size, whose
// first values are largest, as its are.
func BenchmarkSearch(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	x := vectors{dims: 256}
	v := make(vector.Vector, 256)
	for i := range 250_000 {
		for d := range v {
			v[d] = int8(r.IntN(127)-63) / int8(1+d/32)
		}
		x.add(int64(i), v)
	}
	for _, most := range []int{64, 512} {
		b.Run(strconv.Itoa(most), func(b *testing.B) {
			for b.Loop() {
				x.search(newBest(vector.NewQuery(256, v), most))
			}
		})
	}
}
