package bus

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"consilience/command"
	"consilience/reason"
)

// The stream, fixed for life: another name or another number of partitions is
// another log.
const (
	// StreamName is the one stream that holds the log.
	StreamName = "MEMORY"
	// MaxMessage is the largest entry in bytes, twice the largest delta: see
	// embedded.MaxPayload.
	MaxMessage = 2 << 20

	fleetSubjects = "mem.fleet.*.*"
	spaceSubjects = "mem.space.*.*.*"
)

// config is the stream as this build makes it.
func (b *Bus) config() jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name:        StreamName,
		Description: "The log of a Consilience store.",
		Subjects:    []string{fleetSubjects, spaceSubjects},
		SubjectTransform: &jetstream.SubjectTransformConfig{
			Source: spaceSubjects,
			Destination: fmt.Sprintf("mem.part.{{partition(%d,1)}}.{{wildcard(1)}}.{{wildcard(2)}}.{{wildcard(3)}}",
				command.Partitions),
		},
		Storage:   jetstream.FileStorage,
		Retention: jetstream.LimitsPolicy,
		// A publisher sees an error where the log is full; the other policy would
		// drop the oldest entries without a word.
		Discard:           jetstream.DiscardNew,
		MaxMsgs:           -1,
		MaxBytes:          -1,
		MaxMsgsPerSubject: -1,
		MaxConsumers:      -1,
		MaxMsgSize:        MaxMessage,
		// Erase deletes single entries; nothing may delete the rest.
		DenyPurge:          true,
		AllowAtomicPublish: true,
		// As short as the server takes: message ids are not used.
		Duplicates: 100 * time.Millisecond,
		Replicas:   b.replicas,
	}
}

// EnsureStream makes the stream if there is none, else verifies the one there is. It
// tries again until ctx ends while a cluster has no leader yet.
// Errors: those of [Bus.VerifyStream].
func (b *Bus) EnsureStream(ctx context.Context) error {
	err := persist(ctx, attemptTimeout, func(attempt context.Context) error {
		_, err := b.js.CreateStream(attempt, b.config())
		return err
	})
	if err == nil {
		return nil
	}
	if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
		return b.VerifyStream(ctx)
	}
	return unavailable(err, "cannot make the stream")
}

// VerifyStream checks that the stream's configuration and partition mapping are
// those of this build; another mapping would put a space's entries where no reader
// looks. Errors: [reason.StreamForeign] naming the first setting that differs,
// [reason.NotFound] without a stream, [reason.Unreachable], [reason.TimedOut].
func (b *Bus) VerifyStream(ctx context.Context) error {
	stream, err := b.js.Stream(ctx, StreamName)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return noStream(err)
	}
	if err != nil {
		return unavailable(err, "cannot read the stream's configuration")
	}
	if name := difference(stream.CachedInfo().Config, b.config()); name != "" {
		return reason.New(reason.StreamForeign, "setting %s is not this build's", name).On("stream " + StreamName).
			Advise("use the NATS account of this store, or the release that made the stream")
	}
	return nil
}

func noStream(err error) error {
	return reason.Wrap(reason.NotFound, err, "no log in this NATS account").On("stream " + StreamName).
		Advise("make one: reconciler init")
}

// free are the settings that an operator may choose: they decide where the log
// lies and how often, not what is on it.
var free = map[string]bool{
	"Description": true, "Replicas": true, "Placement": true, "Metadata": true, "Compression": true,
	"RePublish": true, "AllowDirect": true, "ConsumerLimits": true, "Duplicates": true,
}

// difference returns the name of the first setting that differs, "" if none does.
func difference(got, want jetstream.StreamConfig) string {
	g, w := reflect.ValueOf(got), reflect.ValueOf(want)
	for i := range g.NumField() {
		name := g.Type().Field(i).Name
		if !free[name] && !same(g.Field(i), w.Field(i)) {
			return name
		}
	}
	return ""
}

func same(a, b reflect.Value) bool {
	if a.Kind() == reflect.Slice && a.Len() == 0 && b.Len() == 0 {
		return true
	}
	return reflect.DeepEqual(a.Interface(), b.Interface())
}

// LastSeq is the sequence of the newest entry, 0 for an empty log.
func (b *Bus) LastSeq(ctx context.Context) (uint64, error) {
	stream, err := b.js.Stream(ctx, StreamName)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return 0, noStream(err)
	}
	if err != nil {
		return 0, unavailable(err, "cannot read the stream's state")
	}
	return stream.CachedInfo().State.LastSeq, nil
}
