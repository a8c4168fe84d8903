package reconcile

import (
	"context"
	"time"

	"consilience/command"
	"consilience/reason"
)

// Progress is how far a store has come with its log.
type Progress struct {
	Revision uint64 // every entry up to it is merged
	Last     uint64 // the newest entry of the log
	Stopped  []Position
}

// Positions is the part of the store that tells how far it has come.
type Positions interface {
	Positions(ctx context.Context) ([]Position, error)
}

// Reached compares the positions with what the log holds for each partition.
func Reached(ctx context.Context, log Log, store Positions) (Progress, error) {
	last, err := log.Last(ctx)
	if err != nil {
		return Progress{}, err
	}
	p := Progress{Revision: last, Last: last}
	positions, err := store.Positions(ctx)
	if err != nil {
		return Progress{}, err
	}
	for _, pos := range positions {
		if pos.Stopped != "" {
			p.Stopped = append(p.Stopped, pos)
		}
		newest, err := log.Newest(ctx, pos.Partition)
		if err != nil {
			return Progress{}, err
		}
		// A partition that has merged all it will be given has passed the gaps after it too.
		if pos.Seq < newest {
			p.Revision = min(p.Revision, pos.Seq)
		}
	}
	return p, nil
}

// WaitFor returns once the space has merged every entry up to seq that concerns
// it. Whether it is beyond seq by then shows in its revision, read together with
// what the caller wants to know. WaitFor returns reason.PartitionHalted if the
// space's partition stands still before seq, and reason.TimedOut when ctx ends.
func WaitFor(ctx context.Context, log Log, store Positions, space string, seq uint64) error {
	for {
		reached, err := passed(ctx, log, store, command.Partition(space), seq)
		switch {
		case reached:
			return nil
		case ctx.Err() != nil: // also where it ended inside a look-up
			return reason.Wrap(reason.TimedOut, ctx.Err(), "the space has not reached sequence %d", seq)
		case err != nil:
			return err
		}
		sleep(ctx, 20*time.Millisecond)
	}
}

// passed reports whether the partition has merged all it is given up to seq.
func passed(ctx context.Context, log Log, store Positions, partition int, seq uint64) (bool, error) {
	positions, err := store.Positions(ctx)
	if err != nil {
		return false, err
	}
	for _, pos := range positions {
		switch {
		case pos.Partition != partition:
			continue
		case pos.Seq >= seq:
			return true, nil
		case pos.Stopped != "":
			return false, reason.New(reason.PartitionHalted, "the space's partition stands still at sequence %d", pos.Seq)
		}
		newest, err := log.Newest(ctx, partition)
		if err != nil {
			return false, err
		}
		last, err := log.Last(ctx)
		return newest == pos.Seq && last >= seq, err
	}
	return false, reason.New(reason.NotFound, "the store has no such partition")
}
