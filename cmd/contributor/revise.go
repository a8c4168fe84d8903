package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"consilience/agent"
	"consilience/record"
)

// revised is what revise prints.
type revised struct {
	Item    record.ItemID `json:"item_id"`
	Records []record.ID   `json:"record_ids"`
}

func newRevise(a *app) *cobra.Command {
	var f content
	c := &cobra.Command{
		Use:   "revise ITEM TEXT | ITEM --json-content FILE | ITEM --file FILE",
		Short: "Put another record in place of an item",
		Long: `Put another record in place of an item of a slice, or of a record of your own
that was not pushed yet. The next push proposes it; the item itself stays in the
store and is doubted as strongly as you are sure. ITEM is an id or a prefix of at
least 8 characters that no other id has.`,
		Example: `  contributor revise item:q83vEjRWeJC "The valve opens at 4 bar."`,
		Args:    cobra.RangeArgs(1, 2),
		RunE: a.withHome(func(c *cobra.Command, h *agent.Home, args []string) error {
			item, err := h.Item(c.Context(), args[0])
			if err != nil {
				return err
			}
			d, err := a.draft(c, h, &f, args[1:])
			if err != nil {
				return err
			}
			records, err := h.Revise(c.Context(), item, d)
			if err != nil {
				return f.named(err)
			}
			out := revised{Item: item, Records: []record.ID{}}
			for _, r := range records {
				out.Records = append(out.Records, r.ID)
			}
			return a.Print(out, func(w io.Writer) {
				for _, id := range out.Records {
					fmt.Fprintln(w, id)
				}
			})
		}),
	}
	f.flags(c)
	return c
}
