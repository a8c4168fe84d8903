package bus

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"consilience/reason"
)

// Bounds of a publish.
const (
	attemptTimeout = 5 * time.Second        // one attempt, an fsync on three servers included
	batchTimeout   = 30 * time.Second       // one attempt of a whole batch
	firstPause     = 20 * time.Millisecond  // before the second attempt
	longestPause   = 500 * time.Millisecond // between later ones
)

// Publish puts data on the log and returns its sequence. It tries again until ctx
// ends while the server has no leader, restarts or does not answer. An attempt whose
// answer was lost may have worked, so an entry can lie on the log twice: ids are
// unique in the store.
//
// Errors: [reason.MessageTooLarge], [reason.TimedOut], [reason.Unreachable].
func (b *Bus) Publish(ctx context.Context, subject string, data []byte) (seq uint64, err error) {
	err = persist(ctx, attemptTimeout, func(attempt context.Context) error {
		seq, err = put(attempt, b.js, subject, data)
		return err
	})
	return seq, publishFailed(err)
}

// put publishes once.
func put(ctx context.Context, js jetstream.JetStream, subject string, data []byte) (uint64, error) {
	ack, err := js.Publish(ctx, subject, data, jetstream.WithRetryAttempts(0))
	if err != nil {
		return 0, err
	}
	return ack.Sequence, nil
}

// persist calls try, each time for at most timeout, until it succeeds, fails for good,
// or ctx ends.
func persist(ctx context.Context, timeout time.Duration, try func(context.Context) error) error {
	for wait := firstPause; ; wait = min(2*wait, longestPause) {
		attempt, cancel := context.WithTimeout(ctx, timeout)
		err := try(attempt)
		cancel()
		if err == nil || !passes(err) || ctx.Err() != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return errors.Join(context.Cause(ctx), err)
		case <-time.After(wait):
		}
	}
}

// publishFailed gives a failed publish its reason.
func publishFailed(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, nats.ErrMaxPayload), errors.Is(err, jetstream.ErrStreamMessageExceedsMaximum):
		return reason.Wrap(reason.MessageTooLarge, err, "more than %d bytes", MaxMessage)
	case errors.Is(err, jetstream.ErrNoStreamResponse), errors.Is(err, nats.ErrNoResponders):
		return reason.Wrap(reason.Unreachable, err, "the log takes nothing on this subject").
			Advise("check that the server runs and the store was made: reconciler init")
	}
	return unavailable(err, "publishing to the log failed")
}
