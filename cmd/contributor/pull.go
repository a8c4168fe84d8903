package main

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"consilience/agent"
	"consilience/internal/cli"
)

func newPull(a *app) *cobra.Command {
	var space string
	var wait time.Duration
	c := &cobra.Command{
		Use:   "pull --space SPACE",
		Short: "Derive from a space: fetch, check and keep a slice",
		Long: `Fetch a slice of a space and the records that it shows, check them against the
store id, the digest and their authors' signatures, and keep them. What changed
locally is pushed first: said after the pull it would count as an echo.`,
		Example: `  contributor pull --space plant`,
		Args:    cobra.NoArgs,
		RunE: a.withHome(func(c *cobra.Command, h *agent.Home, _ []string) error {
			if err := needSpace(space); err != nil {
				return err
			}
			s, closeLink, err := a.reach(c.Context(), h)
			if err != nil {
				return err
			}
			defer closeLink()
			p, err := s.Pull(c.Context(), space, wait)
			if err != nil {
				return err
			}
			if err := a.Print(p, func(w io.Writer) { showPulled(w, p) }); err != nil || p.Pushed.Rejected() == 0 {
				return err
			}
			return cli.No()
		}),
	}
	spaceFlag(c, &space, "the space to derive from")
	c.Flags().DurationVar(&wait, "wait", defaultWait, "how long to wait for the outcomes of what is pushed first")
	return c
}

func showPulled(w io.Writer, p agent.Pulled) {
	if p.Pushed.Published > 0 || len(p.Pushed.Outcomes) > 0 {
		showPushed(w, p.Pushed)
	}
	fmt.Fprintf(w, "%s at revision %d, %s fetched", cli.Count(p.Items, "item"), p.Revision, cli.Count(p.Fetched, "record"))
	if p.Missing > 0 {
		fmt.Fprintf(w, ", %d not shown any more", p.Missing)
	}
	fmt.Fprintln(w)
}
