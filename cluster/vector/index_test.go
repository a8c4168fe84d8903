package vector

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// sample makes vectors in clusters, so that thresholds are met and just missed.
func sample(r *rand.Rand, n, dims int) []Vector {
	var out []Vector
	var centre Vector
	for i := range n {
		v := make(Vector, dims)
		if i%5 == 0 {
			for d := range v {
				v[d] = int8(r.IntN(2*Peak+1) - Peak)
			}
			centre = v
		} else {
			spread := 1 + r.IntN(2*Peak)
			for d := range v {
				v[d] = int8(max(-Peak, min(Peak, int(centre[d])+r.IntN(2*spread+1)-spread)))
			}
		}
		out = append(out, v)
	}
	return append(out, make(Vector, dims), extreme(dims, Peak), extreme(dims, -Peak))
}

func extreme(dims int, value int8) Vector {
	v := make(Vector, dims)
	for d := range v {
		v[d] = value
	}
	return v
}

// byDefinition tells hits with big integers and no bound.
func byDefinition(q Vector, all []Vector, threshold int32) []int {
	var places []int
	for place, v := range all {
		d, a, b := int64(dotPortable(q, v)), int64(dotPortable(q, q)), int64(dotPortable(v, v))
		if d <= 0 {
			continue
		}
		left := new(big.Int).Mul(big.NewInt(d), big.NewInt(Million))
		left.Mul(left, left)
		right := new(big.Int).Mul(big.NewInt(a*b), new(big.Int).Mul(big.NewInt(int64(threshold)), big.NewInt(int64(threshold))))
		if left.Cmp(right) >= 0 {
			places = append(places, place)
		}
	}
	return places
}

var dimensions = []int{1, 3, 8, 31, 64, 95, 96, 97, 256, 384, 1536}

func TestSearchFindsAllAndOnlyTheHits(t *testing.T) {
	for _, dims := range dimensions {
		r := rand.New(rand.NewPCG(1, uint64(dims)))
		all := sample(r, 140, dims)
		index := NewIndex(dims)
		for _, v := range all {
			index.Add(v)
		}
		for _, threshold := range []int32{1, 300_000, 750_000, 880_000, 999_999, Million} {
			for first := 0; first < len(all); first += 35 {
				queries := all[first:min(first+7, len(all))]
				for i, hits := range index.Search(queries, threshold, 0) {
					if want := byDefinition(queries[i], all, threshold); !slices.Equal(placesOf(hits), want) {
						t.Fatalf("%d dimensions, threshold %d: %v, want %v", dims, threshold, placesOf(hits), want)
					}
				}
			}
		}
	}
}

func placesOf(hits []Hit) []int {
	var places []int
	for _, h := range hits {
		places = append(places, h.Place)
	}
	return places
}

func TestSearchAfterRemoveRestoreAndCut(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	all := sample(r, 500, 64)
	index := NewIndex(64)
	live := map[int]bool{}
	for range 400 {
		switch r.IntN(8) {
		case 0:
			if index.Len() > 0 {
				p := r.IntN(index.Len())
				index.Remove(p)
				live[p] = false
			}
		case 1:
			if index.Len() > 0 {
				p := r.IntN(index.Len())
				index.Restore(p)
				live[p] = true
			}
		case 2:
			n := index.Len() * 9 / 10
			index.Cut(n)
		default:
			live[index.Add(all[index.Len()%len(all)])] = true
		}
		q := all[r.IntN(len(all))]
		from := r.IntN(index.Len() + 1)
		want := slices.DeleteFunc(byDefinition(q, all[:min(index.Len(), len(all))], 700_000), func(p int) bool { return !live[p] || p < from })
		if got := placesOf(index.Search([]Vector{q}, 700_000, from)[0]); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	}
}

// An index of several pages, cut and filled again across their edges, finds what one
// with only the vectors that are left finds.
func TestSearchAcrossPages(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	all := sample(r, 2*pageItems+300, 24)
	index := NewIndex(24)
	for _, v := range all {
		index.Add(v)
	}
	for _, n := range []int{len(all) - 9, 2*pageItems + 1, 2 * pageItems, 2*pageItems - 3, pageItems + 70, pageItems, 5, 0} {
		index.Cut(n)
		for range 3 {
			index.Add(all[index.Len()])
		}
		if index.Len() != n+3 {
			t.Fatalf("%d places, want %d", index.Len(), n+3)
		}
		q, from := all[r.IntN(len(all))], r.IntN(n+3)
		want := slices.DeleteFunc(byDefinition(q, all[:n+3], 800_000), func(p int) bool { return p < from })
		if got := placesOf(index.Search([]Vector{q}, 800_000, from)[0]); !slices.Equal(got, want) {
			t.Fatalf("cut to %d, from %d: %v, want %v", n, from, got, want)
		}
		if place := r.IntN(n + 3); !slices.Equal(index.Row(place), all[place]) {
			t.Fatalf("cut to %d: row %d is another", n, place)
		}
		index.Cut(n)
	}
}

