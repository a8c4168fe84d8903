package embedded_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"consilience/embedded"
	"consilience/internal/testkit"
	"consilience/reason"
)

// archive is a repository's archive of Postgres: the machine's own binaries, called
// by scripts in the places where an archive has them.
func archive(t *testing.T) []byte {
	t.Helper()
	found := embedded.FindPostgres(t.Context())
	if len(found) == 0 {
		t.Skip("no Postgres on this machine to pack")
	}
	tree := t.TempDir()
	if err := os.Mkdir(filepath.Join(tree, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"initdb", "postgres", "pg_ctl"} {
		script := fmt.Sprintf("#!/bin/sh\nexec %s/%s \"$@\"\n", found[0].Dir, name)
		if err := os.WriteFile(filepath.Join(tree, "bin", name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	tar, err := exec.Command("tar", "-C", tree, "-cJf", "-", "bin").Output()
	if err != nil {
		t.Skipf("no tar with xz on this machine: %v", err)
	}
	var jar bytes.Buffer
	w := zip.NewWriter(&jar)
	f, err := w.Create("postgres.txz")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(tar); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return jar.Bytes()
}

// A machine without Postgres downloads it once; every user, root too, runs it.
func TestPostgresIsDownloaded(t *testing.T) {
	jar, sum := archive(t), ""
	requests := 0
	repo := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++
		switch {
		case !strings.HasSuffix(r.URL.Path, ".sha256"):
			w.Write(jar)
		case sum == "":
			http.NotFound(w, r)
		default:
			w.Write([]byte(sum))
		}
	}))
	defer repo.Close()
	dir := testkit.Dir(t)
	embedded.HidePostgres(t, dir)
	var pipe bytes.Buffer // no terminal, so no bar
	cfg := embedded.PostgresConfig{Dir: filepath.Join(dir, "store"), Source: repo.URL, Progress: &pipe}
	_, err := embedded.StartPostgres(t.Context(), cfg)
	if reason.Of(err) != reason.NotFound {
		t.Fatalf("an archive without a checksum: %v", err)
	}
	sum = strings.Repeat("0", 64)
	if _, err := embedded.StartPostgres(t.Context(), cfg); reason.Of(err) != reason.NotFound {
		t.Fatalf("an archive with another checksum: %v", err)
	}
	sum = fmt.Sprintf("%x", sha256.Sum256(jar))
	start(t, cfg).Stop()
	if pipe.Len() > 0 {
		t.Errorf("a bar on a pipe: %q", &pipe)
	}
	before := requests
	start(t, cfg)
	if requests != before {
		t.Errorf("downloaded again: %d requests", requests-before)
	}
}

// Without Postgres and without network the error says what to install.
func TestNoPostgresSaysWhatToInstall(t *testing.T) {
	repo := httptest.NewServer(http.NotFoundHandler())
	repo.Close() // nobody listens there any more
	dir := testkit.Dir(t)
	embedded.HidePostgres(t, dir)
	_, err := embedded.StartPostgres(t.Context(), embedded.PostgresConfig{Dir: filepath.Join(dir, "store"), Source: repo.URL})
	if reason.Of(err) != reason.NotFound || !strings.Contains(err.Error(), "apt-get install postgresql") {
		t.Errorf("error: %v", err)
	}
}
