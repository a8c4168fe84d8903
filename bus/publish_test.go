package bus_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"consilience/bus"
	"consilience/embedded"
	"consilience/internal/testkit"
	"consilience/reason"
)

func TestPublishRefusesWhatIsTooLarge(t *testing.T) {
	t.Parallel()
	_, b := newLog(t)
	_, err := b.Publish(within(t), "mem.fleet.space."+author.Token(), make([]byte, bus.MaxMessage+1))
	wantCode(t, err, reason.MessageTooLarge)
	// Twice the limit of a delta must pass, so that the refusal has a reason.
	publish(t, b, 1, "mem.fleet.space."+author.Token(), string(make([]byte, bus.MaxMessage-1024)))
}

func TestPublishGivesUpWithItsContext(t *testing.T) {
	t.Parallel()
	b := connect(t, testkit.NATS(t), bus.Options{}) // no stream
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_, err := b.Publish(ctx, "mem.fleet.space."+author.Token(), nil)
	if got := reason.ClassOf(err); err == nil || got != reason.Unavailable {
		t.Errorf("class %v: %v", got, err)
	}
}

func TestPublishWaitsForARestart(t *testing.T) {
	t.Parallel()
	cfg := embedded.NATSConfig{Dir: t.TempDir(), Listen: testkit.FreeAddresses(t, 1)[0], Secret: "s"}
	n := testkit.NATS(t, func(c *embedded.NATSConfig) { *c = cfg })
	b := connect(t, n, bus.Options{})
	if err := b.EnsureStream(within(t)); err != nil {
		t.Fatal(err)
	}
	n.Stop()
	result := make(chan error)
	go func() {
		_, err := b.Publish(within(t), "mem.fleet.space."+author.Token(), []byte("patient"))
		result <- err
	}()
	testkit.NATS(t, func(c *embedded.NATSConfig) { *c = cfg })
	if err := <-result; err != nil {
		t.Error(err)
	}
}

func TestPublishBatchKeepsOrderAcrossChunks(t *testing.T) {
	t.Parallel()
	for name, atomic := range map[string]bool{"atomic": true, "one by one": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n, b := newLog(t)
			count := 2345
			if !atomic {
				count = 40
				remake(t, raw(t, n), func(c *jetstream.StreamConfig) { c.AllowAtomicPublish = false })
			}
			var msgs []bus.Msg
			for i := range count {
				msgs = append(msgs, bus.Msg{Subject: "mem.fleet.space." + author.Token(), Data: fmt.Append(nil, i)})
			}
			last, err := b.PublishBatch(within(t), msgs)
			if err != nil || last != uint64(count) {
				t.Fatalf("last %d, %v", last, err)
			}
			for i, e := range read(t, b.FleetReader(bus.Position{}), count) {
				if string(e.Data) != fmt.Sprint(i) {
					t.Fatalf("entry %d is %s", i, e.Data)
				}
			}
		})
	}
}
