package embedded_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"consilience/embedded"
	"consilience/internal/testkit"
)

// seed makes a store once, which was started and stopped; tests copy it, because
// initdb takes longer than all the rest.
var seed = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "consilience-seed-")
	if err != nil {
		return "", err
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		return "", err
	}
	p, err := embedded.StartPostgres(context.Background(), embedded.PostgresConfig{Dir: filepath.Join(dir, "postgres")})
	if err != nil {
		return "", err
	}
	p.Stop()
	return dir, nil
})

// store returns the folder of a stopped Postgres without any table.
func store(t *testing.T) string {
	t.Helper()
	return storeAt(t, testkit.Dir(t))
}

// storeAt is store in a folder below parent.
func storeAt(t *testing.T, parent string) string {
	t.Helper()
	from, err := seed()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(parent, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("cp", "-a", filepath.Join(from, "postgres"), parent).CombinedOutput(); err != nil {
		t.Fatalf("cp: %v: %s", err, out)
	}
	return filepath.Join(parent, "postgres")
}

// query runs sql on p and returns its only value as text.
func query(t *testing.T, p *embedded.Postgres, sql string) string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), p.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(t.Context()))
	var value string
	if err := conn.QueryRow(t.Context(), sql).Scan(&value); err != nil && !errors.Is(err, pgx.ErrNoRows) {
		t.Fatalf("%s: %v", sql, err)
	}
	return value
}

// failing runs a statement that Postgres refuses.
func failing(t *testing.T, p *embedded.Postgres, sql string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), p.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(t.Context()))
	if _, err := conn.Exec(t.Context(), sql); err == nil {
		t.Errorf("%s: no error", sql)
	}
}

// start runs Postgres on dir and stops it at the end of the test.
func start(t *testing.T, cfg embedded.PostgresConfig) *embedded.Postgres {
	t.Helper()
	p, err := embedded.StartPostgres(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Stop)
	return p
}

func TestPostgresGoesOnWhereItStopped(t *testing.T) {
	t.Parallel()
	dir := store(t)
	p := start(t, embedded.PostgresConfig{Dir: dir, Fsync: true})
	if got := query(t, p, "SHOW fsync"); got != "on" {
		t.Errorf("fsync is %s", got)
	}
	if got := query(t, p, "SHOW listen_addresses"); got != "" {
		t.Errorf("listens on %q besides its socket", got)
	}
	query(t, p, "SELECT 'a' AS x INTO kept")
	p.Stop()
	for _, stop := range []func(*embedded.Postgres){(*embedded.Postgres).Kill, (*embedded.Postgres).Stop} {
		p = start(t, embedded.PostgresConfig{Dir: dir, Fsync: true})
		if got := query(t, p, "SELECT x FROM kept"); got != "a" {
			t.Fatalf("kept %q", got)
		}
		stop(p)
	}
	if _, err := os.Stat(filepath.Join(dir, "data", "postmaster.pid")); !os.IsNotExist(err) {
		t.Errorf("a clean stop leaves postmaster.pid: %v", err)
	}
}

func TestPostgresRefusesASecondOwner(t *testing.T) {
	t.Parallel()
	dir := store(t)
	start(t, embedded.PostgresConfig{Dir: dir})
	if _, err := embedded.StartPostgres(t.Context(), embedded.PostgresConfig{Dir: dir}); err == nil ||
		!strings.Contains(err.Error(), "another process") {
		t.Errorf("second start: %v", err)
	}
}
