package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"consilience/agent"
	"consilience/internal/cli"
)

func newVerify(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "verify",
		Short: "Check every record of the local memory",
		Long: `Check every record of the local memory: its content against its hash, its id
against what it commits to, and the records it refers to against the hashes they
had. A record that only refers to an altered one is an observer, not altered.

Exit status 1 if a record was altered.`,
		Example: `  contributor verify --json`,
		Args:    cobra.NoArgs,
		RunE: a.withHome(func(c *cobra.Command, h *agent.Home, _ []string) error {
			bar := a.Progress("checking", -1)
			r, err := h.Verify(c.Context(), func() { bar.Add(1) })
			bar.Done()
			if err != nil {
				return err
			}
			if err := a.Print(r, func(w io.Writer) { showReport(w, r) }); err != nil || len(r.Tampered) == 0 {
				return err
			}
			return cli.No()
		}),
	}
}

func showReport(w io.Writer, r agent.Report) {
	fmt.Fprintf(w, "%s, %d intact, %s, %d unresolved, %d erased, %d in an unknown form\n",
		cli.Count(r.Records, "record"), r.Intact, cli.Count(len(r.Observers), "observer"), len(r.Unresolved), len(r.Erased), len(r.Unchecked))
	if len(r.Tampered) == 0 {
		return
	}
	var rows [][]string
	for _, f := range r.Tampered {
		rows = append(rows, []string{f.Record.String(), f.Fault, f.Evidence})
	}
	cli.Table(w, []string{"ALTERED", "FAULT", "EVIDENCE"}, rows)
}
