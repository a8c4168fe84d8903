package postgres

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

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
			w.randomly(rand.New(rand.NewPCG(uint64(i), 7)), 80)
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

// A connection has planned every statement of a recall before its first one, and the
// search by words under the setting that lets it use its index.
func TestConnectionsAreWarm(t *testing.T) {
	s, _ := openStore(t)
	planned := func() (n int) {
		t.Helper()
		err := s.pool.QueryRow(t.Context(), "SELECT count(*) FROM pg_prepared_statements WHERE generic_plans > 0 AND statement ~ 'consilience' AND NOT from_sql").Scan(&n)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if cold := planned(); cold > 2 {
		t.Errorf("%d plans of a connection that nobody asked to be warm", cold)
	}
	s.WarmRecalls()
	if warm := planned(); warm < len(recalling)-3 {
		t.Errorf("%d of %d statements are planned", warm, len(recalling))
	}
	var plan string
	err := s.pool.AcquireFunc(t.Context(), func(c *pgxpool.Conn) error {
		var name string
		if err := c.QueryRow(t.Context(), "SELECT name FROM pg_prepared_statements WHERE statement = $1", query("recall_rare")).Scan(&name); err != nil {
			return err
		}
		rows, err := c.Query(t.Context(), "EXPLAIN EXECUTE "+name+" (1, NULL, NULL, NULL, 1, 1, 256)", pgx.QueryExecModeSimpleProtocol)
		if err != nil {
			return err
		}
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		plan = strings.Join(lines, "\n")
		return err
	})
	if err != nil || !strings.Contains(plan, "search_words") {
		t.Errorf("%v\n%s", err, plan)
	}
}
