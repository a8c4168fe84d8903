package vector

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// nearest are the most similar vectors of a shelf, best first, ties by the lower place.
func nearest(s *Shelf, dims int, v Vector, most int) (best []Hit) {
	s.Search(NewQuery(dims, v), 0, func(place int, similarity int32) int32 {
		best = append(best, Hit{place, similarity})
		slices.SortFunc(best, compareHits)
		if best = best[:min(most, len(best))]; len(best) < most {
			return 0
		}
		return best[most-1].Similarity
	})
	return best
}

func compareHits(a, b Hit) int {
	return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.Place, b.Place))
}

// allSorted is the same by definition.
func allSorted(all []Vector, v Vector, most int) (best []Hit) {
	for place, w := range all {
		if s := Similarity(dotPortable(v, w), dotPortable(v, v), dotPortable(w, w)); s > 0 {
			best = append(best, Hit{place, s})
		}
	}
	slices.SortFunc(best, compareHits)
	return best[:min(most, len(best))]
}

// What a shelf finds is what sorting all of them gives: in clusters, among equals and
// multiples, of zeros and extremes, after removals, on a shelf that is full or not.
func TestShelfFindsTheNearest(t *testing.T) {
	for _, dims := range dimensions {
		r := rand.New(rand.NewPCG(6, uint64(dims)))
		all := shelved(r, 1300, dims)
		s := NewShelf(dims)
		for _, v := range all {
			s.Add(v)
		}
		for place := range all {
			if r.IntN(20) == 0 {
				s.Remove(place)
				all[place] = make(Vector, dims)
			}
		}
		for _, most := range []int{1, 10, 100, 5000} {
			for range 6 {
				q := all[r.IntN(len(all))]
				if got, want := nearest(s, dims, q, most), allSorted(all, q, most); !slices.Equal(got, want) {
					t.Fatalf("%d dimensions: the nearest %d are others", dims, most)
				}
			}
		}
	}
}

// shelved makes vectors in clusters, some of which fall, with equals among them.
func shelved(r *rand.Rand, n, dims int) []Vector {
	all := append(sample(r, n/2, dims), falling(r, n/2, dims)...)
	for range n / 4 {
		all = append(all, all[r.IntN(len(all))])
	}
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// A shelf of any length finds all that are similar enough, from the first vector on.
func TestShelfGrows(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	all := falling(r, ShelfLen, 24)
	s := NewShelf(24)
	for n, v := range all {
		s.Add(v)
		if next := n + 1; next&n == 0 || next%997 == 0 || next == ShelfLen {
			if got, want := nearest(s, 24, v, 5), allSorted(all[:next], v, 5); !slices.Equal(got, want) {
				t.Fatalf("of %d vectors %v, want %v", next, got, want)
			}
			if want := next; s.Len() != want {
				t.Fatalf("%d vectors, want %d", s.Len(), want)
			}
		}
	}
	if size := ShelfSize(256, ShelfLen); size != ShelfLen*272 || ShelfSize(256, 0) != 0 || ShelfSize(256, 65) != 128*272 {
		t.Errorf("%d bytes", size)
	}
}

// BenchmarkNearest is the search of 250,000 vectors of falling weight for the best 512.
func BenchmarkNearest(b *testing.B) {
	r := rand.New(rand.NewPCG(4, 4))
	var shelves []*Shelf
	for i, v := range falling(r, 250_000, 256) {
		if i%ShelfLen == 0 {
			shelves = append(shelves, NewShelf(256))
		}
		shelves[i/ShelfLen].Add(v)
	}
	queries := falling(r, 16, 256)
	for n := 0; b.Loop(); n++ {
		var best []int32
		floor := int32(0)
		q := NewQuery(256, queries[n%len(queries)])
		for _, s := range shelves {
			s.Search(q, floor, func(_ int, similarity int32) int32 {
				at, _ := slices.BinarySearch(best, similarity)
				best = slices.Insert(best, at, similarity)
				if len(best) > 512 {
					best, floor = best[1:], best[1]
				}
				return floor
			})
		}
	}
}
