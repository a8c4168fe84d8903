package bus

import (
	"context"
	"encoding/binary"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"consilience/command"
	"consilience/reason"
	"consilience/wire"
)

// Entry is one message of the log.
type Entry struct {
	// Seq is its place in the log, from 1.
	Seq uint64
	// Subject is the subject it was published on, mem.fleet.… or mem.space.….
	Subject string
	// Time is when the server took it, in whole milliseconds, UTC.
	Time time.Time
	// Data is the message.
	Data []byte
	// Hash commits to all of the above.
	Hash [32]byte
}

// Position is a place that a reader has passed: the sequence of an entry and its
// hash. The zero Position is before the first entry.
type Position struct {
	Seq  uint64
	Hash [32]byte
}

// Position is the place of e.
func (e Entry) Position() Position { return Position{Seq: e.Seq, Hash: e.Hash} }

// newEntry returns the entry of a stored message. It returns [reason.StreamForeign]
// for one that lies in another partition than its space's.
func newEntry(seq uint64, stored string, at time.Time, data []byte) (Entry, error) {
	subject, err := published(stored)
	if err != nil {
		return Entry{}, err
	}
	e := Entry{Seq: seq, Subject: subject, Time: at.UTC().Truncate(time.Millisecond), Data: data}
	head := binary.BigEndian.AppendUint64(nil, e.Seq)
	head = binary.BigEndian.AppendUint64(head, uint64(e.Time.UnixMilli()))
	e.Hash = wire.Hash([]byte("NHE-MEMORY-ENTRY-v1\x00"), head, []byte(e.Subject), []byte{0}, e.Data)
	return e, nil
}

const storedPrefix, spacePrefix = "mem.part.", "mem.space."

// published turns the subject that the stream stores back into the one that was
// published: mem.part.<k>.<space>.… into mem.space.<space>.….
func published(stored string) (string, error) {
	rest, ok := strings.CutPrefix(stored, storedPrefix)
	if !ok {
		return stored, nil
	}
	partition, rest, _ := strings.Cut(rest, ".")
	space, _, _ := strings.Cut(rest, ".")
	if partition != strconv.Itoa(command.Partition(space)) {
		return "", reason.New(reason.StreamForeign, "an entry lies in another partition than its space's").
			Advise("the server's partition function differs from this build's")
	}
	return spacePrefix + rest, nil
}

// Get returns the entry at seq. Errors: [reason.NotFound] where there is none or it
// was erased, [reason.StreamForeign], [reason.Unreachable], [reason.TimedOut].
func (b *Bus) Get(ctx context.Context, seq uint64) (Entry, error) {
	stream, err := b.js.Stream(ctx, StreamName)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return Entry{}, noStream(err)
	}
	if err != nil {
		return Entry{}, unavailable(err, "cannot reach the log")
	}
	m, err := stream.GetMsg(ctx, seq)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return Entry{}, reason.New(reason.NotFound, "no entry at sequence %d", seq)
	}
	if err != nil {
		return Entry{}, unavailable(err, "cannot read the log")
	}
	return newEntry(m.Sequence, m.Subject, m.Time, m.Data)
}

// Newest is the sequence of the newest entry that a reader of partition is given, of
// its own or of the fleet; 0 for none.
func (b *Bus) Newest(ctx context.Context, partition int) (uint64, error) {
	return b.newest(ctx, partitionSubjects(partition))
}

// NewestFact is the sequence of the newest fact of the fleet; 0 for none.
func (b *Bus) NewestFact(ctx context.Context) (uint64, error) { return b.newest(ctx, factSubjects) }

func (b *Bus) newest(ctx context.Context, filters []string) (newest uint64, err error) {
	stream, err := b.js.Stream(ctx, StreamName)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return 0, noStream(err)
	}
	if err != nil {
		return 0, unavailable(err, "cannot reach the log")
	}
	for _, subjects := range filters {
		m, err := stream.GetLastMsgForSubject(ctx, subjects)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			continue
		}
		if err != nil {
			return 0, unavailable(err, "cannot read the log")
		}
		newest = max(newest, m.Sequence)
	}
	return newest, nil
}

// Erase removes the entry at seq from the log and overwrites its bytes on disk. The
// place stays empty; one that is empty already is no error.
func (b *Bus) Erase(ctx context.Context, seq uint64) error {
	stream, err := b.js.Stream(ctx, StreamName)
	if err != nil {
		return unavailable(err, "cannot reach the log")
	}
	err = stream.SecureDeleteMsg(ctx, seq)
	if errors.Is(err, jetstream.ErrMsgDeleteUnsuccessful) {
		// The library drops the server's reason, so look whether the place is empty.
		if _, missing := b.Get(ctx, seq); reason.Of(missing) == reason.NotFound {
			return nil
		}
	}
	return unavailable(err, "cannot erase the entry")
}
