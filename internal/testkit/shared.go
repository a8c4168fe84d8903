package testkit

import (
	"os"
	"path/filepath"
	"testing"
)

// Root is the folder of the module.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("testkit: no go.mod above the working folder")
		}
		dir = parent
	}
}

// Shared returns the path of rel in the folder "shared" beside the repository, such
// as "vectors/jcs-rfc8785". It skips the test, saying so, where that is absent.
func Shared(t testing.TB, rel string) string {
	t.Helper()
	path := filepath.Join(Root(t), "..", "shared", filepath.FromSlash(rel))
	if _, err := os.Stat(path); err != nil {
		t.Skipf("testkit: %s is not beside the repository", rel)
	}
	return path
}

// Dir is a folder for this test that other users can reach, unlike T.TempDir: where
// tests run as root, Postgres runs as another user.
func Dir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "consilience-test-")
	if err != nil {
		t.Fatalf("testkit: %v", err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Errorf("testkit: %v", err)
		}
	})
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatalf("testkit: %v", err)
	}
	return dir
}
