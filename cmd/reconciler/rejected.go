package main

import (
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"consilience/internal/cli"
	"consilience/internal/wiring"
	"consilience/reason"
	"consilience/reconcile"
)

func (a *app) rejectedCommand() *cobra.Command {
	var space string
	var limit int
	c := &cobra.Command{
		Use: "rejected", Short: "Messages that were refused, and the reason", Args: cobra.NoArgs,
		Long: `List messages that were refused, newest first, each with its reason. A refused
message stays on the log; once the cause is gone, requeue publishes the same bytes
again.`,
		Example: `  reconciler rejected --space ops
  reconciler rejected --json`,
		RunE: func(c *cobra.Command, _ []string) error {
			store, err := a.openStore(c.Context())
			if err != nil {
				return err
			}
			defer store.Close()
			rows, err := store.Rejections(c.Context(), space, limit)
			if err != nil {
				return err
			}
			return a.Print(rows, func(w io.Writer) {
				table := [][]string{}
				for _, r := range rows {
					table = append(table, []string{strconv.FormatUint(r.Seq, 10), r.Reason, r.Subject, r.Detail})
				}
				cli.Table(w, []string{"SEQUENCE", "REASON", "SUBJECT", "DETAIL"}, table)
			})
		},
	}
	c.Flags().StringVar(&space, "space", "", "one space only")
	c.Flags().IntVar(&limit, "limit", 100, "at most so many")
	return c
}

func (a *app) requeueCommand() *cobra.Command {
	return &cobra.Command{
		Use: "requeue SEQUENCE", Short: "Publish a refused message again, byte for byte", Args: cobra.ExactArgs(1),
		Example: "  reconciler requeue 48210",
		RunE: func(c *cobra.Command, args []string) error {
			seq, err := strconv.ParseUint(args[0], 10, 64)
			if err != nil {
				return reason.New(reason.UsageError, "not a stream sequence").On(args[0]).Advise("`reconciler rejected` lists them")
			}
			store, err := a.openStore(c.Context())
			if err != nil {
				return err
			}
			defer store.Close()
			if _, _, refused, err := store.Refusal(c.Context(), seq); err != nil || !refused {
				if err == nil {
					err = reason.New(reason.NotFound, "no refused message has this sequence").On(args[0]).Advise("`reconciler rejected` lists them")
				}
				return err
			}
			b, err := a.openBus(c.Context(), a.operatorKey)
			if err != nil {
				return err
			}
			defer b.Close()
			again, err := reconcile.Requeue(c.Context(), wiring.Log{Bus: b}, seq)
			if err != nil {
				return err
			}
			return a.Print(map[string]uint64{"requeued": seq, "sequence": again}, func(w io.Writer) {
				fmt.Fprintf(w, "sequence %d is published again as %d\n", seq, again)
			})
		},
	}
}
