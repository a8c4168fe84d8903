package bus_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"consilience/bus"
	"consilience/command"
	"consilience/embedded"
	"consilience/internal/testkit"
	"consilience/reason"
)

// mixed publishes n entries over three partitions and the fleet and returns what the
// reader of partition k must see of them.
func mixed(t *testing.T, b *bus.Bus, n, k int) (want []string) {
	t.Helper()
	subjects := []string{
		command.DeltaSubject(spaceIn(k, 0), author), command.DeltaSubject(spaceIn((k+1)%16, 0), author),
		"mem.fleet.enroll." + author.Token(), command.SliceSubject(spaceIn(k, 1), author),
	}
	var msgs []bus.Msg
	for i := range n {
		subject, data := subjects[i%len(subjects)], fmt.Sprint("entry ", i)
		msgs = append(msgs, bus.Msg{Subject: subject, Data: []byte(data)})
		if i%len(subjects) != 1 {
			want = append(want, subject+" "+data)
		}
	}
	if last, err := b.PublishBatch(within(t), msgs); err != nil || last != uint64(n) {
		t.Fatalf("last sequence %d, %v", last, err)
	}
	return want
}

func TestReaderGivesAPartitionAndTheFleetInLogOrder(t *testing.T) {
	t.Parallel()
	_, b := newLog(t)
	want := mixed(t, b, 1200, 5)
	r := b.Reader(5, bus.Position{})
	defer r.Close()
	var last uint64
	for i, e := range read(t, r, len(want)) {
		if got := e.Subject + " " + string(e.Data); got != want[i] || e.Seq <= last {
			t.Fatalf("entry %d is %q at %d after %d, want %q", i, got, e.Seq, last, want[i])
		}
		if e.Time.Location() != time.UTC || e.Time.Nanosecond()%1e6 != 0 {
			t.Fatalf("time %v is not in milliseconds UTC", e.Time)
		}
		last = e.Seq
	}
	if r.Position().Seq != last {
		t.Errorf("position %d, want %d", r.Position().Seq, last)
	}
}

func TestReaderGoesOnFromAnyPosition(t *testing.T) {
	t.Parallel()
	_, b := newLog(t)
	n := len(mixed(t, b, 60, 3))
	whole := read(t, b.Reader(3, bus.Position{}), n)
	for i := range whole {
		r := b.Reader(3, whole[i].Position())
		if i+1 < n {
			rest := read(t, r, n-i-1)
			if rest[0].Hash != whole[i+1].Hash {
				t.Fatalf("after entry %d comes %d", whole[i].Seq, rest[0].Seq)
			}
		}
		r.Close()
		if e, err := b.Get(within(t), whole[i].Seq); err != nil || e.Hash != whole[i].Hash {
			t.Fatalf("Get gives another hash than the reader: %v", err)
		}
	}
}

func TestFleetAndLogReader(t *testing.T) {
	t.Parallel()
	_, b := newLog(t)
	mixed(t, b, 40, 1)
	for _, e := range read(t, b.FleetReader(bus.Position{}), 10) {
		if !strings.HasPrefix(e.Subject, "mem.fleet.") {
			t.Errorf("the fleet's reader gives %s", e.Subject)
		}
	}
	for i, e := range read(t, b.LogReader(bus.Position{}), 40) {
		if e.Seq != uint64(i+1) {
			t.Errorf("the log's reader gives %d at %d", e.Seq, i)
		}
	}
}

func TestNewest(t *testing.T) {
	t.Parallel()
	_, b := newLog(t)
	publish(t, b, 1, command.DeltaSubject(spaceIn(4, 0), author), "a")
	publish(t, b, 2, command.DeltaSubject(spaceIn(5, 0), author), "b")
	for partition, want := range map[int]uint64{4: 1, 5: 2, 6: 0} {
		if got, err := b.Newest(within(t), partition); err != nil || got != want {
			t.Errorf("partition %d: %d, want %d: %v", partition, got, want, err)
		}
	}
	publish(t, b, 3, "mem.fleet.space."+author.Token(), "c")
	for _, partition := range []int{4, 6} {
		if got, err := b.Newest(within(t), partition); err != nil || got != 3 {
			t.Errorf("partition %d: %d, want the fleet's 3: %v", partition, got, err)
		}
	}
}