// A scan whose floors rise finds all that is at least the floor of the moment, on every
// share of the places.
func TestScanWithRisingFloors(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	all := falling(r, 3000, 64)
	index := NewIndex(64)
	for _, v := range all {
		index.Add(v)
	}
	for range 20 {
		queries := []Vector{all[r.IntN(len(all))], all[r.IntN(len(all))]}
		floors, highest := []int32{-5, 100_000}, [2]int32{}
		from := r.IntN(len(all))
		to := from + r.IntN(len(all)+10-from)
		got := [2][]Hit{}
		index.Scan(queries, floors, from, to, func(q int, h Hit) {
			if h.Similarity < floors[q] {
				t.Fatalf("%v is below the floor %d", h, floors[q])
			}
			got[q], highest[q] = append(got[q], h), max(highest[q], h.Similarity)
			floors[q] = max(floors[q], highest[q]-50_000)
		})
		for q := range queries {
			if want := rising(queries[q], all, []int32{1, 100_000}[q], from, min(to, len(all))); !slices.Equal(got[q], want) {
				t.Fatalf("%v, want %v", got[q], want)
			}
		}
	}
}

// rising is the scan of the test by its definition.
func rising(q Vector, all []Vector, floor int32, from, to int) (hits []Hit) {
	highest := int32(0)
	for place := from; place < to; place++ {
		if s := Similarity(Dot(q, all[place]), q.Norm2(), all[place].Norm2()); s >= floor {
			hits, highest = append(hits, Hit{place, s}), max(highest, s)
			floor = max(floor, highest-50_000)
		}
	}
	return hits
}

// The similarity that is shown agrees with the test that decides.
func TestSimilarityAgreesWithThreshold(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	all := sample(r, 400, 48)
	for i := range len(all) - 1 {
		a, b := all[i], all[i+1]
		d, a2, b2 := Dot(a, b), a.Norm2(), b.Norm2()
		s := Similarity(d, a2, b2)
		if d > 0 && (!atLeast(d, a2, b2, s) || s < Million && atLeast(d, a2, b2, s+1)) {
			t.Fatalf("similarity %d of %d/%d/%d", s, d, a2, b2)
		}
	}
}

func TestRoot(t *testing.T) {
	for n := int32(0); n < 200_000; n++ {
		if r := root(n); r*r > n || (r+1)*(r+1) <= n {
			t.Fatalf("root(%d) = %d", n, r)
		}
	}
}

func TestQuantise(t *testing.T) {
	nan := float32(0)
	nan /= nan
	for _, c := range []struct {
		in   []float32
		want string
	}{
		{[]float32{1, -1, 0.5, 0}, "[63 -63 32 0]"},
		{[]float32{0, 0}, "[0 0]"},
		{[]float32{1e-30, 5e-31}, "[63 32]"},
		{[]float32{nan, 1}, "[]"},
	} {
		if got := fmt.Sprint(Quantise(c.in)); got != c.want {
			t.Errorf("Quantise(%v) = %s, want %s", c.in, got, c.want)
		}
	}
}

func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{100_000, 1_000_000} {
		for _, threshold := range []int32{750_000, 800_000, 880_000} {
			b.Run(fmt.Sprintf("%d/%d", n, threshold), func(b *testing.B) { benchmarkSearch(b, n, threshold) })
		}
	}
}

// falling makes vectors whose first values are largest, as the built-in model's are.
func falling(r *rand.Rand, n, dims int) []Vector {
	out := make([]Vector, n)
	for i := range out {
		values := make([]float32, dims)
		for d := range values {
			values[d] = float32(r.NormFloat64() / (1 + float64(d)/64))
		}
		out[i] = Quantise(values)
	}
	return out
}

func benchmarkSearch(b *testing.B, n int, threshold int32) {
	r := rand.New(rand.NewPCG(4, 4))
	index := NewIndex(256)
	for _, v := range falling(r, n, 256) {
		index.Add(v)
	}
	queries := falling(r, 64, 256)
	b.ResetTimer()
	done := 0
	for b.Loop() {
		index.Search(queries, threshold, 0)
		done += len(queries)
	}
	b.ReportMetric(float64(done)/b.Elapsed().Seconds(), "queries/s")
}
