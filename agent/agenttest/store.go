// Package agenttest is a store in memory for tests of the contributor's side.
//
// The NATS server, the log on it and every message are real: [Start] runs NATS,
// founds a store, and a [Store] folds the log with the rooms that a reconciler
// folds it with (fleet, merge) and answers mem.api.* with signed replies. Only
// Postgres is left out: the state of a space is a map.
package agenttest

import (
	"context"
	"crypto/rand"
	"path/filepath"
	"sync"
	"testing"

	"consilience/bus"
	"consilience/command"
	"consilience/delta"
	"consilience/embedded"
	"consilience/fleet"
	"consilience/identity"
	"consilience/internal/cli"
	"consilience/internal/testkit"
	"consilience/reason"
	"consilience/wire"
)

// Store is a store in memory over a real log.
type Store struct {
	URL      string
	ID       [32]byte
	Operator identity.PrivateKey
	Service  identity.PrivateKey

	t       testing.TB
	bus     *bus.Bus
	genesis []byte
	serving sync.WaitGroup

	mu       sync.Mutex
	tamper   func(body any) any
	admit    bool       // the server lets a contributor send to the spaces of its enrolment only
	changed  *sync.Cond // after every batch
	fleet    *fleet.State
	last     uint64
	spaces   map[string]*space
	outcomes map[delta.ID]command.Outcome // the first of each delta
	slices   map[[32]byte]delta.Slice
	deltas   []delta.Message // every delta on the log, in order
	raw      [][]byte        // their bytes
}

// Start runs a server with a store that nobody serves yet: the log takes deltas,
// and no request is answered until [Store.Serve].
func Start(t testing.TB) *Store {
	t.Helper()
	s := &Store{
		t: t, Operator: Key(t), Service: Key(t), spaces: map[string]*space{},
		outcomes: map[delta.ID]command.Outcome{}, slices: map[[32]byte]delta.Slice{},
	}
	s.changed = sync.NewCond(&s.mu)
	nats := testkit.NATS(t, func(c *embedded.NATSConfig) { c.Identify = s.identify })
	s.URL = nats.URL()
	var err error
	if s.bus, err = bus.Open(t.Context(), s.URL, bus.Options{NATS: nats.InProcess()}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.bus.Close)
	if err := s.bus.EnsureStream(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.found()
	return s
}

// found publishes the genesis.
func (s *Store) found() {
	c := command.Command{Kind: command.KindGenesis, Body: command.Genesis{
		Operators: []identity.PublicKey{s.Operator.Public()}, Services: []identity.PublicKey{s.Service.Public()}, Threshold: 1,
	}}
	_, _ = rand.Read(c.Nonce[:])
	s.ID = command.StoreID(c.Encode())
	s.fleet = fleet.New(s.ID)
	s.genesis = command.Seal(c, s.Operator)
	s.Publish(command.SubjectFor(command.KindGenesis, "", s.Operator.Public().ID()), s.genesis)
}

// identify lets everybody in: operator and service as such, all others as
// contributors of their own.
func (s *Store) identify(kid identity.KeyID) embedded.Client {
	if kid == s.Operator.Public().KeyID() || kid == s.Service.Public().KeyID() {
		return embedded.Client{Role: embedded.RoleCore}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	client := embedded.Client{Role: embedded.RoleContributor, ID: identity.ID(kid)}
	if s.admit {
		client.Spaces = []string{}
	}
	view := s.fleet.At(s.last + 1)
	if _, owner, current, known := view.Key(kid); known && current {
		client.ID = owner
		if c, _ := view.Contributor(owner); s.admit {
			client.Spaces = append(client.Spaces, c.Spaces...)
		}
	}
	return client
}

// Admit makes the server let those that connect from now on send deltas to the spaces
// of their enrolment only, as the server of a dev store does.
func (s *Store) Admit() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.admit = true
}

// Tamper lets change alter the bodies of replies before they are signed; nil ends it.
func (s *Store) Tamper(change func(body any) any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tamper = change
}

// Key makes a key.
func Key(t testing.TB) identity.PrivateKey {
	t.Helper()
	k, err := identity.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// Publish puts an entry on the log.
func (s *Store) Publish(subject string, data []byte) {
	s.t.Helper()
	if _, err := s.bus.Publish(s.t.Context(), subject, data); err != nil {
		s.t.Fatal(err)
	}
}

// Command signs a fact or a judgement as the operator and publishes it.
func (s *Store) Command(kind command.Kind, space string, body any) {
	s.t.Helper()
	c := command.Command{Kind: kind, Store: s.ID, Body: body}
	_, _ = rand.Read(c.Nonce[:])
	if err := c.Check(); err != nil {
		s.t.Fatal(err)
	}
	s.Publish(command.SubjectFor(kind, space, s.Operator.Public().ID()), command.Seal(c, s.Operator))
}

// Space creates a space with the default policy, changed by change.
func (s *Store) Space(name string, change ...func(*command.Policy)) {
	s.t.Helper()
	p := command.DefaultPolicy()
	for _, f := range change {
		f(&p)
	}
	s.Command(command.KindSpace, "", command.Space{Name: name, Policy: p})
}

// Enroll enrolls a contributor for spaces.
func (s *Store) Enroll(key identity.PublicKey, name string, spaces ...string) {
	s.t.Helper()
	s.Command(command.KindEnroll, "", command.Enroll{Key: key, Name: name, Spaces: spaces})
}

// Serve merges the log and answers requests until the test ends or stop is called.
func (s *Store) Serve() (stop func()) {
	s.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	stopAPI, err := s.bus.Serve(ctx, s.handlers())
	if err != nil {
		s.t.Fatal(err)
	}
	s.serving.Add(1)
	go s.work(ctx)
	stop = sync.OnceFunc(func() {
		stopAPI()
		cancel()
		s.serving.Wait()
	})
	s.t.Cleanup(stop)
	return stop
}

// work merges the log as it grows.
func (s *Store) work(ctx context.Context) {
	defer s.serving.Done()
	reader := s.bus.LogReader(bus.Position{})
	defer reader.Close()
	for {
		batch, err := reader.Next(ctx)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			s.t.Errorf("agenttest: reading the log: %v", err)
			return
		}
		for _, e := range batch {
			if err := s.take(e); err != nil {
				s.t.Errorf("agenttest: entry %d: %v", e.Seq, err)
				return
			}
		}
	}
}

// Deltas waits until the log is merged and returns its deltas and their bytes.
func (s *Store) Deltas() ([]delta.Message, [][]byte) {
	s.t.Helper()
	last, err := s.bus.LastSeq(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waitFor(last)
	return append([]delta.Message{}, s.deltas...), append([][]byte{}, s.raw...)
}

// waitFor returns when the entry at seq is merged. The lock is held.
func (s *Store) waitFor(seq uint64) {
	for s.last < seq {
		s.changed.Wait()
	}
}

// Dev writes the endpoints.json and key files of a dev store to dir.
func (s *Store) Dev(dir string) {
	s.t.Helper()
	e := cli.Endpoints{NATS: s.URL, Store: wire.Text(s.ID), OperatorKey: filepath.Join(dir, "operator.key"), ServiceKey: filepath.Join(dir, "service.key")}
	for path, key := range map[string]identity.PrivateKey{e.OperatorKey: s.Operator, e.ServiceKey: s.Service} {
		if err := writePrivate(path, key); err != nil {
			s.t.Fatal(err)
		}
	}
	if err := e.Write(dir); err != nil {
		s.t.Fatal(err)
	}
}

// refused reports whether an entry is refused rather than the test at fault.
func refused(err error) bool { return reason.Of(err) != "" }
