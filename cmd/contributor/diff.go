package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"consilience/agent"
	"consilience/internal/cli"
	"consilience/record"
	"consilience/wire"
)

// difference is what diff prints: the groups of the delta, and the slice it is
// the difference to.
type difference struct {
	Space    string    `json:"space"`
	Base     *base     `json:"base"` // null: derived from nothing
	New      []changed `json:"new"`
	Modified []changed `json:"modified"`
	Absent   []changed `json:"absent"`
}

type base struct {
	Digest   string `json:"digest"`
	Revision uint64 `json:"revision"`
}

// changed is one statement of the delta.
type changed struct {
	Item   *record.ItemID `json:"item_id,omitempty"`
	Record *record.ID     `json:"record_id,omitempty"`
	Value  uint32         `json:"value"` // base confidence or strength, ppm
}

func newDiff(a *app) *cobra.Command {
	var space string
	c := &cobra.Command{
		Use:   "diff --space SPACE",
		Short: "Show the delta between the local state and its slice",
		Long: `Show what the next push would propose to a space: the difference between the
local state and the slice it was derived from. Nothing is sent.`,
		Example: `  contributor diff --space plant`,
		Args:    cobra.NoArgs,
		RunE: a.withHome(func(c *cobra.Command, h *agent.Home, _ []string) error {
			if err := needSpace(space); err != nil {
				return err
			}
			changes, err := h.Diff(c.Context(), space)
			if err != nil {
				return err
			}
			out := differenceOf(space, changes)
			if s, found, err := h.Slice(c.Context(), space); err != nil {
				return err
			} else if found {
				out.Base = &base{wire.Text(s.Digest), s.Revision}
			}
			return a.Print(out, func(w io.Writer) { showDifference(c.Context(), w, h, out) })
		}),
	}
	spaceFlag(c, &space, "the space to compare with")
	return c
}

func differenceOf(space string, c agent.Changes) difference {
	d := difference{Space: space, New: []changed{}, Modified: []changed{}, Absent: []changed{}}
	for _, n := range c.New {
		d.New = append(d.New, changed{Record: &n.Record, Value: n.Base})
	}
	for _, m := range c.Modified {
		d.Modified = append(d.Modified, changed{Item: &m.Item, Record: &m.Record, Value: m.Base})
	}
	for _, x := range c.Absent {
		d.Absent = append(d.Absent, changed{Item: &x.Item, Value: x.Strength})
	}
	return d
}

// shownContent is the number of characters of a content in a table.
const shownContent = 48

func showDifference(ctx context.Context, w io.Writer, h *agent.Home, d difference) {
	if len(d.New)+len(d.Modified)+len(d.Absent) == 0 {
		fmt.Fprintln(w, "nothing to push")
		return
	}
	var rows [][]string
	for _, group := range []struct {
		name  string
		lines []changed
	}{{"new", d.New}, {"modified", d.Modified}, {"absent", d.Absent}} {
		for _, l := range group.lines {
			rows = append(rows, []string{group.name, text(l.Item), text(l.Record), cli.Ppm(l.Value), preview(ctx, h, l.Record)})
		}
	}
	cli.Table(w, []string{"WHAT", "ITEM", "RECORD", "VALUE", "CONTENT"}, rows)
}

// text is an id as shown, nothing for none.
func text[T fmt.Stringer](id *T) string {
	if id == nil {
		return ""
	}
	return (*id).String()
}

func preview(ctx context.Context, h *agent.Home, id *record.ID) string {
	if id == nil {
		return ""
	}
	r, ok, err := h.Get(ctx, *id)
	switch {
	case err != nil || !ok:
		return "?"
	case r.Kind == record.Binary:
		return fmt.Sprintf("%d bytes", len(r.Content))
	}
	return cli.Clip(string(r.Content), shownContent)
}
