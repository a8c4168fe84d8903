package postgres

import (
	"slices"
	"testing"

	"consilience/merge"
	"consilience/record"
)

// foundings are all founding texts of space 1, two at a time, with their vectors by
// model m.
func foundings(t *testing.T, s *Store) []Founding {
	t.Helper()
	var all []Founding
	for after := merge.ItemNo(0); ; after = all[len(all)-1].No {
		some, err := s.Foundings(t.Context(), 1, "m", after, 2)
		if err != nil {
			t.Fatal(err)
		}
		if len(some) == 0 {
			return all
		}
		all = append(all, some...)
	}
}

func keep(t *testing.T, s *Store, model string, rows ...Vector) {
	t.Helper()
	if err := s.KeepVectors(t.Context(), 1, model, rows); err != nil {
		t.Fatal(err)
	}
}

// Vectors are kept once for their model and text; foundings come in the order of the
// log, with those of one model.
func TestVectors(t *testing.T) {
	w := story(t)
	texts := 0
	for _, it := range w.memory.Drain().NewItems {
		if it.Content.Kind == record.Text {
			texts++
		}
	}
	s, _ := openStore(t)
	w.fill(s, 1000)
	first := []Vector{{Hash: record.Hash{1}, Vector: []int8{1, -128, 127}}, {Hash: record.Hash{2}, Vector: []int8{0}}}
	keep(t, s, "m", first...)
	keep(t, s, "m", Vector{Hash: record.Hash{1}, Vector: []int8{9}})
	keep(t, s, "m")
	got, err := s.Vectors(t.Context(), 1, "m", []record.Hash{{1}, {3}})
	if err != nil || len(got) != 1 || !slices.Equal(got[0].Vector, first[0].Vector) {
		t.Errorf("vectors %v: %v", got, err)
	}
	all := foundings(t, s)
	if len(all) != texts || all[0].Text != "Gate 4 is never locked" {
		t.Fatalf("%d foundings, want %d: %+v", len(all), texts, all)
	}
	keep(t, s, "other", Vector{Hash: all[0].Hash, Vector: []int8{5}})
	keep(t, s, "m", Vector{Hash: all[1].Hash, Vector: []int8{-7}})
	all = foundings(t, s)
	if all[0].Vector != nil || !slices.Equal(all[1].Vector, []int8{-7}) {
		t.Errorf("vectors %v and %v, want none and -7", all[0].Vector, all[1].Vector)
	}
	left, err := s.Unembedded(t.Context(), 1, "m", 0, 1000)
	n, counted := s.CountUnembedded(t.Context(), 1, "m")
	if err != nil || counted != nil || len(left) != texts-1 || n != texts-1 || left[0].No != all[0].No || left[1].No != all[2].No {
		t.Errorf("%d counted, left %+v: %v %v", n, left, err, counted)
	}
}

// A text that was erased gets no vector, whenever whoever made it comes to keep it.
func TestErasedTextsGetNoVector(t *testing.T) {
	w := story(t)
	s, _ := openStore(t)
	w.fill(s, 1000)
	gone, stays := foundings(t, s)[0], foundings(t, s)[1]
	tx, err := s.pool.Begin(t.Context()) // as the transaction of an erasure does, see erasures
	if err != nil {
		t.Fatal(err)
	}
	for _, sql := range []string{query("vectors_lock_alone"), query("erase_contents"), query("erase_vectors")} {
		args := []any{int32(1), []int16{0}, [][]byte{gone.Hash[:]}}
		if sql == query("vectors_lock_alone") {
			args = args[:1]
		}
		if _, err := tx.Exec(t.Context(), sql, args...); err != nil {
			t.Fatal(err)
		}
	}
	kept := make(chan error, 1)
	go func() {
		kept <- s.KeepVectors(t.Context(), 1, "m", []Vector{{Hash: gone.Hash, Vector: []int8{1}}, {Hash: stays.Hash, Vector: []int8{2}}})
	}()
	waiting := func() (n int) {
		if err := s.pool.QueryRow(t.Context(), "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	for waiting() == 0 { // until KeepVectors has come to the lock
		select {
		case err := <-kept:
			t.Fatalf("kept while an erasure is under way: %v", err)
		default:
		}
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-kept; err != nil {
		t.Fatal(err)
	}
	got, err := s.Vectors(t.Context(), 1, "m", []record.Hash{gone.Hash, stays.Hash})
	if err != nil || len(got) != 1 || got[0].Hash != stays.Hash {
		t.Errorf("vectors %v: %v", got, err)
	}
}
