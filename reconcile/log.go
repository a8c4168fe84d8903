package reconcile

import (
	"context"
	"time"

	"consilience/identity"
)

// Message is one entry of the log.
type Message struct {
	Seq     uint64   // sequence in the stream, from 1
	Time    uint64   // when the stream stored it, Unix milliseconds
	Subject string   // as published: mem.space.… or mem.fleet.…
	Data    []byte   // as published
	Hash    [32]byte // commits to all of the above; see docs/wire.cddl
}

// Log is the ordered log of one store. Its order is total: whoever reads a
// partition twice reads the same messages in the same order.
type Log interface {
	// Verify returns reason.LogRestored unless the log holds, at p.Seq, the entry
	// with p.Hash, or held it and erased it, and reason.StreamForeign if the
	// stream is not set up as this build's. It MUST NOT answer from memory: it is
	// how a log that was restored from an older copy is found.
	Verify(ctx context.Context, p Position) error
	// Get returns the entry at seq, or reason.NotFound if the log does not hold it.
	Get(ctx context.Context, seq uint64) (Message, error)
	// Newest is the largest sequence that a reader of the partition will be given
	// of what the log holds now; 0 for none.
	Newest(ctx context.Context, partition int) (uint64, error)
	// Last is the sequence of the newest entry, 0 for an empty log.
	Last(ctx context.Context) (uint64, error)
	// Open returns a reader of the partition's entries and of every fleet fact,
	// in log order, after from.
	Open(ctx context.Context, partition int, from Position) (Reader, error)
	// OpenFleet returns a reader of the fleet facts alone.
	OpenFleet(ctx context.Context, from Position) (Reader, error)
	// OpenAll returns a reader of the whole log, from its beginning.
	OpenAll(ctx context.Context) (Reader, error)
	// Publish returns once the log has stored data durably, with its sequence. If
	// it returns an error the message may be stored or not, or twice; that does no
	// harm, since ids are unique in the store.
	Publish(ctx context.Context, subject string, data []byte) (uint64, error)
}

// Reader reads forward. It keeps nothing on the log and acknowledges nothing. It
// is for one goroutine.
type Reader interface {
	// Next waits for a message and returns it with those that are there already.
	//
	// It MUST NOT leave out a message of its filter, nor hand out one of another
	// log: where the connection or the server's side of the reader was renewed, it
	// first verifies that the log still holds the entry it gave last, and returns
	// reason.LogRestored if not. After any error the caller opens another reader
	// at the position in the store.
	Next(ctx context.Context) ([]Message, error)
	// Close gives the reader up. It may be called more than once.
	Close()
}

// BatchLimits bound what one transaction merges, and so the memory it takes.
type BatchLimits struct {
	Messages int // defaults to 512
	Bytes    int // defaults to 256 KiB; one message may exceed it, alone
}

// cut returns how many of msgs, at least one, fit one batch.
func (l BatchLimits) cut(msgs []Message) int {
	bytes := 0
	for i, m := range msgs {
		bytes += len(m.Data)
		if i > 0 && (i == l.Messages || bytes > l.Bytes) {
			return i
		}
	}
	return len(msgs)
}

// Announcer publishes outcomes to whoever listens. It is told after the commit
// and keeps nothing: an outcome that nobody hears is answered by request.
type Announcer interface {
	// Announce publishes a sealed outcome to the contributor's subject.
	Announce(ctx context.Context, to identity.ID, sealed []byte) error
	// Flush returns once everything announced has left this process.
	Flush(ctx context.Context) error
}

// Clock is the wall clock of the edge: it times requests and waits, and never
// decides what the store becomes.
type Clock interface {
	Now() time.Time
}

// SystemClock is the clock of the machine.
type SystemClock struct{}

// Now is time.Now.
func (SystemClock) Now() time.Time { return time.Now() }
