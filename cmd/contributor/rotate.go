package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"consilience/agent"
)

// rotated is what rotate prints.
type rotated struct {
	Contributor string `json:"contributor"`
	NextKey     string `json:"next_public_key,omitempty"` // file for the operator
	Done        bool   `json:"done"`
}

func newRotate(a *app) *cobra.Command {
	var done bool
	c := &cobra.Command{
		Use:   "rotate",
		Short: "Go on with another key; the contributor id stays",
		Long: `Go on with another key in two steps. The first makes the key to come and prints the
file of its public half, for an operator to rotate to. The second, --done, takes it
into use. Push before the first step: what is still unsent when the operator rotates
is signed with a key that is refused.`,
		Example: `  contributor rotate
  reconciler rotate scout ~/.contributor/next-public.key
  contributor rotate --done`,
		Args: cobra.NoArgs,
		RunE: a.withHome(func(_ *cobra.Command, h *agent.Home, _ []string) error {
			r := rotated{Contributor: h.ID().String(), Done: done}
			var err error
			if done {
				err = h.Rotate()
			} else {
				r.NextKey, err = h.NextKey()
			}
			if err != nil {
				return err
			}
			return a.Print(r, r.show)
		}),
	}
	c.Flags().BoolVar(&done, "done", false, "an operator has rotated: take the key to come into use")
	return c
}

func (r rotated) show(w io.Writer) {
	if r.Done {
		fmt.Fprintf(w, "%s signs with its next key now\n", r.Contributor)
		return
	}
	fmt.Fprintf(w, "the key to come is made; an operator rotates to it with\n  reconciler rotate %s %s\nthen: contributor rotate --done\n", r.Contributor, r.NextKey)
}
