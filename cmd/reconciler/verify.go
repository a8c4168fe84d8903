package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"consilience/audit"
	"consilience/internal/cli"
	"consilience/internal/wiring"
	"consilience/reason"
	"consilience/reconcile"
)

func (a *app) verifyCommand() *cobra.Command {
	var space, one string
	c := &cobra.Command{
		Use: "verify", Short: "Recompute every hash, pair and signature; say where the fault lies", Args: cobra.NoArgs,
		Long: `Recompute every record id, content hash, relational pair and signature of a space,
or of all, from the stored bytes. A record that fails its own check is the tampered
one; a record that only refers to it is an observer; one that an author signed and
that is not there, and who refers to it, is unresolved. Exit status 1 if anything was
tampered with or is missing.`,
		Example: `  reconciler verify
  reconciler verify --space ops --record rec:3vQx1c0k`,
		RunE: func(c *cobra.Command, _ []string) error {
			r, err := a.verify(c.Context(), space, one)
			if err != nil {
				return err
			}
			if err := a.Print(r, func(w io.Writer) { printReport(w, r) }); err != nil {
				return err
			}
			if !r.Clean() {
				return cli.No()
			}
			return nil
		},
	}
	c.Flags().StringVar(&space, "space", "", "one space; default: all")
	c.Flags().StringVar(&one, "record", "", "one record of --space, an id or a unique prefix")
	return c
}

func (a *app) verify(ctx context.Context, space, one string) (audit.Report, error) {
	if one != "" && space == "" {
		return audit.Report{}, reason.New(reason.UsageError, "--record needs --space")
	}
	id, err := a.storeID()
	if err != nil {
		return audit.Report{}, err
	}
	store, err := a.openStore(ctx)
	if err != nil {
		return audit.Report{}, err
	}
	defer store.Close()
	f, err := reconcile.LoadFleet(ctx, id, wiring.Store{Store: store})
	if err != nil {
		return audit.Report{}, err
	}
	spaces, err := audited(store, f, space)
	if err != nil {
		return audit.Report{}, err
	}
	if one != "" {
		rec, err := recordID(ctx, store, space, one)
		if err != nil {
			return audit.Report{}, err
		}
		return audit.One(ctx, spaces[0], rec)
	}
	return a.auditAll(ctx, spaces)
}

// auditAll audits space after space into one report.
func (a *app) auditAll(ctx context.Context, spaces []spaceSource) (audit.Report, error) {
	bar := a.Progress("verifying records", -1)
	defer bar.Done()
	all := audit.NewReport()
	for _, s := range spaces {
		r, err := audit.Space(ctx, s, bar.Add)
		if err != nil {
			return audit.Report{}, err
		}
		all = all.With(r)
	}
	return all, nil
}

func printReport(w io.Writer, r audit.Report) {
	fmt.Fprintf(w, "%s, %d intact, %d tampered, %s, %d unresolved, %d erased\n",
		cli.Count(r.Records, "record"), r.Intact, len(r.Tampered), cli.Count(len(r.Observers), "observer"), len(r.Unresolved), len(r.Erased))
	rows := [][]string{}
	for _, f := range r.Tampered {
		rows = append(rows, []string{f.Record.String(), f.Fault, f.Evidence})
	}
	if len(rows) > 0 {
		cli.Table(w, []string{"TAMPERED", "FAULT", "EVIDENCE"}, rows)
	}
	for _, id := range r.Unresolved {
		fmt.Fprintf(w, "unresolved %s\n", id)
	}
}
