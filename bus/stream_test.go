package bus_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"consilience/bus"
	"consilience/command"
	"consilience/embedded"
	"consilience/internal/testkit"
	"consilience/reason"
)

// raw is a connection without the bus's care, to do what it never would.
func raw(t *testing.T, n *embedded.NATS) jetstream.JetStream {
	t.Helper()
	nc, err := nats.Connect(n.URL(), n.Login()...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	return js
}

// streamStoreFailed is the server's code for a stream whose files it could not make.
const streamStoreFailed jetstream.ErrorCode = 10049

// remakePatience is how long a server may take to clear a deleted stream's files away.
const remakePatience = 30 * time.Second

// remake deletes the stream and makes one whose configuration change has altered.
func remake(t *testing.T, js jetstream.JetStream, change func(*jetstream.StreamConfig)) {
	t.Helper()
	stream, err := js.Stream(within(t), bus.StreamName)
	if err != nil {
		t.Fatal(err)
	}
	cfg := stream.CachedInfo().Config
	if err := js.DeleteStream(within(t), bus.StreamName); err != nil {
		t.Fatal(err)
	}
	change(&cfg)
	// The server answers a deletion before the old files are out of the way, and
	// cannot make the new store while they are.
	testkit.Eventually(t, remakePatience, "the stream is made anew", func() bool {
		_, err := js.CreateStream(within(t), cfg)
		var api *jetstream.APIError
		if errors.As(err, &api) && api.ErrorCode == streamStoreFailed {
			return false
		}
		if err != nil {
			t.Fatal(err)
		}
		return true
	})
}

func TestEnsureStreamIsIdempotent(t *testing.T) {
	t.Parallel()
	_, b := newLog(t)
	publish(t, b, 1, "mem.fleet.genesis."+author.Token(), "x")
	if err := b.EnsureStream(within(t)); err != nil {
		t.Fatal(err)
	}
	if err := b.VerifyStream(within(t)); err != nil {
		t.Error(err)
	}
	if last, err := b.LastSeq(within(t)); err != nil || last != 1 {
		t.Errorf("last sequence %d, %v", last, err)
	}
}

func TestVerifyStreamFindsAnotherStreamsSettings(t *testing.T) {
	t.Parallel()
	n, b := newLog(t)
	js := raw(t, n)
	remake(t, js, func(*jetstream.StreamConfig) {})
	if err := b.VerifyStream(within(t)); err != nil {
		t.Fatalf("a stream made the same way: %v", err)
	}
	for name, change := range map[string]func(*jetstream.StreamConfig){
		"partitions": func(c *jetstream.StreamConfig) {
			c.SubjectTransform.Destination = "mem.part.{{partition(8,1)}}.{{wildcard(1)}}.{{wildcard(2)}}.{{wildcard(3)}}"
		},
		"limit":   func(c *jetstream.StreamConfig) { c.MaxMsgs = 1000 },
		"discard": func(c *jetstream.StreamConfig) { c.Discard = jetstream.DiscardOld },
		"rollup":  func(c *jetstream.StreamConfig) { c.AllowRollup, c.DenyPurge = true, false },
		"ttl":     func(c *jetstream.StreamConfig) { c.AllowMsgTTL = true },
		"storage": func(c *jetstream.StreamConfig) { c.Storage = jetstream.MemoryStorage },
	} {
		other, b := newLog(t)
		remake(t, raw(t, other), change)
		if err := b.EnsureStream(within(t)); reason.Of(err) != reason.StreamForeign {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestStreamIsMissing(t *testing.T) {
	t.Parallel()
	b := connect(t, testkit.NATS(t), bus.Options{})
	wantCode(t, b.VerifyStream(within(t)), reason.NotFound)
	_, err := b.LastSeq(within(t))
	wantCode(t, err, reason.NotFound)
	_, err = b.Reader(0, bus.Position{}).Next(within(t))
	wantCode(t, err, reason.NotFound)
}

// The mapping of spaces to partitions is the server's; ours must be the same one.
func TestPartitionIsTheServers(t *testing.T) {
	t.Parallel()
	n, b := newLog(t)
	var msgs []bus.Msg
	for i := range 300 {
		msgs = append(msgs, bus.Msg{Subject: command.DeltaSubject(fmt.Sprintf("s%d_%x", i, i*i), author)})
	}
	if _, err := b.PublishBatch(within(t), msgs); err != nil {
		t.Fatal(err)
	}
	stream, err := raw(t, n).Stream(within(t), bus.StreamName)
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range msgs {
		stored, err := stream.GetMsg(within(t), uint64(i+1))
		if err != nil {
			t.Fatal(err)
		}
		s, err := command.ParseSubject(m.Subject)
		if err != nil || stored.Subject != s.Stored() {
			t.Fatalf("%s is stored as %s, want %s (%v)", m.Subject, stored.Subject, s.Stored(), err)
		}
		if e, err := b.Get(within(t), uint64(i+1)); err != nil || e.Subject != m.Subject {
			t.Fatalf("entry has subject %s, want %s (%v)", e.Subject, m.Subject, err)
		}
	}
}

// Nobody can drop a part of the log; only single entries are erased.
func TestLogCannotBePurged(t *testing.T) {
	t.Parallel()
	n, b := newLog(t)
	publish(t, b, 1, "mem.fleet.genesis."+author.Token(), "x")
	js := raw(t, n)
	stream, err := js.Stream(within(t), bus.StreamName)
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.Purge(within(t)); err == nil {
		t.Error("purged")
	}
	rollup := nats.NewMsg("mem.fleet.space." + author.Token())
	rollup.Header.Set("Nats-Rollup", "all")
	if _, err := js.PublishMsg(within(t), rollup); err == nil {
		t.Error("rolled up")
	}
	if _, err := b.Get(within(t), 1); err != nil {
		t.Errorf("the entry is gone: %v", err)
	}
}
