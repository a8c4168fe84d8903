package postgres

import (
	"slices"
	"testing"
)

// Workers see who lives; a partition is taken from the dead and not from the living.
func TestWorkers(t *testing.T) {
	s, db := openStore(t)
	for _, name := range []string{"b", "a"} {
		if _, err := s.Beat(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
	claim := func(name string, want bool) {
		t.Helper()
		if got, err := s.Claim(t.Context(), name, 5); err != nil || got != want {
			t.Errorf("%s claims: %v %v", name, got, err)
		}
	}
	claim("a", true)
	claim("a", true)
	claim("b", false)
	r, err := s.Beat(t.Context(), "b")
	if err != nil || !slices.Equal(r.Workers, []string{"a", "b"}) || r.Owners[5] != "a" || r.Owners[6] != "" {
		t.Errorf("roster %+v: %v", r, err)
	}
	if _, err := db.Pool.Exec(t.Context(), `UPDATE consilience.worker SET seen_at = seen_at - interval '4 seconds' WHERE name = 'a';
		UPDATE consilience.position SET seen_at = seen_at - interval '4 seconds'`); err != nil {
		t.Fatal(err)
	}
	claim("b", true)
	if err := s.Release(t.Context(), "a", 5); err != nil {
		t.Fatal(err)
	}
	claim("a", false)
	if err := s.Leave(t.Context(), "b"); err != nil {
		t.Fatal(err)
	}
	claim("a", true)
	if err := s.SetStopped(t.Context(), 5, "disk full"); err != nil {
		t.Fatal(err)
	}
	all, err := s.Positions(t.Context())
	if err != nil || len(all) != Partitions || all[5].Stopped != "disk full" {
		t.Errorf("positions %+v: %v", all, err)
	}
	if empty, err := s.Empty(t.Context()); err != nil || !empty {
		t.Errorf("a new store is not empty: %v", err)
	}
}
