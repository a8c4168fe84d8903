package bus_test

import (
	"context"
	"errors"
	"testing"

	"github.com/nats-io/nats.go"

	"consilience/bus"
	"consilience/command"
	"consilience/embedded"
	"consilience/identity"
	"consilience/internal/testkit"
	"consilience/reason"
)

// join connects as the holder of key.
func join(t *testing.T, n *embedded.NATS, key identity.PrivateKey, options ...nats.Option) *bus.Contributor {
	t.Helper()
	c, err := bus.DialContributor(within(t), n.URL(), key, identity.ID{}, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// The acknowledgement crosses from the service's account to the contributor's.
func TestContributorGetsTheAcknowledgement(t *testing.T) {
	t.Parallel()
	n, b := newLog(t)
	c := join(t, n, newKey(t))
	subject := command.DeltaSubject("default", c.ID())
	for want := uint64(1); want <= 3; want++ {
		if seq, err := c.Publish(within(t), subject, []byte("delta")); err != nil || seq != want {
			t.Fatalf("sequence %d, want %d: %v", seq, want, err)
		}
	}
	if e, err := b.Get(within(t), 3); err != nil || e.Subject != subject || string(e.Data) != "delta" {
		t.Errorf("on the log: %+v, %v", e, err)
	}
}

// A contributor writes nothing but its own deltas.
func TestContributorCannotForge(t *testing.T) {
	t.Parallel()
	n, b := newLog(t)
	c, other := join(t, n, newKey(t)), newKey(t).Public().ID()
	for _, subject := range []string{
		command.DeltaSubject("default", other),
		"mem.fleet.quarantine." + c.ID().Token(),
		"mem.fleet.genesis." + other.Token(),
		"mem.space.default.confirm." + c.ID().Token(),
		"mem.space.default.served." + c.ID().Token(),
		"mem.space.default.slice." + c.ID().Token(),
		"mem.part.1.default.delta." + c.ID().Token(),
		"mem.outcome." + c.ID().Token(),
		"$JS.API.STREAM.DELETE." + bus.StreamName,
		"$JS.API.STREAM.INFO." + bus.StreamName,
		"$JS.API.STREAM.MSG.GET." + bus.StreamName,
		"$JS.API.INFO",
		"$SYS.REQ.SERVER.PING",
		"$SRV.PING",
	} {
		_, err := c.Publish(within(t), subject, []byte("forged"))
		wantCode(t, err, reason.PermissionDenied)
		_, err = c.Request(within(t), subject, []byte("forged"))
		wantCode(t, err, reason.PermissionDenied)
	}
	if last, err := b.LastSeq(within(t)); err != nil || last != 0 {
		t.Errorf("%d entries on the log, %v", last, err)
	}
}

// In one account, the acknowledgement of a delta that names a subject of the log as
// its reply would be stored there as an entry.
func TestReplySubjectsInjectNothing(t *testing.T) {
	t.Parallel()
	n, b := newLog(t)
	_, err := b.Serve(t.Context(), map[string]bus.Handler{
		"health": func(context.Context, bus.Request) ([]byte, error) { return []byte("injected"), nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	key := newKey(t)
	nc := rawContributor(t, n, key)
	id := key.Public().ID()
	replies := []string{
		"mem.fleet.quarantine." + id.Token(), "mem.space.default.served." + id.Token(),
		"mem.outcome." + id.Token(), "$JS.API.STREAM.DELETE.MEMORY",
	}
	for _, reply := range replies {
		for _, subject := range []string{command.DeltaSubject("default", id), "mem.api.health." + id.Token()} {
			if err := nc.PublishRequest(subject, reply, []byte("x")); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := nc.FlushWithContext(within(t)); err != nil {
		t.Fatal(err)
	}
	// A later round trip through the same account boundary shows that all of it has arrived.
	c := join(t, n, key)
	if _, err := c.Request(within(t), "mem.api.health."+id.Token(), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Publish(within(t), command.DeltaSubject("default", id), []byte("last")); err != nil {
		t.Fatal(err)
	}
	for _, e := range read(t, b.LogReader(bus.Position{}), len(replies)+1) {
		if e.Subject != command.DeltaSubject("default", id) {
			t.Errorf("injected %s: %s", e.Subject, e.Data)
		}
	}
}

// rawContributor is a contributor's connection without the bus's care.
func rawContributor(t *testing.T, n *embedded.NATS, key identity.PrivateKey) *nats.Conn {
	t.Helper()
	nc, err := nats.Connect(n.URL(), bus.KeyLogin(t, key), nats.CustomInboxPrefix("_INBOX_"+key.Public().ID().Token()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

// Headers that make JetStream do more than store are of no use to a contributor.
func TestHeadersDoNothing(t *testing.T) {
	t.Parallel()
	n, b := newLog(t)
	publish(t, b, 1, "mem.fleet.genesis."+author.Token(), "kept")
	key := newKey(t)
	nc := rawContributor(t, n, key)
	for name, value := range map[string]string{
		"Nats-Rollup": "all", "Nats-TTL": "1s", "Nats-Schedule": "@every 1s", "Nats-Incr": "1",
		"Nats-Schedule-Target": "mem.fleet.genesis." + author.Token(), "Nats-Marker-Reason": "Purge",
	} {
		m := nats.NewMsg(command.DeltaSubject("default", key.Public().ID()))
		m.Header.Set(name, value)
		if _, err := nc.RequestMsgWithContext(within(t), m); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	if e, err := b.Get(within(t), 1); err != nil || string(e.Data) != "kept" {
		t.Errorf("the first entry: %v", err)
	}
	for _, e := range read(t, b.FleetReader(bus.Position{}), 1) {
		if e.Seq != 1 {
			t.Errorf("a fleet fact at %d", e.Seq)
		}
	}
}

// A contributor hears nothing that is not its own.
func TestContributorHearsOnlyItsOwn(t *testing.T) {
	t.Parallel()
	n, b := newLog(t)
	key, other := newKey(t), newKey(t).Public().ID()
	violations := make(chan error, 16)
	nc, err := nats.Connect(n.URL(), bus.KeyLogin(t, key),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { violations <- err }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	for _, subject := range []string{
		">", "mem.>", "mem.outcome.*", command.OutcomeSubject(other), "_INBOX_" + other.Token() + ".>", "_INBOX.>", "$SYS.>",
		"mem.space.*.delta.*", "mem.api.>",
	} {
		if _, err := nc.SubscribeSync(subject); err != nil {
			t.Fatal(err)
		}
		if err := <-violations; !errors.Is(err, nats.ErrPermissionViolation) {
			t.Errorf("%s: %v", subject, err)
		}
	}
	c, heard := join(t, n, key), make(chan string, 4)
	if err := c.SubscribeOutcomes(t.Context(), func(data []byte) { heard <- string(data) }); err != nil {
		t.Fatal(err)
	}
	for id, data := range map[identity.ID]string{other: "foreign", c.ID(): "own"} {
		if err := b.PublishOutcome(id, []byte(data)); err != nil {
			t.Fatal(err)
		}
	}
	if got := <-heard; got != "own" {
		t.Errorf("heard %q", got)
	}
}

// Who a key belongs to is the store's to say: after a rotation it is the id of the
// first key, and a retired one is let in no more.
func TestIdentifyDecides(t *testing.T) {
	t.Parallel()
	first, rotated, stranger, operator := newKey(t), newKey(t), newKey(t), newKey(t)
	clients := map[identity.KeyID]embedded.Client{
		rotated.Public().KeyID():  {Role: embedded.RoleContributor, ID: first.Public().ID(), Spaces: []string{"granted"}},
		operator.Public().KeyID(): {Role: embedded.RoleCore},
	}
	n := testkit.NATS(t, func(cfg *embedded.NATSConfig) {
		cfg.Identify = func(key identity.KeyID) embedded.Client { return clients[key] }
	})
	b, err := bus.Open(within(t), n.URL(), bus.Options{Key: &operator})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	if err := b.EnsureStream(within(t)); err != nil {
		t.Fatal(err)
	}
	c, err := bus.DialContributor(within(t), n.URL(), rotated, first.Public().ID())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	if _, err := c.Publish(within(t), command.DeltaSubject("granted", c.ID()), nil); err != nil {
		t.Error(err)
	}
	_, err = c.Publish(within(t), command.DeltaSubject("other", c.ID()), nil)
	wantCode(t, err, reason.PermissionDenied)
	_, err = bus.DialContributor(within(t), n.URL(), stranger, identity.ID{})
	wantCode(t, err, reason.PermissionDenied)
	_, err = bus.Open(within(t), n.URL(), bus.Options{NATS: []nats.Option{nats.UserInfo("core", "guess")}})
	wantCode(t, err, reason.PermissionDenied)
	_, err = bus.Open(within(t), n.URL(), bus.Options{})
	wantCode(t, err, reason.PermissionDenied)
}
