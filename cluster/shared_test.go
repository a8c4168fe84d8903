package cluster

import (
	"os"
	"path/filepath"
	"testing"
)

// shared returns the path of a file beside the repository and skips the test,
// saying so, where it is absent.
func shared(t testing.TB, name string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		path := filepath.Join(filepath.Dir(dir), "shared", name)
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	t.Skipf("../shared/%s is not there", name)
	return ""
}
