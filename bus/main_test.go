package bus_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"testing"
	"time"

	"consilience/bus"
	"consilience/command"
	"consilience/embedded"
	"consilience/identity"
	"consilience/internal/testkit"
	"consilience/reason"
)

// patience bounds everything that a test waits for.
const patience = 30 * time.Second

// within is a context that ends the test's waiting, not its proof.
func within(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}

// connect opens the service's connection to n.
func connect(t *testing.T, n *embedded.NATS, opts bus.Options) *bus.Bus {
	t.Helper()
	opts.NATS = append(opts.NATS, n.Login()...)
	b, err := bus.Open(within(t), n.URL(), opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

// newLog starts a server and makes the stream.
func newLog(t *testing.T) (*embedded.NATS, *bus.Bus) {
	t.Helper()
	n := testkit.NATS(t)
	b := connect(t, n, bus.Options{})
	if err := b.EnsureStream(within(t)); err != nil {
		t.Fatal(err)
	}
	return n, b
}

// newKey makes a key.
func newKey(t *testing.T) identity.PrivateKey {
	t.Helper()
	key, err := identity.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// publish puts data on the log and checks that it gets the sequence want.
func publish(t *testing.T, b *bus.Bus, want uint64, subject, data string) {
	t.Helper()
	seq, err := b.Publish(within(t), subject, []byte(data))
	if err != nil || seq != want {
		t.Fatalf("publish: sequence %d (want %d), %v", seq, want, err)
	}
}

// read reads n entries.
func read(t *testing.T, r *bus.Reader, n int) (entries []bus.Entry) {
	t.Helper()
	for len(entries) < n {
		batch, err := r.Next(within(t))
		if err != nil {
			t.Fatalf("after %d entries: %v", len(entries), err)
		}
		entries = append(entries, batch...)
	}
	if len(entries) != n {
		t.Fatalf("read %d entries, want %d", len(entries), n)
	}
	return entries
}

// wantCode checks an error's reason.
func wantCode(t *testing.T, err error, code reason.Code) {
	t.Helper()
	if got := reason.Of(err); got != code {
		t.Errorf("reason %q, want %q: %v", got, code, err)
	}
}

var author = identity.ID{1, 2, 3}

// spaceIn returns the n-th space whose entries lie in partition k.
func spaceIn(k, n int) string {
	for i := 0; ; i++ {
		space := fmt.Sprintf("space-%d", i)
		if command.Partition(space) == k {
			if n--; n < 0 {
				return space
			}
		}
	}
}
