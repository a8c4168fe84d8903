package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"consilience/agent"
	"consilience/record"
)

// forgotten is what forget prints.
type forgotten struct {
	Item   record.ItemID `json:"item_id"`
	Spaces []string      `json:"spaces"` // that the next push tells
}

func newForget(a *app) *cobra.Command {
	var strength, space string
	c := &cobra.Command{
		Use:   "forget ITEM",
		Short: "Drop an item from the local state",
		Long: `Drop an item of a slice, or a record of your own, from the local state. The next
push says that the item is absent, which lowers its confidence and deletes
nothing. A record that was not pushed yet is dropped without a word.`,
		Example: `  contributor forget item:q83vEjRWeJC --strength 0.5`,
		Args:    cobra.ExactArgs(1),
		RunE: a.withHome(func(c *cobra.Command, h *agent.Home, args []string) error {
			ppm, err := ppmFlag("--strength", strength)
			if err != nil {
				return err
			}
			if err := maySpace(space); err != nil {
				return err
			}
			item, err := h.Item(c.Context(), args[0])
			if err != nil {
				return err
			}
			spaces, err := h.Forget(c.Context(), item, ppm, space)
			if err != nil {
				return err
			}
			return a.Print(forgotten{item, spaces}, func(w io.Writer) {
				if len(spaces) == 0 {
					fmt.Fprintln(w, "dropped; it was not pushed")
					return
				}
				fmt.Fprintf(w, "dropped; the next push tells %s\n", strings.Join(spaces, ", "))
			})
		}),
	}
	c.Flags().StringVar(&strength, "strength", agent.FormatPPM(agent.DefaultStrength), "how strongly you doubt it, above 0, at most 1")
	spaceFlag(c, &space, "the one space in which to drop it (default every slice that holds it)")
	return c
}
