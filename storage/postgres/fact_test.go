package postgres

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Facts are immutable rows; workers who read the same ones may all store them, in
// any order of arrival, and what they amount to never runs backwards.
func TestFacts(t *testing.T) {
	w := story(t)
	s, db := openStore(t)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for n := 1 + i; n <= len(w.facts); n += 2 {
				if err := s.AppendFacts(t.Context(), w.facts[:n]); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if err := s.AppendFacts(t.Context(), w.facts); err != nil {
		t.Fatal(err)
	}
	rows, err := s.Facts(t.Context(), 0)
	if err != nil || len(rows) != len(w.facts) {
		t.Fatalf("%d facts, want %d: %v", len(rows), len(w.facts), err)
	}
	for i, r := range rows {
		if r.Fact.Seq != w.facts[i].Fact.Seq || !bytes.Equal(r.Fact.Raw, w.facts[i].Fact.Raw) || r.Fact.Subject != w.facts[i].Fact.Subject {
			t.Errorf("fact %d came back as another", i)
		}
	}
	got := ask(t, db, "SELECT name, status, depth, quarantined_by IS NOT NULL AS q FROM memory.contributors ORDER BY enrolled_at")
	want := []string{
		"name=ann status=active depth=0 q=false", "name=bob status=active depth=0 q=false", "name=cyd status=active depth=0 q=false",
		"name=dan status=active depth=0 q=false", "name=mallory status=quarantined depth=0 q=true", "name=mallory-2 status=quarantined depth=1 q=true",
	}
	if !slices.Equal(got, want) {
		t.Errorf("contributors:\n%s", strings.Join(got, "\n"))
	}
}
