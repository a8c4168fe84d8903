package main

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"consilience/agent"
	"consilience/agent/claims"
	"consilience/reason"
)

// table is an import of a table of claims as the command line gives it.
type table struct {
	path        string
	space       string
	sources     bool
	columns     string
	names       string
	separator   string
	predicate   string
	split       bool
	confidence  string
	wait        time.Duration
	operatorKey string
}

func newImportTable(a *app) *cobra.Command {
	var t table
	c := &cobra.Command{
		Use:   "csv FILE --space SPACE",
		Short: "Take in a table of claims, as one contributor or as one for each source",
		Long: `Take in a table of claims: subject, predicate, value and, with --sources, source;
optionally scope. The columns are named by the header, by --map where the header
has other names, or by --columns where there is no header. A file named .tsv or
.tab is separated by tabs, another by commas; see --separator.

With --sources each source becomes a contributor of its own, with a home under
HOME/sources, and its claims are pushed as its own deltas. Where an operator key
is at hand (--operator-key, or that of the dev store) the sources are enrolled for
the space. Run again, it goes on where it stopped and publishes what is new.`,
		Example: `  contributor import csv claims.csv --sources --space books --map subject=isbn,value=author --predicate author
  contributor import csv flights.tsv --sources --space flights --columns object,source,value --split-predicate`,
		Args: cobra.ExactArgs(1),
		RunE: a.withHome(func(c *cobra.Command, h *agent.Home, args []string) error {
			t.path = args[0]
			if err := needSpace(t.space); err != nil {
				return err
			}
			all, base, err := a.readTable(&t)
			if err != nil {
				return err
			}
			if t.sources {
				return a.importSources(c.Context(), h, &t, all, base)
			}
			return a.importClaims(c.Context(), h, &t, all, base)
		}),
	}
	t.flags(c)
	return c
}

func (t *table) flags(c *cobra.Command) {
	f := c.Flags()
	spaceFlag(c, &t.space, "the space the claims are for")
	f.BoolVar(&t.sources, "sources", false, "make each source a contributor of its own and push its claims")
	f.StringVar(&t.names, "map", "", "header names of the parts, subject=…,predicate=…,scope=…,value=…,source=…")
	f.StringVar(&t.columns, "columns", "", "columns of a table without a header, such as object,source,value; - skips one")
	f.StringVar(&t.separator, "separator", "", "comma or tab (default by the file's name)")
	f.StringVar(&t.predicate, "predicate", "", "predicate of every claim, where no column holds it")
	f.BoolVar(&t.split, "split-predicate", false, `take the predicate from the subject, after its last "|"`)
	f.StringVar(&t.confidence, "confidence", agent.FormatPPM(agent.DefaultConfidence), "base confidence of the claims, above 0, at most 1")
	f.DurationVar(&t.wait, "wait", 30*time.Second, "how long to wait for outcomes after everything is published")
	f.StringVar(&t.operatorKey, "operator-key", "", "private key file of an operator, to enroll the sources with")
}

// separators are the words for what stands between columns.
var separators = map[string]rune{"comma": ',', ",": ',', "tab": '\t', "\t": '\t', `\t`: '\t'}

// options are the layout of the table.
func (t *table) options() (claims.Options, error) {
	o := claims.Options{Predicate: t.predicate, SplitPredicate: t.split, Sources: t.sources}
	ext := strings.ToLower(filepath.Ext(t.path))
	switch {
	case t.separator != "":
		var ok bool
		if o.Separator, ok = separators[t.separator]; !ok {
			return o, reason.New(reason.UsageError, "neither comma nor tab").On("--separator")
		}
	case ext == ".tsv" || ext == ".tab":
		o.Separator = '\t'
	}
	if t.columns != "" {
		o.Columns = strings.Split(t.columns, ",")
	}
	if t.names == "" {
		return o, nil
	}
	var err error
	o.Names, err = claims.ParseNames(t.names)
	return o, err
}

// readTable reads the whole table and the confidence of its claims.
func (a *app) readTable(t *table) ([]claims.Claim, uint32, error) {
	base, err := ppmFlag("--confidence", t.confidence)
	if err != nil {
		return nil, 0, err
	}
	o, err := t.options()
	if err != nil {
		return nil, 0, err
	}
	file, err := a.openFile(t.path)
	if err != nil {
		return nil, 0, err
	}
	defer file.Close()
	all, err := claims.Read(file, o)
	if err != nil {
		return nil, 0, onFile(t.path, err)
	}
	return all, base, nil
}
