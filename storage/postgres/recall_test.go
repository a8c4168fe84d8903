package postgres

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"consilience/command"
	"consilience/internal/testkit"
)

// Recall reads standings past memory.items, which costs too much to plan. It says of
// every item what the view says, under every authority, and while a quarantine is on
// the log that the space has not merged.
func TestRecallAgreesWithTheView(t *testing.T) {
	for i, authority := range []string{command.AuthorityFleet, command.AuthorityOpen, command.AuthorityStrict} {
		t.Run(authority, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, func(p *command.Policy) { p.Authority = authority })
			w.randomly(rand.New(rand.NewPCG(uint64(i), 7)), 120)
			s, db := openStore(t)
			w.fill(s, 50)
			trusted, hidden := w.compareStandings(s, db)
			if trusted == 0 {
				t.Error("no item is authoritative")
			}
			w.quarantine("ann", 0, true)
			if err := s.AppendFacts(t.Context(), w.facts[len(w.facts)-1:]); err != nil {
				t.Fatal(err)
			}
			if _, now := w.compareStandings(s, db); now <= hidden {
				t.Errorf("%d items are hidden, before the quarantine %d", now, hidden)
			}
		})
	}
}

// compareStandings compares all items and returns how many are authoritative, and how
// many a quarantine hides.
func (w *world) compareStandings(s *Store, db *testkit.DB) (trusted, hidden int) {
	w.t.Helper()
	all, err := s.Embedded(w.t.Context(), 1, "", 0, 10_000)
	if err != nil || len(all) < 20 {
		w.t.Fatal(len(all), err)
	}
	found, err := s.Recall(w.t.Context(), 1, RecallQuestion{
		Similar: column(all, func(e Embedded) SimilarItem { return SimilarItem{Item: e.Item, Score: -e.Item} }), Limit: len(all),
	})
	if err != nil || len(found.Candidates) != len(all) {
		w.t.Fatalf("%d of %d items, %v", len(found.Candidates), len(all), err)
	}
	var rows []string
	for _, c := range found.Candidates {
		if c.Score != -c.Number {
			w.t.Errorf("item %d has the score of another", c.Number)
		}
		if c.Authoritative {
			trusted++
		}
		if c.Status == "quarantined" {
			hidden++
		}
		rows = append(rows, fmt.Sprintf("item_id=%s c=%d b=%d authoritative=%v status=%s tainted=%v", c.Item, c.Confidence, c.Belief, c.Authoritative, c.Status, c.Tainted))
	}
	slices.Sort(rows)
	w.compare(db, "recall", rows, `SELECT item_id, (confidence * 1000000)::int AS c, (belief * 1000000)::int AS b, authoritative, status, tainted FROM memory.items`)
	return trusted, hidden
}
