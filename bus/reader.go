package bus

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"consilience/reason"
)

// Bounds of a reader.
const (
	// MaxEntries and MaxBytes end a batch; a single larger entry is a batch of its own.
	MaxEntries = 500
	MaxBytes   = 2 << 20

	// idle is how long a reader waits for an entry before it checks that the log
	// is still the same: a log made anew would keep it waiting for ever.
	idle = 5 * time.Second
	// drain is how long a batch waits for an entry that is on its way.
	drain = 2 * time.Millisecond

	pullExpiry = 5 * time.Second
	heartbeat  = time.Second
	// unused is after how long the server forgets a reader that asks for nothing.
	unused = time.Minute
)

// Reader gives the entries of some subjects in log order. It is for one goroutine.
type Reader struct {
	bus      *Bus
	filters  []string
	last     Position // of the newest entry given out
	consumer string   // the server-side consumer that gave it
	messages jetstream.MessagesContext
}

// Reader reads partition's entries and the fleet's facts after from. No entry is
// given twice by one reader, and none is left out.
func (b *Bus) Reader(partition int, from Position) *Reader {
	return &Reader{bus: b, last: from, filters: partitionSubjects(partition)}
}

// partitionSubjects are the stored subjects that a reader of partition is given.
func partitionSubjects(partition int) []string {
	return []string{fmt.Sprintf("mem.part.%d.>", partition), "mem.fleet.>"}
}

// factSubjects are those of the fleet's facts.
var factSubjects = []string{"mem.fleet.>"}

// FleetReader reads the fleet's facts alone.
func (b *Bus) FleetReader(from Position) *Reader {
	return &Reader{bus: b, last: from, filters: factSubjects}
}

// LogReader reads the whole log.
func (b *Bus) LogReader(from Position) *Reader {
	return &Reader{bus: b, last: from, filters: []string{"mem.part.>", "mem.fleet.>"}}
}

// Position is the place of the newest entry given out.
func (r *Reader) Position() Position { return r.last }

// Next waits for an entry, then returns it with those that are there already, at
// most [MaxEntries] and about [MaxBytes].
//
// Errors: [reason.TimedOut] when ctx ends, [reason.Unreachable] while the server
// does not answer; the next call goes on where the last batch ended.
// [reason.LogRestored] and [reason.StreamForeign] are final.
func (r *Reader) Next(ctx context.Context) ([]Entry, error) {
	first, err := r.first(ctx)
	if err != nil {
		return nil, err
	}
	batch, bytes := []Entry{first}, len(first.Data)
	for len(batch) < MaxEntries && bytes < MaxBytes {
		e, err := r.read(ctx, jetstream.NextMaxWait(drain))
		if err != nil {
			break // a lasting error shows again at the next call
		}
		batch, bytes = append(batch, e), bytes+len(e.Data)
	}
	return batch, nil
}

// first waits for an entry until ctx ends.
func (r *Reader) first(ctx context.Context) (Entry, error) {
	for {
		if err := r.open(ctx); err != nil {
			return Entry{}, err
		}
		e, err := r.readFor(ctx, idle)
		switch {
		case err == nil:
			return e, nil
		case ctx.Err() != nil:
			return Entry{}, unavailable(ctx.Err(), "no entry")
		case final(err):
			return Entry{}, err
		case r.messages == nil:
			continue // the consumer failed: open verifies the log and makes another
		}
		if err := r.bus.Verify(ctx, r.last); err != nil {
			return Entry{}, err
		}
	}
}

func final(err error) bool {
	code := reason.Of(err)
	return code == reason.LogRestored || code == reason.StreamForeign
}

// open makes the consumer unless there is one.
func (r *Reader) open(ctx context.Context) error {
	if r.messages != nil {
		return nil
	}
	if err := r.bus.Verify(ctx, r.last); err != nil {
		return err
	}
	consumer, err := r.bus.js.OrderedConsumer(ctx, StreamName, jetstream.OrderedConsumerConfig{
		FilterSubjects: r.filters,
		DeliverPolicy:  jetstream.DeliverByStartSequencePolicy,
		OptStartSeq:    r.last.Seq + 1,
		// More attempts would go on after ctx has ended; this reader makes its own.
		MaxResetAttempts:  1,
		InactiveThreshold: unused,
	})
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return noStream(err)
	}
	if err != nil {
		return unavailable(err, "cannot read the log")
	}
	messages, err := consumer.Messages(
		jetstream.PullMaxMessagesWithBytesLimit(MaxEntries, 2*MaxBytes),
		jetstream.PullExpiry(pullExpiry), jetstream.PullHeartbeat(heartbeat))
	if err != nil {
		return unavailable(err, "cannot read the log")
	}
	r.messages, r.consumer = messages, ""
	return nil
}

// readFor reads one entry, waiting at most d.
func (r *Reader) readFor(ctx context.Context, d time.Duration) (Entry, error) {
	waiting, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	return r.read(ctx, jetstream.NextContext(waiting))
}

// read reads one entry. After a failure other than waiting in vain the consumer is
// given up.
func (r *Reader) read(ctx context.Context, wait jetstream.NextOpt) (Entry, error) {
	msg, err := r.messages.Next(wait)
	if errors.Is(err, nats.ErrTimeout) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return Entry{}, err
	}
	if err == nil {
		var e Entry
		if e, err = r.accept(ctx, msg); err == nil {
			return e, nil
		}
	}
	r.Close()
	return Entry{}, err
}

// accept takes msg as the next entry. A consumer dies with its stream, so as long as
// it is the same one, the log is; when the library has made another, the log is
// verified first.
func (r *Reader) accept(ctx context.Context, msg jetstream.Msg) (Entry, error) {
	meta, err := msg.Metadata()
	if err != nil {
		return Entry{}, unavailable(err, "an entry without its place in the log")
	}
	if r.consumer != "" && meta.Consumer != r.consumer {
		if err := r.bus.Verify(ctx, r.last); err != nil {
			return Entry{}, err
		}
	}
	e, err := newEntry(meta.Sequence.Stream, msg.Subject(), meta.Timestamp, msg.Data())
	if err != nil {
		return Entry{}, err
	}
	r.consumer, r.last = meta.Consumer, e.Position()
	return e, nil
}

// Close gives up what the reader holds on the server; a later Next would make it anew.
func (r *Reader) Close() {
	if r.messages != nil {
		r.messages.Stop()
		r.messages = nil
	}
}
