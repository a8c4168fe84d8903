package embedded_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"consilience/embedded"
	"consilience/internal/testkit"
)

// A path too deep for a unix socket gets its socket elsewhere.
func TestDeepFolder(t *testing.T) {
	t.Parallel()
	dir := storeAt(t, filepath.Join(testkit.Dir(t), strings.Repeat("deep/", 30)))
	p := start(t, embedded.PostgresConfig{Dir: dir})
	if got := query(t, p, "SHOW unix_socket_directories"); strings.HasPrefix(got, dir) {
		t.Errorf("socket in %s", got)
	}
}

// Root's own folder is closed to the user as whom Postgres runs; it stays closed, and
// the data lie elsewhere, found again through a link.
func TestFolderOutOfReach(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root runs Postgres as another user")
	}
	elsewhere := filepath.Join(testkit.Dir(t), "elsewhere")
	closed := filepath.Join(testkit.Dir(t), "closed")
	embedded.RelocateTo(t, elsewhere)
	t.Setenv("TMPDIR", elsewhere) // closed is not below the folder for temporary files
	if err := os.Mkdir(closed, 0o700); err != nil {
		t.Fatal(err)
	}
	cfg := embedded.PostgresConfig{Dir: filepath.Join(closed, "postgres")}
	p := start(t, cfg)
	query(t, p, "SELECT 'a' AS x INTO kept")
	where := p.Dir()
	p.Stop()
	again := start(t, cfg)
	if got := query(t, again, "SELECT x FROM kept"); got != "a" || again.Dir() != where {
		t.Errorf("kept %q in %s, want it in %s", got, again.Dir(), where)
	}
	if info, err := os.Stat(closed); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the closed folder was opened: %v, %v", info.Mode(), err)
	}
}

// Nothing that a client sends gets into the log of Postgres.
func TestLogHoldsNoContent(t *testing.T) {
	t.Parallel()
	p := start(t, embedded.PostgresConfig{Dir: store(t)})
	query(t, p, "SELECT 'a' AS x INTO kept")
	query(t, p, "CREATE UNIQUE INDEX ON kept (x)")
	for _, statement := range []string{
		"INSERT INTO kept VALUES ('a') -- private", "SELECT 1/0 AS private", "SELECT 'private'::int", "SELECT private FROM kept",
	} {
		failing(t, p, statement)
	}
	log, err := os.ReadFile(filepath.Join(p.Dir(), "log"))
	if err != nil || len(log) == 0 {
		t.Fatalf("no log: %v", err)
	}
	if strings.Contains(string(log), "private") {
		t.Errorf("the log holds content:\n%s", log)
	}
}
