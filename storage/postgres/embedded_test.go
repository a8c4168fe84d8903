package postgres

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// Embeddings that are read many at a time are those that are looked up, in the order of
// the items: with and without one, of claims, of erased texts, from anywhere.
func TestEmbeddedManyAtATime(t *testing.T) {
	w := newWorld(t)
	w.randomly(rand.New(rand.NewPCG(3, 9)), 80)
	s, db := openStore(t)
	w.fill(s, 50)
	all := foundings(t, s)
	for i, f := range all {
		if i%3 > 0 {
			keep(t, s, "m", Vector{Hash: f.Hash, Vector: []int8{int8(i)}})
		}
		keep(t, s, "other", Vector{Hash: f.Hash, Vector: []int8{9}})
	}
	if _, err := db.Pool.Exec(t.Context(), "UPDATE consilience.content SET erased = true WHERE space = 1 AND kind = 0 AND hash = $1", all[0].Hash[:]); err != nil {
		t.Fatal(err)
	}
	look := func(after int64, limit int) string {
		t.Helper()
		found, err := s.Embedded(t.Context(), 1, "m", after, limit)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(found)
	}
	items, err := s.Embedded(t.Context(), 1, "m", 0, 1000)
	if err != nil || !slices.ContainsFunc(items, func(e Embedded) bool { return e.Vector != nil }) ||
		!slices.ContainsFunc(items, func(e Embedded) bool { return !e.Text }) || !slices.ContainsFunc(items, func(e Embedded) bool { return e.Text && e.Vector == nil }) {
		t.Fatalf("%v %v", items, err)
	}
	for _, after := range []int64{0, items[0].Item, items[len(items)/2].Item, items[len(items)-1].Item} {
		if one, many := look(after, manyEmbedded-1), look(after, manyEmbedded); one != many {
			t.Errorf("after %d: %s, want %s", after, many, one)
		}
	}
}
