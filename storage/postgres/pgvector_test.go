package postgres

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"consilience/internal/testkit"
)

var analystSetup = regexp.MustCompile("(?s)```pgsql\n(.*?)```")

// setups are the statements of docs/sql.md about pgvector: the function, the view,
// and a query.
func setups(t *testing.T) (function, view, query string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(testkit.Root(t), "docs", "sql.md"))
	if err != nil {
		t.Fatal(err)
	}
	found := analystSetup.FindAllStringSubmatch(string(text), -1)
	if len(found) != 3 {
		t.Fatalf("%d statements about pgvector in docs/sql.md, not 3", len(found))
	}
	return found[0][1], found[1][1], found[2][1]
}

// The vectors that the documentation unpacks are those that were kept.
func TestUnpackedVectors(t *testing.T) {
	s, db := openStore(t)
	function, _, _ := setups(t)
	if _, err := db.Pool.Exec(t.Context(), function); err != nil {
		t.Fatal(err)
	}
	kept := Vector{Hash: [32]byte{1}}
	for v := range 256 {
		kept.Vector = append(kept.Vector, int8(v-128))
	}
	keep(t, s, "m", kept)
	var got []float32
	if err := db.Pool.QueryRow(t.Context(), "SELECT memory.unpacked(vector) FROM consilience.vector").Scan(&got); err != nil {
		t.Fatal(err)
	}
	if len(got) != len(kept.Vector) {
		t.Fatalf("%d values, want %d", len(got), len(kept.Vector))
	}
	for i, v := range kept.Vector {
		if got[i] != float32(v) {
			t.Fatalf("value %d is %v, want %d", i, got[i], v)
		}
	}
}

// The view and the query about pgvector run and answer right, where the server has
// the extension: with a PATH whose initdb belongs to such a server, for example.
func TestAlikeTexts(t *testing.T) {
	w := story(t)
	s, db := openStore(t)
	var has bool
	if err := db.Pool.QueryRow(t.Context(), "SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector')").Scan(&has); err != nil {
		t.Fatal(err)
	}
	if !has {
		t.Skip("this Postgres has no pgvector")
	}
	w.fill(s, 1000)
	function, view, query := setups(t)
	for _, sql := range []string{function, view} {
		if _, err := db.Pool.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	// Each text lies 20 degrees further from the first one.
	var names []string
	for i, f := range foundings(t, s) {
		angle := float64(i) * math.Pi / 9
		v := make([]int8, 256)
		v[7], v[200] = int8(math.Round(63*math.Cos(angle))), int8(math.Round(-63*math.Sin(angle)))
		keep(t, s, "minilm-words-256", Vector{Hash: f.Hash, Vector: v})
		names = append(names, f.Text)
	}
	got := ask(t, db, query)
	if names[0] != "Gate 4 is never locked" || len(got) != len(names)-1 || len(got) < 2 {
		t.Fatalf("answers %q about %q", got, names)
	}
	for i, row := range got {
		_, after, _ := strings.Cut(row, "similarity=")
		var similarity float64
		if _, err := fmt.Sscan(after, &similarity); err != nil {
			t.Fatalf("%q: %v", row, err)
		}
		if want := math.Cos(float64(i+1) * math.Pi / 9); !strings.Contains(row, names[i+1]) || math.Abs(similarity-want) > 0.02 {
			t.Errorf("answer %d is %q, want %s at %.3f", i, row, names[i+1], want)
		}
	}
}
