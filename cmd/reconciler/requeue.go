package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"consilience/command"
	"consilience/internal/wiring"
	"consilience/reason"
	"consilience/reconcile"
	"consilience/storage/postgres"
)

func (a *app) requeueCommand() *cobra.Command {
	var wait time.Duration
	c := &cobra.Command{
		Use: "requeue SEQUENCE", Short: "Publish a refused message again, byte for byte", Args: cobra.ExactArgs(1),
		Long: `Publish a refused message again, byte for byte, once the cause of its refusal is
gone, and wait until it is merged. Exit status 1 if it is refused again.`,
		Example: "  reconciler requeue 48210",
		RunE: func(c *cobra.Command, args []string) error {
			seq, err := strconv.ParseUint(args[0], 10, 63)
			if err != nil {
				return reason.New(reason.UsageError, "not a stream sequence").On(args[0]).Advise("`reconciler rejected` lists them")
			}
			ctx, cancel := context.WithTimeout(c.Context(), wait)
			defer cancel()
			r, err := a.requeue(ctx, seq)
			if err != nil {
				return err
			}
			return a.Print(r, func(w io.Writer) {
				fmt.Fprintf(w, "sequence %d is published again as %d, and merged\n", r.Requeued, r.Sequence)
			})
		},
	}
	c.Flags().DurationVar(&wait, "wait", time.Minute, "how long to wait until it is merged")
	return c
}

// requeued is what requeue prints.
type requeued struct {
	Requeued uint64 `json:"requeued"`
	Sequence uint64 `json:"sequence"` // of the copy
}

func (a *app) requeue(ctx context.Context, seq uint64) (requeued, error) {
	r := requeued{Requeued: seq}
	store, err := a.openStore(ctx)
	if err != nil {
		return r, err
	}
	defer store.Close()
	if err := refusedBefore(ctx, store, seq); err != nil {
		return r, err
	}
	b, err := a.openBus(ctx, a.operatorKey)
	if err != nil {
		return r, err
	}
	defer b.Close()
	log := wiring.Log{Bus: b}
	if r.Sequence, err = reconcile.Requeue(ctx, log, seq); err != nil {
		return r, err
	}
	if err := store.MarkRequeued(ctx, seq, r.Sequence); err != nil {
		return r, err
	}
	partition, err := partitionOf(ctx, log, r.Sequence)
	if err != nil {
		return r, err
	}
	if err := passed(ctx, store, partition, r.Sequence); err != nil {
		return r, pending(r.Sequence, err)
	}
	return r, refusal(ctx, store, r.Sequence)
}

// refusedBefore returns an error unless the message at seq was refused.
func refusedBefore(ctx context.Context, store *postgres.Store, seq uint64) error {
	_, _, refused, err := store.Refusal(ctx, seq)
	if err == nil && !refused {
		return reason.New(reason.NotFound, "no refused message has this sequence").On(strconv.FormatUint(seq, 10)).
			Advise("`reconciler rejected` lists them")
	}
	return err
}

// partitionOf is a partition that merges the entry at seq: its space's, or any for
// a fact, which all of them see.
func partitionOf(ctx context.Context, log wiring.Log, seq uint64) (int, error) {
	m, err := log.Get(ctx, seq)
	if err != nil {
		return 0, err
	}
	subject, err := command.ParseSubject(m.Subject)
	if err != nil || subject.Class == command.ClassFleet {
		return 0, nil
	}
	return command.Partition(subject.Space), nil
}
