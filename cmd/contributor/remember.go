package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"consilience/agent"
	"consilience/record"
)

// written is what remember prints.
type written struct {
	Record  record.ID   `json:"record_id"`
	Kind    string      `json:"kind"`
	Hash    record.Hash `json:"content_hash"`
	Already bool        `json:"already"`
}

func newRemember(a *app) *cobra.Command {
	var f content
	c := &cobra.Command{
		Use:   "remember TEXT | --json-content FILE | --file FILE",
		Short: "Write a record to the local memory",
		Long: `Write a record to the local memory and print its id. The next push proposes it.
A content that the local memory states already with this confidence is not
written again.`,
		Example: `  contributor remember "The valve opens at 3 bar."
  contributor remember --json-content claim.json --confidence 0.9
  echo "from a pipe" | contributor remember --file -`,
		Args: cobra.MaximumNArgs(1),
		RunE: a.withHome(func(c *cobra.Command, h *agent.Home, args []string) error {
			d, err := a.draft(c, h, &f, args)
			if err != nil {
				return err
			}
			w, err := h.Remember(c.Context(), d)
			if err != nil {
				return f.named(err)
			}
			out := written{w.Record.ID, w.Record.Kind.String(), w.Record.ContentHash, w.Already}
			if w.Already {
				a.Say("already there")
			}
			return a.Print(out, func(w io.Writer) { fmt.Fprintln(w, out.Record) })
		}),
	}
	f.flags(c)
	return c
}
