package bus

import (
	"context"

	"github.com/nats-io/nats.go"

	"consilience/command"
	"consilience/identity"
)

// PublishOutcome tells contributor what became of a delta. It is not kept: the store
// keeps the outcome and answers it to who asks.
func (b *Bus) PublishOutcome(contributor identity.ID, data []byte) error {
	return unavailable(b.nc.Publish(command.OutcomeSubject(contributor), data), "cannot publish the outcome")
}

// SubscribeOutcomes calls hear with each outcome for contributor, one at a time,
// until ctx ends. It returns once nothing published later is missed.
func (b *Bus) SubscribeOutcomes(ctx context.Context, contributor identity.ID, hear func(data []byte)) error {
	return subscribeOutcomes(ctx, b.nc, contributor, hear)
}

func subscribeOutcomes(ctx context.Context, nc *nats.Conn, contributor identity.ID, hear func([]byte)) error {
	sub, err := nc.Subscribe(command.OutcomeSubject(contributor), func(m *nats.Msg) { hear(m.Data) })
	if err != nil {
		return unavailable(err, "cannot hear outcomes")
	}
	context.AfterFunc(ctx, func() { sub.Unsubscribe() })
	return flush(ctx, nc)
}
