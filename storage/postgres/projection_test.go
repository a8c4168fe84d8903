package postgres

import (
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"consilience/internal/testkit"
	"consilience/projection"
	"consilience/reason"
)

// P-84, P-101, AP-15: of any number of uses at one time one wins, through any
// connection, and the others are replays.
func TestOneUseWins(t *testing.T) {
	url := testkit.Postgres(t, migrate).URL
	stores := []*Store{openURL(t, url), openURL(t, url)}
	for round := range 20 {
		use := projection.Use{ProjectionID: fmt.Sprint("urn:x:", round), Created: time.Now(), Until: time.Now().Add(time.Hour)}
		errs := make([]error, 8)
		var wg sync.WaitGroup
		for i := range errs {
			wg.Go(func() { errs[i] = stores[i%2].Register(t.Context(), use) })
		}
		wg.Wait()
		won := 0
		for _, err := range errs {
			if err == nil {
				won++
			} else if reason.Of(err) != projection.ProjectionReplay {
				t.Error(err)
			}
		}
		if won != 1 {
			t.Errorf("%d uses won", won)
		}
	}
}

// P-84, P-100: a use survives the server's death, and what was forgotten does not
// come back when a clock runs backwards.
func TestUsesSurviveARestart(t *testing.T) {
	dir := filepath.Join(testkit.Dir(t), "postgres")
	server := testkit.PostgresServer(t, dir)
	if err := server.CreateDatabase(t.Context(), "uses"); err != nil {
		t.Fatal(err)
	}
	if err := migrate(t.Context(), server.URL("uses")); err != nil {
		t.Fatal(err)
	}
	at := time.UnixMilli(1_800_000_000_000)
	use := projection.Use{ProjectionID: "urn:x:once", Created: at.Add(-time.Minute), Until: at}
	s := openURL(t, server.URL("uses"))
	if err := s.Register(t.Context(), use); err != nil {
		t.Fatal(err)
	}
	server.Kill()

	server = testkit.PostgresServer(t, dir)
	s = openURL(t, server.URL("uses"))
	replayed := func(what string, use projection.Use) {
		t.Helper()
		if err := s.Register(t.Context(), use); reason.Of(err) != projection.ProjectionReplay {
			t.Errorf("%s: %v", what, err)
		}
	}
	replayed("after the restart", use)
	for _, forget := range []time.Time{at.Add(time.Millisecond), at.Add(-time.Hour)} {
		if err := s.Prune(t.Context(), forget); err != nil {
			t.Fatal(err)
		}
		replayed("after it was forgotten", use)
	}
	replayed("fresh by a longer limit", projection.Use{ProjectionID: use.ProjectionID, Created: use.Created, Until: at.Add(time.Hour)})
	replayed("as old as what was forgotten", projection.Use{ProjectionID: "urn:x:other", Created: at, Until: at.Add(time.Hour)})
	after := at.Add(time.Millisecond)
	if err := s.Register(t.Context(), projection.Use{ProjectionID: "urn:x:other", Created: after, Until: after.Add(time.Second)}); err != nil {
		t.Error(err)
	}
	var uses int
	if err := s.Pool().QueryRow(t.Context(), "SELECT count(*) FROM memory.projection").Scan(&uses); err != nil || uses != 1 {
		t.Errorf("%d uses are kept: %v", uses, err)
	}
}

func openURL(t *testing.T, url string) *Store {
	t.Helper()
	s, err := Open(t.Context(), url, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}
