package recall

import "testing"

// The vectors of all spaces stay within the budget: the space that was asked for least
// recently is let go, but never one that was asked for later, and a space that does not
// fit alone is held in part.
func TestBudget(t *testing.T) {
	one := vectors{dims: testDims}
	s := &Similarity{Budget: one.size(3 * vectorsChunk)}
	grow := func(x *index, chunks int) (grown int) {
		for range chunks {
			if !s.reserve(x, vectorsChunk) {
				break
			}
			for range vectorsChunk {
				x.vectors.add(int64(x.vectors.len()), nil)
			}
			grown++
		}
		s.measure(x)
		return grown
	}
	first, second := s.index(indexKey{1, "m"}, testDims), s.index(indexKey{2, "m"}, testDims)
	if grow(first, 1) != 1 || grow(second, 2) != 2 || s.used != s.Budget {
		t.Fatalf("%d bytes of %d", s.used, s.Budget)
	}
	if s.index(indexKey{1, "m"}, testDims) != first { // asked for again: now the second is older
		t.Error("the first is let go without need")
	}
	third := s.index(indexKey{3, "m"}, testDims)
	if grow(third, 5) != 3 || s.used != s.Budget || s.indexes[first.indexKey] != nil || s.indexes[second.indexKey] != nil {
		t.Errorf("%d bytes of %d, %d spaces", s.used, s.Budget, len(s.indexes))
	}
	if grow(first, 1) != 0 || s.used != s.Budget {
		t.Error("what was let go grows on")
	}
	if s.index(indexKey{3, "other"}, testDims); s.used != 0 {
		t.Errorf("%d bytes of a model that the space no longer has", s.used)
	}
}
