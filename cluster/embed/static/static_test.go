package static

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"consilience/cluster/vector"
)

// The model is these bytes: others would be another model and need another name.
func TestWeightsArePinned(t *testing.T) {
	for data, want := range map[string]string{
		weights:    "15dda88e1046d0118236ba9662f2df9a957aedd952feaf1235d8af67416f48ba",
		vocabulary: "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
	} {
		if sum := sha256.Sum256([]byte(data)); hex.EncodeToString(sum[:]) != want {
			t.Errorf("%d bytes hash to %x, not %s", len(data), sum, want)
		}
	}
}

// A text has one vector on every machine: these were computed once.
func TestVectorsArePinned(t *testing.T) {
	e, h := New(), sha256.New()
	for _, text := range pinned {
		fmt.Fprintln(h, e.Vector(text))
	}
	if got, want := hex.EncodeToString(h.Sum(nil)), "0b3c20de8f079d40eec7149a01567e6d8b6459e79bb451727ac79c83129f9c5d"; got != want {
		t.Errorf("the vectors hash to %s", got)
	}
}

var pinned = []string{
	"", "a", "The staging database listens on port 5432.", "web-01 runs nginx 1.25.3", "数据库在端口5432上运行。",
	"서버는 nginx를 실행합니다", "الخادم يعمل", "Größe der Straße überprüfen", "🚀 deployed!! ok", "naïve café Ångström", "１２３ ＡＢＣ",
}

// The pieces are those of BERT's own tokenizer (the tokenizers library over the package's
// tokenizer.json), without [UNK], which counts nothing.
func TestPiecesAreBERTs(t *testing.T) {
	table := load()
	for text, want := range map[string][]int32{
		"The staging database.":         {1996, 15308, 7809, 1012},
		"Ångström naïve":                {17076, 15687, 15743},
		"don't":                         {2123, 1005, 1056},
		"数据库 ok":                        {7929},
		"web-01":                        {4773, 1011, 5890},
		"unaffable":                     {14477, 20961, 3468},
		"\u200ba\u0301b":                {11113},
		"qqqqqqqqq 🚀 \u00a0 okay":       {1053, 4160, 4160, 4160, 4160, 4160, 4160, 4160, 4160, 3100},
		"서버 실행":                         {1461, 30008, 29996, 30008, 1461, 30019, 30022, 30005, 30007, 30025},
		"الخادم":                        {1270, 23673, 29821, 25573, 15394, 22192},
		"Größe":                         {24665, 2080, 17499},
		"foo_bar(1.25)":                 {29379, 1035, 3347, 1006, 1015, 1012, 2423, 1007},
		strings.Repeat("x", 250) + " y": {1061},
	} {
		var got []int32
		tokens(text, func(word string) bool {
			table.cut(word, func(p int32) { got = append(got, p) })
			return true
		})
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestSimilarTextsAreNear(t *testing.T) {
	e := New()
	of := func(a, b string) int32 {
		x, y := e.Vector(a), e.Vector(b)
		return vector.Similarity(vector.Dot(x, y), x.Norm2(), y.Norm2())
	}
	near, far := of("Two kids play in the yard", "Two children are playing in the yard"), of("Two kids play in the yard", "The database needs a backup")
	if near < 800_000 || far > 400_000 {
		t.Errorf("near %d, far %d", near, far)
	}
}

func FuzzVector(f *testing.F) {
	for _, text := range pinned {
		f.Add(text)
	}
	f.Add("\xff\xfe\u0301")
	e := New()
	f.Fuzz(func(t *testing.T, text string) {
		v := e.Vector(text)
		if !v.Valid(Dims) {
			t.Fatalf("%q: %v", text, v)
		}
		if !slices.Equal(v, e.Vector(" "+text+"\n")) {
			t.Fatalf("%q: blanks around it matter", text)
		}
	})
}

func BenchmarkVector(b *testing.B) {
	e := New()
	n := 0
	for b.Loop() {
		e.Vector("A man with a hard hat is dancing in front of the old building.")
		n++
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "texts/s")
}
