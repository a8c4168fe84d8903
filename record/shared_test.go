package record

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"consilience/identity"
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

// writer is the contributor of most records in these tests.
var writer = identity.ID{1, 2, 3}

const writtenAt = 1_796_000_000_000

func mustNew(t testing.TB, kind Kind, content string, pairs ...Pair) Record {
	t.Helper()
	r, err := New(kind, []byte(content), pairs, writer, writtenAt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// pairTo is the pair that a record written now would hold to r.
func pairTo(r Record) Pair { return Pair{r.ID, r.ContentHash} }

// same reports whether two records are the same, byte for byte.
func same(a, b Record) bool {
	return a.ID == b.ID && bytes.Equal(a.Forward, b.Forward) && a.Erased == b.Erased &&
		bytes.Equal(a.Content, b.Content) && slices.Equal(a.Pairs, b.Pairs)
}
