package bus_test

import (
	"fmt"
	"strings"
	"testing"

	"consilience/bus"
	"consilience/embedded"
	"consilience/internal/testkit"
	"consilience/reason"
)

// leader waits until one of servers leads the stream and returns it.
func leader(t *testing.T, servers []*embedded.NATS) (found *embedded.NATS) {
	t.Helper()
	testkit.Eventually(t, patience, "the stream has a leader", func() bool {
		for _, n := range servers {
			if n.Leads(bus.StreamName) {
				found = n
				return true
			}
		}
		return false
	})
	return found
}

// Three servers keep the log; the one that leads it goes away in the midst of
// publishing and reading. Everything acknowledged is there, and read once, in order.
func TestFailover(t *testing.T) {
	t.Parallel()
	servers := testkit.Cluster(t)
	var urls []string
	for _, n := range servers {
		urls = append(urls, n.URL())
	}
	opts := bus.Options{Replicas: 3, NATS: servers[0].Login()}
	b, err := bus.Open(within(t), strings.Join(urls, ","), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	if err := b.EnsureStream(within(t)); err != nil {
		t.Fatal(err)
	}
	const n = 60
	acknowledged := make(chan string, n)
	go func() {
		defer close(acknowledged)
		for i := range n {
			if i == n/2 {
				leader(t, servers).Stop()
			}
			data := fmt.Sprint(i)
			if _, err := b.Publish(within(t), "mem.fleet.space."+author.Token(), []byte(data)); err != nil {
				t.Error(err)
				return
			}
			acknowledged <- data
		}
	}()
	r, seen, last := b.FleetReader(bus.Position{}), map[string]bool{}, uint64(0)
	for want := range acknowledged {
		for !seen[want] {
			batch, err := r.Next(within(t))
			if code := reason.Of(err); err != nil && code != reason.Unreachable && code != reason.TimedOut {
				t.Fatal(err)
			}
			for _, e := range batch {
				if e.Seq != last+1 {
					t.Fatalf("after %d comes %d", last, e.Seq)
				}
				last, seen[string(e.Data)] = e.Seq, true
			}
		}
	}
	if len(seen) != n {
		t.Errorf("read %d of %d", len(seen), n)
	}
}
