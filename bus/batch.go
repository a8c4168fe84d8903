package bus

import (
	"context"
	"errors"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/synadia-io/orbit.go/jetstreamext"
)

// Bounds of one atomic batch: the server takes 1000 messages, and stages them all
// in memory before it commits.
const (
	batchMessages = 1000
	batchBytes    = 8 << 20
)

// Msg is a message to publish.
type Msg struct {
	Subject string
	Data    []byte
}

// PublishBatch puts msgs on the log, in order, and returns the sequence of the last.
// It is for bulk: one sync to disk for up to 1000 messages makes it some twenty
// times as fast as [Bus.Publish]. Each chunk is atomic, the whole is not; after an
// error any prefix of msgs may lie on the log.
//
// Errors: those of [Bus.Publish].
func (b *Bus) PublishBatch(ctx context.Context, msgs []Msg) (last uint64, err error) {
	for len(msgs) > 0 {
		n := chunk(msgs)
		if last, err = b.publishChunk(ctx, msgs[:n]); err != nil {
			return last, err
		}
		msgs = msgs[n:]
	}
	return last, nil
}

// chunk returns how many of msgs, at least one, fit in one batch.
func chunk(msgs []Msg) int {
	bytes := 0
	for i, m := range msgs {
		bytes += len(m.Subject) + len(m.Data)
		if i > 0 && (i == batchMessages || bytes > batchBytes) {
			return i
		}
	}
	return len(msgs)
}

// publishChunk publishes msgs at once, or one by one where the server does not do
// that: an older one, a stream without it, too many batches open.
func (b *Bus) publishChunk(ctx context.Context, msgs []Msg) (seq uint64, err error) {
	if len(msgs) > 1 {
		err = persist(ctx, batchTimeout, func(attempt context.Context) error {
			seq, err = b.putAtomically(attempt, msgs)
			return err
		})
		if !declined(err) {
			return seq, publishFailed(err)
		}
	}
	for _, m := range msgs {
		if seq, err = b.Publish(ctx, m.Subject, m.Data); err != nil {
			return seq, err
		}
	}
	return seq, nil
}

func (b *Bus) putAtomically(ctx context.Context, msgs []Msg) (uint64, error) {
	batch := make([]*nats.Msg, len(msgs))
	for i, m := range msgs {
		batch[i] = nats.NewMsg(m.Subject) // with a header: the library writes into it
		batch[i].Data = m.Data
	}
	ack, err := jetstreamext.PublishMsgBatch(ctx, b.js, batch)
	if err != nil {
		return 0, err
	}
	return ack.Sequence, nil
}

// declined reports whether the server answered that it does not take the batch, so
// that nothing of it lies on the log.
func declined(err error) bool {
	var api jetstream.JetStreamError
	return errors.As(err, &api) && api.APIError() != nil && !passes(err)
}
