package consilience

import (
	"encoding/json"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

// pure rooms import the standard library's pure part, other pure rooms and the
// libraries named in pureLibraries; nothing that reads a clock, a file or a socket.
var pure = []string{
	"reason", "wire", "identity", "record", "record/ijson", "delta", "command", "lineage", "reputation", "fleet",
	"cluster", "cluster/lexicon", "merge", "recall/selection", "recall/exposure", "projection", "projection/apertomemory", "projection/nhe",
}

var pureLibraries = []string{
	"golang.org/x/text/", "github.com/fxamacker/cbor/v2", "github.com/gowebpki/jcs", "filippo.io/edwards25519",
}

// impure is what a pure room may not import directly, and why.
var impure = map[string]string{
	"time":         "a clock would make two replays differ",
	"os":           "files and the environment are configuration, and a merge has none",
	"net":          "the core takes state and returns data",
	"net/http":     "the core takes state and returns data",
	"database/sql": "SQL belongs to storage/postgres",
	"log":          "the core returns errors, the edge logs them",
	"log/slog":     "the core returns errors, the edge logs them",
	"math/rand":    "randomness would make two replays differ",
	"math/rand/v2": "randomness would make two replays differ",
	"sync":         "no goroutines in the core, so nothing to guard",
	"context":      "nothing in the core can be cancelled",
	"os/exec":      "the core takes state and returns data",
}

// exempt are imports that a pure room has a stated reason for.
var exempt = map[string]string{
	"wire sync":           "a pool of encode buffers; no goroutine, no state that a result depends on",
	"projection time":     "RFC 3339 instants come in as values; nothing reads the clock",
	"projection/nhe time": "RFC 3339 instants come in as values; nothing reads the clock",
	"projection context":  "the single-use registration is handed in and may block",
}

// walls are the arrows that must not exist: from, to, why.
var walls = []struct{ from, to, why string }{
	{"bus", "storage/postgres", "adapters never import each other"},
	{"storage/postgres", "bus", "adapters never import each other"},
	{"cluster/embed", "storage/postgres", "adapters never import each other"},
	{"cluster/embed", "bus", "adapters never import each other"},
	{"reconcile", "bus", "reconcile declares the interface it needs"},
	{"reconcile", "storage/postgres", "reconcile declares the interface it needs"},
	{"agent", "storage/postgres", "a contributor has no database but its own"},
	{"agent", "merge", "a contributor does not merge"},
	{"record", "delta", "a record knows nothing of deltas"},
	{"delta", "merge", "the wire form knows nothing of its effect"},
	{"projection", "projection/apertomemory", "the projection holds no trust logic (P-57)"},
	{"projection", "projection/nhe", "the projection holds no trust logic (P-57)"},
	{"recall", "bus", "recall declares the interface it needs"},
	{"recall", "storage/postgres", "recall declares the interface it needs"},
	{"agent", "recall", "a contributor checks what it is given; it selects nothing"},
	{"embedded", "storage/postgres", "embedded starts servers and knows no schema"},
}

type listed struct {
	ImportPath string
	Imports    []string
	Standard   bool
}

func packages(t *testing.T) []listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []listed
	for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); {
		var p listed
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

func room(importPath string) string { return strings.TrimPrefix(importPath, "consilience/") }

func TestPureRoomsStayPure(t *testing.T) {
	for _, p := range packages(t) {
		r := room(p.ImportPath)
		if !slices.Contains(pure, r) {
			continue
		}
		for _, imp := range p.Imports {
			if why := forbidden(r, imp); why != "" {
				t.Errorf("%s imports %s: %s", r, imp, why)
			}
		}
	}
}

// forbidden returns why a pure room may not import imp, "" if it may.
func forbidden(r, imp string) string {
	if _, ok := exempt[r+" "+imp]; ok {
		return ""
	}
	switch {
	case strings.HasPrefix(imp, "consilience/"):
		if !slices.Contains(pure, room(imp)) && !slices.Contains(pure, path.Dir(room(imp))) {
			return "a pure room imports pure rooms only"
		}
	case strings.Contains(strings.Split(imp, "/")[0], "."):
		if !slices.ContainsFunc(pureLibraries, func(l string) bool { return strings.HasPrefix(imp, l) }) {
			return "not one of the libraries that the core may use"
		}
	}
	return impure[imp]
}

func TestWalls(t *testing.T) {
	seen := map[string]bool{}
	all := packages(t)
	for _, p := range all {
		seen[room(p.ImportPath)] = true
	}
	for _, w := range walls {
		if !seen[w.from] && !strings.HasPrefix(w.from, "cluster/") {
			t.Errorf("the wall %s -> %s names a room that does not exist: %s", w.from, w.to, w.from)
		}
		for _, p := range all {
			if room(p.ImportPath) == w.from && slices.Contains(p.Imports, "consilience/"+w.to) {
				t.Errorf("%s imports %s: %s", w.from, w.to, w.why)
			}
		}
	}
}
