package bus

import (
	"context"
	"errors"

	"github.com/nats-io/nats.go/jetstream"

	"consilience/reason"
)

// Verify checks that the log is the one, and at least as long, as when its reader
// stood at p: the entry there has the same hash. An erased entry has none and
// passes, since no other log has a gap at that place.
//
// Errors: [reason.LogRestored] where the stream was deleted, made anew or restored
// from an older copy; [reason.Unreachable], [reason.TimedOut].
func (b *Bus) Verify(ctx context.Context, p Position) error {
	if p.Seq == 0 {
		return nil
	}
	stream, err := b.js.Stream(ctx, StreamName)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return restored(p, "the log is gone")
	}
	if err != nil {
		return unavailable(err, "cannot reach the log")
	}
	state := stream.CachedInfo().State
	if state.LastSeq < p.Seq || state.FirstSeq > p.Seq {
		return restored(p, "the log does not reach there")
	}
	e, err := b.Get(ctx, p.Seq)
	switch {
	case reason.Of(err) == reason.NotFound:
		return nil
	case err != nil:
		return err
	case e.Hash != p.Hash:
		return restored(p, "another entry lies there")
	}
	return nil
}

func restored(p Position, detail string) error {
	return reason.New(reason.LogRestored, "the store has read up to sequence %d, but %s", p.Seq, detail).
		Advise("restore the newest copy of the log, or rebuild the store from this one: reconciler replay")
}
