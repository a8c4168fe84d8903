// Package measure tells how well clustering decides: it runs labelled pairs of texts
// through an embedder and the gate, and counts what would have joined.
package measure

import (
	"bufio"
	"cmp"
	"context"
	"io"
	"slices"
	"strings"

	"consilience/cluster"
	"consilience/cluster/embed"
	"consilience/cluster/vector"
	"consilience/reason"
)

// Pair is two texts and what a person said of them.
type Pair struct {
	Label, Category string
	A, B            string
}

// maxLine is the longest line of a file of pairs, 1 MiB.
const maxLine = 1 << 20

// ReadPairs reads lines of "label TAB category TAB text TAB text". Empty lines are
// skipped; a file without any pair is [reason.Malformed].
func ReadPairs(r io.Reader) ([]Pair, error) {
	var pairs []Pair
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		if lines.Text() == "" {
			continue
		}
		f := strings.Split(lines.Text(), "\t")
		if len(f) != 4 {
			return nil, reason.New(reason.Malformed, "line %d has %d of 4 fields", n, len(f))
		}
		pairs = append(pairs, Pair{f[0], f[1], f[2], f[3]})
	}
	if err := lines.Err(); err != nil {
		return nil, reason.Wrap(reason.Malformed, err, "the pairs do not read")
	}
	if len(pairs) == 0 {
		return nil, reason.New(reason.Malformed, "there are no pairs")
	}
	return pairs, nil
}

// Decision is what clustering makes of two texts.
type Decision struct {
	// Equal contents are one item, whatever the rest says (rule 1 of joining).
	Equal bool `json:"equal"`
	// Similarity is in ppm; with no embedder it is 0.
	Similarity int32 `json:"similarity"`
	Similar    bool  `json:"similar"` // at or above the threshold
	// Verdict is the gate's: join, rival, or the check that refused.
	Verdict string            `json:"verdict"`
	Checks  []cluster.Finding `json:"checks"`
	// ReadAs are the orders in which the gate compared the two.
	ReadAs [2]cluster.Order `json:"read_as"`
}

// Joins reports that the second text would join the item of the first.
func (d Decision) Joins() bool { return d.Equal || d.Similar && d.Verdict == cluster.Join }

// Explain decides about two texts and says why.
func Explain(ctx context.Context, e embed.Embedder, threshold int32, a, b string) (Decision, error) {
	s, err := similarities(ctx, e, []Pair{{A: a, B: b}})
	if err != nil {
		return Decision{}, err
	}
	x, y := cluster.Read(a), cluster.Read(b)
	d := Decision{Equal: a == b, Similarity: s[0], Similar: s[0] >= threshold, Verdict: cluster.Judge(x, y), Checks: cluster.Explain(x, y)}
	d.ReadAs[0], d.ReadAs[1] = cluster.Orders(x, y)
	return d, nil
}

// Row counts the pairs of one label and category.
type Row struct {
	Label    string `json:"label"`
	Category string `json:"category"`
	Pairs    int    `json:"pairs"`
	Similar  int    `json:"similar"` // at or above the threshold
	Merged   int    `json:"merged"`  // and let through by the gate
	// Refused counts the similar ones by the check that refused them.
	Refused map[string]int `json:"refused"`
}

// Evaluate counts what would join at a threshold in ppm, by label and by category.
// done is called with the number of pairs finished since the last call.
func Evaluate(ctx context.Context, e embed.Embedder, threshold int32, pairs []Pair, done func(int)) ([]Row, error) {
	rows := map[[2]string]*Row{}
	for batch := range slices.Chunk(pairs, 256) {
		s, err := similarities(ctx, e, batch)
		if err != nil {
			return nil, err
		}
		for i, p := range batch {
			count(rows, p, s[i] >= threshold)
		}
		done(len(batch))
	}
	var out []Row
	for _, r := range rows {
		out = append(out, *r)
	}
	slices.SortFunc(out, func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.Label, b.Label), cmp.Compare(a.Category, b.Category))
	})
	return out, nil
}

func count(rows map[[2]string]*Row, p Pair, similar bool) {
	at := [2]string{p.Label, p.Category}
	r := rows[at]
	if r == nil {
		r = &Row{Label: p.Label, Category: p.Category, Refused: map[string]int{}}
		rows[at] = r
	}
	r.Pairs++
	if !similar {
		return
	}
	r.Similar++
	verdict := cluster.Judge(cluster.Read(p.A), cluster.Read(p.B))
	if verdict == cluster.Join {
		r.Merged++
		return
	}
	r.Refused[verdict]++
}

func similarities(ctx context.Context, e embed.Embedder, pairs []Pair) ([]int32, error) {
	out := make([]int32, len(pairs))
	if e == nil {
		return out, nil
	}
	var texts []string
	for _, p := range pairs {
		texts = append(texts, p.A, p.B)
	}
	vs, err := e.Embed(ctx, texts)
	if err != nil {
		return nil, err
	}
	for i := range pairs {
		a, b := vs[2*i], vs[2*i+1]
		out[i] = vector.Similarity(vector.Dot(a, b), a.Norm2(), b.Norm2())
	}
	return out, nil
}