func TestNextWaits(t *testing.T) {
	t.Parallel()
	_, b := newLog(t)
	r := b.FleetReader(bus.Position{})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := r.Next(ctx)
	wantCode(t, err, reason.TimedOut)
	got := make(chan []bus.Entry)
	go func() {
		batch, _ := r.Next(within(t))
		got <- batch
	}()
	publish(t, b, 1, "mem.fleet.space."+author.Token(), "late")
	if batch := <-got; len(batch) != 1 || string(batch[0].Data) != "late" {
		t.Errorf("got %v", batch)
	}
}

func TestBatchIsBounded(t *testing.T) {
	t.Parallel()
	_, b := newLog(t)
	var msgs []bus.Msg
	for range 30 {
		msgs = append(msgs, bus.Msg{Subject: "mem.fleet.space." + author.Token(), Data: make([]byte, 1<<20)})
	}
	if _, err := b.PublishBatch(within(t), msgs); err != nil {
		t.Fatal(err)
	}
	r, seen := b.FleetReader(bus.Position{}), 0
	for seen < len(msgs) {
		batch, err := r.Next(within(t))
		if err != nil {
			t.Fatal(err)
		}
		if len(batch) > bus.MaxBytes>>20 {
			t.Errorf("a batch of %d MiB", len(batch))
		}
		seen += len(batch)
	}
}

func TestErasedEntryLeavesAGap(t *testing.T) {
	t.Parallel()
	_, b := newLog(t)
	for i := range uint64(4) {
		publish(t, b, i+1, "mem.fleet.space."+author.Token(), fmt.Sprint(i))
	}
	second, err := b.Get(within(t), 2)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // erasing twice is no error
		if err := b.Erase(within(t), 2); err != nil {
			t.Fatal(err)
		}
	}
	_, err = b.Get(within(t), 2)
	wantCode(t, err, reason.NotFound)
	if got := read(t, b.FleetReader(bus.Position{}), 3); got[1].Seq != 3 {
		t.Errorf("after 1 comes %d", got[1].Seq)
	}
	if got := read(t, b.FleetReader(second.Position()), 2); got[0].Seq != 3 {
		t.Errorf("from the erased entry on: %d", got[0].Seq)
	}
}

func TestReaderSurvivesARestartOfTheServer(t *testing.T) {
	t.Parallel()
	cfg := embedded.NATSConfig{Dir: t.TempDir(), Listen: testkit.FreeAddresses(t, 1)[0], Secret: "s"}
	n := testkit.NATS(t, func(c *embedded.NATSConfig) { *c = cfg })
	b := connect(t, n, bus.Options{})
	if err := b.EnsureStream(within(t)); err != nil {
		t.Fatal(err)
	}
	r := b.FleetReader(bus.Position{})
	publish(t, b, 1, "mem.fleet.space."+author.Token(), "before")
	read(t, r, 1)
	n.Stop()
	testkit.NATS(t, func(c *embedded.NATSConfig) { *c = cfg })
	publish(t, b, 2, "mem.fleet.space."+author.Token(), "after")
	for {
		batch, err := r.Next(within(t))
		if reason.Of(err) == reason.Unreachable {
			continue // while the connection is being made again
		}
		if err != nil || len(batch) != 1 || batch[0].Seq != 2 {
			t.Fatalf("after the restart: %v, %v", batch, err)
		}
		return
	}
}

// A stream that was deleted and made again, or restored from an older copy, must not
// be taken for the one that the store has read: shorter, as long or longer.
func TestAnotherLogIsNoticed(t *testing.T) {
	t.Parallel()
	for name, again := range map[string]uint64{"shorter": 1, "as long": 3, "longer": 9} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n, b := newLog(t)
			for i := range uint64(3) {
				publish(t, b, i+1, "mem.fleet.space."+author.Token(), "old")
			}
			running := b.FleetReader(bus.Position{})
			read(t, running, 3)
			remake(t, raw(t, n), func(*jetstream.StreamConfig) {})
			for i := range again {
				publish(t, b, i+1, "mem.fleet.space."+author.Token(), "new")
			}
			_, err := b.FleetReader(running.Position()).Next(within(t))
			wantCode(t, err, reason.LogRestored)
			_, err = running.Next(within(t))
			wantCode(t, err, reason.LogRestored)
		})
	}
}

func TestLogThatIsGoneIsNoticed(t *testing.T) {
	t.Parallel()
	n, b := newLog(t)
	publish(t, b, 1, "mem.fleet.space."+author.Token(), "old")
	r := b.FleetReader(bus.Position{})
	read(t, r, 1)
	if err := raw(t, n).DeleteStream(within(t), bus.StreamName); err != nil {
		t.Fatal(err)
	}
	_, err := r.Next(within(t))
	wantCode(t, err, reason.LogRestored)
}
