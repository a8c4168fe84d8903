// Package wiring connects the adapters to the rooms that declare what they need:
// a [bus.Bus] becomes the log of package reconcile. The commands and their tests
// use it, so that neither the bus nor the store knows the reconciler.
package wiring

import (
	"context"

	"consilience/bus"
	"consilience/identity"
	"consilience/reconcile"
)

// Log is the log of a store on its bus. It implements [reconcile.Log] and
// [reconcile.Announcer].
type Log struct{ Bus *bus.Bus }

var (
	_ reconcile.Log       = Log{}
	_ reconcile.Announcer = Log{}
)

// Verify implements [reconcile.Log].
func (l Log) Verify(ctx context.Context, p reconcile.Position) error {
	if err := l.Bus.VerifyStream(ctx); err != nil {
		return err
	}
	return l.Bus.Verify(ctx, place(p))
}

// Get implements [reconcile.Log].
func (l Log) Get(ctx context.Context, seq uint64) (reconcile.Message, error) {
	e, err := l.Bus.Get(ctx, seq)
	return message(e), err
}

// Newest implements [reconcile.Log].
func (l Log) Newest(ctx context.Context, partition int) (uint64, error) {
	return l.Bus.Newest(ctx, partition)
}

// Last implements [reconcile.Log].
func (l Log) Last(ctx context.Context) (uint64, error) { return l.Bus.LastSeq(ctx) }

// Open implements [reconcile.Log].
func (l Log) Open(_ context.Context, partition int, from reconcile.Position) (reconcile.Reader, error) {
	return reader{l.Bus.Reader(partition, place(from))}, nil
}

// OpenFleet implements [reconcile.Log].
func (l Log) OpenFleet(_ context.Context, from reconcile.Position) (reconcile.Reader, error) {
	return reader{l.Bus.FleetReader(place(from))}, nil
}

// OpenAll implements [reconcile.Log].
func (l Log) OpenAll(context.Context) (reconcile.Reader, error) {
	return reader{l.Bus.LogReader(bus.Position{})}, nil
}

// Publish implements [reconcile.Log].
func (l Log) Publish(ctx context.Context, subject string, data []byte) (uint64, error) {
	return l.Bus.Publish(ctx, subject, data)
}

// Announce implements [reconcile.Announcer].
func (l Log) Announce(_ context.Context, to identity.ID, sealed []byte) error {
	return l.Bus.PublishOutcome(to, sealed)
}

// Flush implements [reconcile.Announcer].
func (l Log) Flush(ctx context.Context) error { return l.Bus.Flush(ctx) }

// reader is a reader of the bus.
type reader struct{ r *bus.Reader }

// Next implements [reconcile.Reader].
func (r reader) Next(ctx context.Context) ([]reconcile.Message, error) {
	entries, err := r.r.Next(ctx)
	out := make([]reconcile.Message, len(entries))
	for i, e := range entries {
		out[i] = message(e)
	}
	return out, err
}

// Close implements [reconcile.Reader].
func (r reader) Close() { r.r.Close() }

func message(e bus.Entry) reconcile.Message {
	return reconcile.Message{Seq: e.Seq, Time: uint64(e.Time.UnixMilli()), Subject: e.Subject, Data: e.Data, Hash: e.Hash}
}

func place(p reconcile.Position) bus.Position { return bus.Position{Seq: p.Seq, Hash: p.Hash} }
