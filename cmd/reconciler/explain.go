package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"consilience/internal/cli"
	"consilience/record"
	"consilience/storage/postgres"
)

func (a *app) explainCommand() *cobra.Command {
	var space string
	c := &cobra.Command{
		Use: "explain ITEM", Short: "One item's confidence, stance by stance, counted or not and why", Args: cobra.ExactArgs(1),
		Long: `Show one item's confidence, stance by stance, counted or not and why. ITEM is an id
or a unique prefix of at least 8 characters.

Why a stance does not count: echo (it repeats what it was told), same_group (a
stronger voice of its lineage or origin counts), pool (newcomers of an open space
count together), masked (quarantined), locked, near_zero, withdrawn.`,
		Example: `  reconciler explain item:3vQx1c0k
  reconciler explain item:3vQx1c0k --space ops --json`,
		RunE: func(c *cobra.Command, args []string) error {
			store, err := a.openStore(c.Context())
			if err != nil {
				return err
			}
			defer store.Close()
			in, id, err := a.itemID(c.Context(), store, space, args[0])
			if err != nil {
				return err
			}
			e, err := explainItem(c.Context(), store, in, id)
			if err != nil {
				return err
			}
			return a.Print(e, e.table)
		},
	}
	c.Flags().StringVar(&space, "space", "", "the item's space, where several hold it")
	return c
}

// explained is what explain prints: numbers as the views show them, in parts of one.
type explained struct {
	Space         string            `json:"space"`
	Item          string            `json:"item_id"`
	Content       string            `json:"content"`
	Status        string            `json:"status"`
	Confidence    string            `json:"confidence"`
	Support       string            `json:"support"`
	Doubt         string            `json:"doubt"`
	Belief        string            `json:"belief"`
	Groups        int               `json:"groups"`
	Authoritative bool              `json:"authoritative"`
	Tainted       bool              `json:"tainted"`
	Stances       []explainedStance `json:"stances"`
	Rivals        []explainedRival  `json:"rivals"`
}

type explainedStance struct {
	Contributor string `json:"contributor"`
	Name        string `json:"contributor_name"`
	Stance      string `json:"stance"`
	Counted     bool   `json:"counted"`
	Why         string `json:"why_not_counted,omitempty"`
	Base        string `json:"base"`
	Reputation  string `json:"reputation"`
	Depth       int    `json:"depth"`
	Effective   string `json:"effective"`
	Record      string `json:"record_id,omitempty"`
}

type explainedRival struct {
	Item       string `json:"item_id"`
	Content    string `json:"content"`
	Confidence string `json:"confidence"`
	Why        string `json:"why"`
}

func explainItem(ctx context.Context, store *postgres.Store, space string, id record.ItemID) (explained, error) {
	x, err := store.Explain(ctx, space, id)
	if err != nil {
		return explained{}, err
	}
	e := explained{
		Space: x.Space, Item: x.ItemID, Content: x.Content, Status: x.Status, Confidence: x.Confidence, Support: x.Support,
		Doubt: x.Doubt, Belief: x.Belief, Groups: x.Groups, Authoritative: x.Authoritative, Tainted: x.Tainted,
		Stances: []explainedStance{}, Rivals: []explainedRival{},
	}
	for _, s := range x.Stances {
		e.Stances = append(e.Stances, explainedStance{
			Contributor: s.Contributor, Name: s.Name, Stance: s.Stance, Counted: s.Counted, Why: s.Why, Base: s.Base,
			Reputation: s.Reputation, Depth: s.Depth, Effective: s.Effective, Record: s.RecordID,
		})
	}
	for _, r := range x.Rivals {
		e.Rivals = append(e.Rivals, explainedRival{Item: r.ItemID, Content: r.Content, Confidence: r.Confidence, Why: r.Why})
	}
	return e, nil
}

// words say what a why_not_counted of memory.provenance means.
var words = map[string]string{
	"echo": "the store told it first", "same_group": "one voice with a stronger stance of its lineage or origin",
	"pool": "newcomers count together", "masked": "quarantined", "locked": "its reputation is locked",
	"near_zero": "too weak", "withdrawn": "taken back",
}

// whyNot says why a stance does not count, or not fully.
func whyNot(s explainedStance) string {
	text := s.Why
	if words[s.Why] != "" {
		text += ": " + words[s.Why]
	}
	if s.Counted {
		return "yes, " + text
	}
	return "no, " + text
}

func (e explained) table(w io.Writer) {
	fmt.Fprintf(w, "%s  %s\n  %s\n", e.Item, e.Status, cli.Clip(cli.Readable(e.Content), 100))
	fmt.Fprintf(w, "  confidence %s = support %s against doubt %s; belief %s", e.Confidence, e.Support, e.Doubt, e.Belief)
	if e.Authoritative {
		fmt.Fprint(w, "; authoritative")
	}
	if e.Tainted {
		fmt.Fprint(w, "; tainted: it rests on a quarantined record")
	}
	fmt.Fprintln(w)
	rows := [][]string{}
	for _, s := range e.Stances {
		counted := "yes"
		if s.Why != "" {
			counted = whyNot(s)
		}
		rows = append(rows, []string{"  " + s.Name, s.Stance, s.Base, s.Reputation, fmt.Sprint(s.Depth), s.Effective, counted})
	}
	cli.Table(w, []string{"  CONTRIBUTOR", "STANCE", "BASE", "REPUTATION", "DEPTH", "EFFECTIVE", "COUNTED"}, rows)
	for _, r := range e.Rivals {
		fmt.Fprintf(w, "  rival %s at %s (%s): %s\n", r.Item, r.Confidence, r.Why, cli.Clip(cli.Readable(r.Content), 80))
	}
}
