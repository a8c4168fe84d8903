package reconcile

import "testing"

// A batch that the server does not let finish is halved down to one entry, and
// grows back once it passes.
func TestSizeShrinksAndGrowsBack(t *testing.T) {
	t.Parallel()
	var s size
	if got := s.cut(500); got != 500 {
		t.Fatalf("without a failure a transaction takes %d of 500", got)
	}
	for _, want := range []int{250, 125, 62, 31, 15, 7, 3, 1, 1} {
		s.shrink(s.cut(500))
		if got := s.cut(500); got != want {
			t.Fatalf("after a failure a transaction takes %d, want %d", got, want)
		}
	}
	for range 11 {
		s.grow()
	}
	if got := s.cut(5000); got != 5000 {
		t.Errorf("after many successes a transaction takes %d of 5000", got)
	}
}
