package postgres

import (
	"slices"
	"strings"
	"testing"
)

// A quarantine shows as soon as its fact is stored, where the partition has not
// reached it (rulings: reader-side mask), and slices leave its items out.
func TestPendingQuarantineHides(t *testing.T) {
	w := story(t)
	quarantine := w.facts[len(w.facts)-1]
	backlog := *w
	backlog.facts, backlog.log = w.facts[:len(w.facts)-1], w.log[:len(w.log)-1]
	s, db := openStore(t)
	backlog.fill(s, 1000)
	const sql = `SELECT content, status, confidence = 0 AS none FROM memory.items WHERE content LIKE 'Gate 4 is%' OR content LIKE '%17:05%' ORDER BY content`
	visible := []string{"content=Gate 4 is never locked status=active none=false",
		`content={"predicate":"arrives","subject":"Flight-1208","value":"17:05"} status=confirmed none=false`}
	if got := ask(t, db, sql); !slices.Equal(got, visible) {
		t.Fatalf("before:\n%s", strings.Join(got, "\n"))
	}
	before, err := s.Snapshot(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.AppendFacts(t.Context(), []FactRow{quarantine}); err != nil {
		t.Fatal(err)
	}
	hidden := []string{"content=Gate 4 is never locked status=quarantined none=true", visible[1]}
	if got := ask(t, db, sql); !slices.Equal(got, hidden) {
		t.Errorf("pending:\n%s", strings.Join(got, "\n"))
	}
	after, err := s.Snapshot(t.Context(), 1)
	if err != nil || len(after.Entries) != len(before.Entries)-3 {
		t.Errorf("a slice of %d, was %d: %v", len(after.Entries), len(before.Entries), err)
	}
	w.fill(s, 1000)
	if got := ask(t, db, sql); !slices.Equal(got, hidden) {
		t.Errorf("merged:\n%s", strings.Join(got, "\n"))
	}
}
