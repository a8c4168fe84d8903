package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"consilience/cluster"
	"consilience/cluster/embed"
	"consilience/cluster/embed/static"
	"consilience/cluster/measure"
	"consilience/internal/cli"
	"consilience/reason"
)

// clusterFlags say which model and threshold to try.
type clusterFlags struct {
	embedder, endpoint, key string
	threshold               float64
}

func (f *clusterFlags) bind(c *cobra.Command) {
	c.Flags().StringVar(&f.embedder, "embedder", static.Name, "model, as a policy names it")
	c.Flags().StringVar(&f.endpoint, "embed-endpoint", "", "address of a model that is not built in, as http://localhost:11434/v1")
	c.Flags().StringVar(&f.key, "embed-key", "", "its key; better given by the environment")
	c.Flags().Float64Var(&f.threshold, "threshold", 0.8, "similarity from which on texts are compared, 0 to 1")
}

func (f *clusterFlags) open() (embed.Embedder, int32, error) {
	if !(f.threshold >= 0 && f.threshold <= 1) { // so is what is not a number
		return nil, 0, reason.New(reason.OutOfRange, "a similarity is 0 to 1").On("--threshold")
	}
	e, err := embed.Open(f.embedder, embed.Options{Endpoint: f.endpoint, Key: f.key})
	return e, int32(f.threshold*1_000_000 + 0.5), err
}

func (a *app) clusterCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "cluster", Short: "Try out which texts count as one",
		Long: `Try out which texts count as one. Two texts meet on one item when their similarity
reaches the space's threshold and no check of the gate refuses them. Nothing is
read from or written to a store.`,
		Example: `  reconciler cluster explain "The port is 5432." "The port is 5433."
  reconciler cluster eval pairs/sick.tsv`,
	}
	c.AddCommand(a.clusterExplainCommand(), a.clusterEvalCommand())
	return c
}

func (a *app) clusterExplainCommand() *cobra.Command {
	var f clusterFlags
	c := &cobra.Command{
		Use: "explain TEXT TEXT", Short: "Similarity, every check and the verdict on two texts", Args: cobra.ExactArgs(2),
		Long: `Show the similarity of two texts, what every check of the gate says, and the
verdict: join, rival (they differ in polarity and nothing else), or the name of the
check that refused. Where a text was compared in another order of its words than it
has, as a passive is, the construction is named. Exit status 1 when they would not meet.`,
		Example: `  reconciler cluster explain "The port is 5432." "The port is 5433."
  reconciler cluster explain "A cat sleeps" "A cat is sleeping" --threshold 0.7 --json`,
		RunE: func(c *cobra.Command, args []string) error {
			e, threshold, err := f.open()
			if err != nil {
				return err
			}
			d, err := measure.Explain(c.Context(), e, threshold, args[0], args[1])
			if err != nil {
				return err
			}
			if err := a.Print(d, func(w io.Writer) { decisionTable(w, d, threshold) }); err != nil || d.Joins() {
				return err
			}
			return cli.No()
		},
	}
	f.bind(c)
	return c
}

func decisionTable(w io.Writer, d measure.Decision, threshold int32) {
	fmt.Fprintf(w, "similarity %s, threshold %s\n", cli.Ppm(uint32(d.Similarity)), cli.Ppm(uint32(threshold)))
	var rows [][]string
	for _, c := range d.Checks {
		says := "passes"
		if c.Against != "" {
			says = "refuses: " + cli.Clip(c.Against, 90)
		}
		rows = append(rows, []string{c.Check, says})
	}
	cli.Table(w, []string{"CHECK", "SAYS"}, rows)
	for i, o := range d.ReadAs {
		if o.Name != cluster.Written {
			fmt.Fprintf(w, "the %s text is read by %s: %s\n", []string{"first", "second"}[i], o.Name, cli.Clip(o.Words, 90))
		}
	}
	switch {
	case d.Equal:
		fmt.Fprintln(w, "verdict: join, of equal content: nothing else is asked")
	case d.Joins():
		fmt.Fprintln(w, "verdict: join")
	case !d.Similar:
		fmt.Fprintf(w, "verdict: not similar (the gate says %s)\n", d.Verdict)
	default:
		fmt.Fprintf(w, "verdict: %s\n", d.Verdict)
	}
}

func (a *app) clusterEvalCommand() *cobra.Command {
	var f clusterFlags
	c := &cobra.Command{
		Use: "eval PAIRS.tsv...", Short: "Share of labelled pairs that would merge", Args: cobra.MinimumNArgs(1),
		Long: `Count which of labelled pairs would merge, by label and category. A line of a file
is label, category, text and text, with tabs between.`,
		Example: `  reconciler cluster eval pairs/sick.tsv pairs/stsb.tsv
  reconciler cluster eval pairs/*.tsv --embedder openai:nomic-embed-text@768 --embed-endpoint http://localhost:11434/v1`,
		RunE: func(c *cobra.Command, files []string) error {
			e, threshold, err := f.open()
			if err != nil {
				return err
			}
			var all []evaluated
			for _, file := range files {
				rows, err := a.evaluate(c.Context(), e, threshold, file)
				if err != nil {
					return err
				}
				all = append(all, evaluated{filepath.Base(file), rows})
			}
			return a.Print(all, func(w io.Writer) { evaluatedTable(w, all) })
		},
	}
	f.bind(c)
	return c
}

// evaluated is the outcome for one file.
type evaluated struct {
	Set  string        `json:"set"`
	Rows []measure.Row `json:"rows"`
}

func (a *app) evaluate(ctx context.Context, e embed.Embedder, threshold int32, file string) ([]measure.Row, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, reason.Wrap(reason.NotFound, err, "no such file").On(file)
	}
	defer f.Close()
	pairs, err := measure.ReadPairs(f)
	if err != nil {
		return nil, reason.Wrap(reason.UsageError, err, "not a file of pairs").On(file).
			Advise("a line is label, category, text and text, with tabs between")
	}
	progress := a.Progress(filepath.Base(file), int64(len(pairs)))
	defer progress.Done()
	return measure.Evaluate(ctx, e, threshold, pairs, progress.Add)
}

func evaluatedTable(w io.Writer, all []evaluated) {
	var rows [][]string
	for _, s := range all {
		for _, r := range s.Rows {
			rows = append(rows, []string{s.Set, r.Label, r.Category, fmt.Sprint(r.Pairs), share(r.Similar, r.Pairs), share(r.Merged, r.Pairs), most(r.Refused)})
		}
	}
	cli.Table(w, []string{"SET", "LABEL", "CATEGORY", "PAIRS", "SIMILAR", "MERGED", "REFUSED MOST BY"}, rows)
}

func share(n, of int) string { return fmt.Sprintf("%.2f %%", 100*float64(n)/float64(max(of, 1))) }

// most names the check with the highest count.
func most(refused map[string]int) string {
	var names []string
	for name := range refused {
		names = append(names, name)
	}
	slices.Sort(names)
	best := ""
	for _, name := range names {
		if refused[name] > refused[best] {
			best = name
		}
	}
	return best
}
