package measure

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"consilience/cluster"
	"consilience/cluster/embed/static"
	"consilience/reason"
)

// shared returns the path of a file beside the repository and skips the test,
// saying so, where it is absent.
func shared(t *testing.T, name string) string {
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

// limits are the shares that may merge at most, by the issue, and must at least, what is
// reached (docs/clustering.md), in per cent.
var limits = []struct {
	set, label  string
	most, least float64
}{
	{"sick", "contradiction", 1, 0}, {"sick", "equal", 100, 47},
	{"breaking-nli", "contradiction", 3, 0}, {"breaking-nli", "equal", 100, 49},
	{"cannot", "contradiction", 10, 0}, {"cannot", "equal", 100, 21},
	{"sugar-crepe", "contradiction", 8, 0}, {"sugar-crepe", "refinement", 2, 0},
	{"stsb", "unlike", 0.3, 0}, {"stsb", "equal", 100, 22},
}

// The sets of the issue, at the threshold that docs/clustering.md recommends.
func TestSharesThatMerge(t *testing.T) {
	merged := map[string][2]int{}
	for _, set := range []string{"sick", "breaking-nli", "cannot", "sugar-crepe", "stsb"} {
		f, err := os.Open(shared(t, "data/pairs/"+set+".tsv"))
		if err != nil {
			t.Fatal(err)
		}
		pairs, err := ReadPairs(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		rows, err := Evaluate(t.Context(), static.New(), 800_000, pairs, func(int) {})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			n := merged[set+r.Label]
			merged[set+r.Label] = [2]int{n[0] + r.Merged, n[1] + r.Pairs}
		}
	}
	for _, l := range limits {
		n := merged[l.set+l.label]
		share := 100 * float64(n[0]) / float64(n[1])
		t.Logf("%-14s %-14s %5.2f %%", l.set, l.label, share)
		if share > l.most || share < l.least {
			t.Errorf("%s: %s: %.2f %% merge, want %g to %g", l.set, l.label, share, l.least, l.most)
		}
	}
}

func TestReadPairs(t *testing.T) {
	pairs, err := ReadPairs(strings.NewReader("equal\t\ta\tb\r\n\nunlike\tx\tc\td\n\n"))
	if err != nil || len(pairs) != 2 || pairs[1] != (Pair{"unlike", "x", "c", "d"}) {
		t.Errorf("%v %v", pairs, err)
	}
	for _, bad := range []string{"", "\n\n", "equal\ta\tb\n", "equal\t\ta\tb\tc\n", strings.Repeat("x", maxLine+1)} {
		if _, err := ReadPairs(strings.NewReader(bad)); reason.Of(err) != reason.Malformed {
			t.Errorf("%.20q: %v", bad, err)
		}
	}
}

func TestExplain(t *testing.T) {
	d, err := Explain(t.Context(), static.New(), 800_000, "The port is 5432.", "The port is 5433.")
	if err != nil || d.Joins() || d.Verdict != cluster.CheckNumber || !d.Similar {
		t.Errorf("%+v %v", d, err)
	}
	d, err = Explain(t.Context(), nil, 0, "The server is up.", "the server is up")
	if err != nil || !d.Joins() {
		t.Errorf("%+v %v", d, err)
	}
}

// Equal contents are one item whatever the gate and the model say of them, and the
// orders in which two texts were compared are those of the texts as given.
func TestExplainSaysWhy(t *testing.T) {
	for _, text := range []string{"🚀", strings.Repeat("the cat sees a dog ", cluster.MaxTokens)} {
		if d, err := Explain(t.Context(), static.New(), 800_000, text, text); err != nil || !d.Joins() || !d.Equal {
			t.Errorf("%.20q with itself: %+v %v", text, d, err)
		}
	}
	a, b := "A man is playing a guitar.", "A guitar is being played by a man."
	for _, texts := range [][2]string{{a, b}, {b, a}} {
		d, err := Explain(t.Context(), static.New(), 800_000, texts[0], texts[1])
		if err != nil || !d.Joins() || d.Equal || (d.ReadAs[0].Name == cluster.Written) != (texts[0] == a) || (d.ReadAs[1].Name == cluster.Written) != (texts[1] == a) {
			t.Errorf("%q: %+v %v", texts, d.ReadAs, err)
		}
	}
}
