package migrations

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"consilience/internal/testkit"
	"consilience/reason"
)

// schema describes everything in the two schemas, so that two can be compared.
func schema(t *testing.T, db *testkit.DB) []string {
	t.Helper()
	rows, err := db.Pool.Query(t.Context(), `
		SELECT format('%s %s %s %s %s', n.nspname, c.relname, c.relkind, a.attname, format_type(a.atttypid, a.atttypmod))
		FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
		WHERE n.nspname IN ('consilience', 'memory')
		UNION ALL
		SELECT format('%s %s', n.nspname, p.oid::regprocedure) FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
		WHERE n.nspname IN ('consilience', 'memory')
		ORDER BY 1`)
	if err != nil {
		t.Fatal(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Every step goes back and forward again to what it was.
func TestForwardAndBack(t *testing.T) {
	db := testkit.Postgres(t, nil)
	var at []string
	for step := int64(1); step <= Newest(); step++ {
		if _, err := Migrate(t.Context(), db.URL, step); err != nil {
			t.Fatal(err)
		}
		at = append(at, strings.Join(schema(t, db), "\n"))
	}
	for step := Newest(); step >= 1; step-- {
		if got := strings.Join(schema(t, db), "\n"); got != at[step-1] {
			t.Errorf("step %d going back is not what it was going forward", step)
		}
		r, err := Migrate(t.Context(), db.URL, step-1)
		if err != nil || r.From != step || r.To != step-1 {
			t.Fatalf("back from %d: %+v %v", step, r, err)
		}
	}
	if left := schema(t, db); len(left) > 0 {
		t.Errorf("going back leaves %v", left)
	}
	if _, err := Migrate(t.Context(), db.URL, Latest); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(schema(t, db), "\n"); got != at[len(at)-1] {
		t.Error("forward again is not what it was")
	}
}

func TestStatus(t *testing.T) {
	db := testkit.Postgres(t, nil)
	if _, err := Migrate(t.Context(), db.URL, 2); err != nil {
		t.Fatal(err)
	}
	steps, err := Status(t.Context(), db.URL)
	if err != nil || int64(len(steps)) != Newest() {
		t.Fatal(steps, err)
	}
	for _, s := range steps {
		if s.Applied != (s.Version <= 2) || s.Applied == s.At.IsZero() {
			t.Errorf("step %+v", s)
		}
	}
}

// Workers that start together migrate once.
func TestSeveralAtOnce(t *testing.T) {
	db := testkit.Postgres(t, nil)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			if r, err := Migrate(t.Context(), db.URL, Latest); err != nil || r.To != Newest() {
				t.Errorf("%+v %v", r, err)
			}
		})
	}
	wg.Wait()
}

func TestRefused(t *testing.T) {
	db := testkit.Postgres(t, nil)
	for _, to := range []int64{-2, Newest() + 1} {
		if _, err := Migrate(t.Context(), db.URL, to); reason.Of(err) != reason.UsageError {
			t.Errorf("to %d: %v", to, err)
		}
	}
	if _, err := Migrate(t.Context(), "postgres://127.0.0.1:1/none?connect_timeout=2", Latest); reason.Of(err) != reason.Unreachable {
		t.Errorf("nobody there: %v", err)
	}
	if _, err := Migrate(t.Context(), "nonsense://", Latest); reason.Of(err) != reason.UsageError {
		t.Errorf("no URL: %v", err)
	}
	if _, err := Migrate(t.Context(), db.URL, Latest); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Pool.Exec(t.Context(), "INSERT INTO consilience_migrations (version_id, is_applied) VALUES (99, true)"); err != nil {
		t.Fatal(err)
	}
	if _, err := Migrate(t.Context(), db.URL, Latest); reason.Of(err) != reason.SchemaMismatch {
		t.Errorf("a newer schema: %v", err)
	}
}

// A user who may not create roles migrates all the same, and is told what is missing.
func TestWithoutTheRightToCreateRoles(t *testing.T) {
	server := testkit.PostgresServer(t, filepath.Join(testkit.Dir(t), "pg"))
	admin(t, server.URL("postgres"), "CREATE ROLE keeper LOGIN", "CREATE DATABASE store OWNER keeper")
	u, err := url.Parse(server.URL("store"))
	if err != nil {
		t.Fatal(err)
	}
	values := u.Query()
	values.Set("user", "keeper")
	u.RawQuery = values.Encode()
	r, err := Migrate(t.Context(), u.String(), Latest)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "CREATE ROLE memory_analyst") {
		t.Errorf("notes %q", r.Notes)
	}
	admin(t, server.URL("postgres"), "CREATE ROLE memory_analyst NOLOGIN")
	if r, err = Migrate(t.Context(), u.String(), Latest); err != nil || len(r.Notes) != 0 {
		t.Fatalf("%+v %v", r, err)
	}
	admin(t, server.URL("store"), "SET ROLE memory_analyst", "SELECT FROM memory.items")
}

// A database that lacks characters is refused before it holds anything: a name in
// Cyrillic would stop its partition.
func TestEncoding(t *testing.T) {
	db := testkit.Postgres(t, nil)
	narrow := db.Name + "_latin"
	admin(t, db.URL, "CREATE DATABASE "+narrow+" ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
	t.Cleanup(func() { admin(t, db.Server.URL("postgres"), "DROP DATABASE "+narrow+" WITH (FORCE)") })
	if _, err := Migrate(t.Context(), db.Server.URL(narrow), Latest); reason.Of(err) != reason.SchemaMismatch {
		t.Errorf("a database in LATIN1: %v", err)
	}
}

func admin(t *testing.T, url string, statements ...string) {
	t.Helper()
	conn, err := pgx.Connect(context.WithoutCancel(t.Context()), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	for _, s := range statements {
		if _, err := conn.Exec(context.WithoutCancel(t.Context()), s); err != nil {
			t.Fatal(fmt.Errorf("%s: %w", s, err))
		}
	}
}
