package reconcile_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"consilience/bus"
	"consilience/command"
	"consilience/delta"
	"consilience/identity"
	"consilience/internal/testkit"
	"consilience/internal/wiring"
	"consilience/migrations"
	"consilience/reconcile"
	"consilience/record"
	"consilience/storage/postgres"
)

// patience is how long a test waits for what must come.
const patience = 60 * time.Second

// world is a store with its log, its keys and its contributors, on real servers.
type world struct {
	t        testing.TB
	natsURL  string
	secret   string
	bus      *bus.Bus
	log      wiring.Log
	pgURL    string
	operator identity.PrivateKey
	service  identity.PrivateKey
	store    [32]byte
	spaces   []string
	nonce    uint64
	children int
	held     *[]bus.Msg
}

// migrate makes the schema of the test databases.
func migrate(ctx context.Context, url string) error {
	_, err := migrations.Migrate(ctx, url, migrations.Latest)
	return err
}

// newWorld starts a log with a genesis and the spaces named.
func newWorld(t testing.TB, spaces ...string) *world {
	t.Helper()
	n := testkit.NATS(t)
	return newWorldOn(t, n.URL(), n.Secret(), testkit.Postgres(t, migrate).URL, spaces...)
}

// newWorldOn is newWorld on given servers.
func newWorldOn(t testing.TB, natsURL, secret, pgURL string, spaces ...string) *world {
	t.Helper()
	w := &world{t: t, natsURL: natsURL, secret: secret, pgURL: pgURL, operator: seeded("operator"), service: seeded("service"), spaces: spaces}
	w.bus = w.connect()
	w.log = wiring.Log{Bus: w.bus}
	w.must(w.bus.EnsureStream(t.Context()))
	genesis := command.Command{Kind: command.KindGenesis, Body: command.Genesis{
		Operators: []identity.PublicKey{w.operator.Public()}, Services: []identity.PublicKey{w.service.Public()}, Threshold: 1,
	}}
	w.store = command.StoreID(genesis.Encode())
	w.publish(command.SubjectFor(command.KindGenesis, "", w.operator.Public().ID()), command.Seal(genesis, w.operator))
	for _, s := range spaces {
		w.command(command.KindSpace, command.Space{Name: s, Policy: command.DefaultPolicy()})
	}
	return w
}

// seeded is a key that is the same in every run.
func seeded(name string) identity.PrivateKey {
	seed := sha256.Sum256([]byte(name))
	key, err := identity.NewPrivateKey(seed[:])
	if err != nil {
		panic(err)
	}
	return key
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// connect opens another connection to the log.
func (w *world) connect() *bus.Bus {
	w.t.Helper()
	b, err := bus.Open(w.t.Context(), w.natsURL, bus.Options{NATS: []nats.Option{nats.UserInfo("core", w.secret)}})
	w.must(err)
	w.t.Cleanup(b.Close)
	return b
}

// open opens a store on the database at url.
func (w *world) open(url string) wiring.Store {
	w.t.Helper()
	s, err := postgres.Open(w.t.Context(), url, postgres.Options{IdleInTransaction: 2 * time.Second})
	w.must(err)
	w.t.Cleanup(s.Close)
	return wiring.Store{Store: s}
}

// publish puts a message on the log and returns its sequence, or keeps it for the
// end of together.
func (w *world) publish(subject string, raw []byte) uint64 {
	w.t.Helper()
	if w.held != nil {
		*w.held = append(*w.held, bus.Msg{Subject: subject, Data: raw})
		return 0
	}
	seq, err := w.bus.Publish(w.t.Context(), subject, raw)
	w.must(err)
	return seq
}

// together publishes what tell publishes at once, with one sync to disk.
func (w *world) together(tell func()) {
	w.t.Helper()
	held := []bus.Msg{}
	w.held = &held
	tell()
	w.held = nil
	_, err := w.bus.PublishBatch(w.t.Context(), held)
	w.must(err)
}

// command publishes a command of the operator.
func (w *world) command(kind command.Kind, body any) uint64 {
	w.t.Helper()
	c := w.make(kind, body)
	return w.publish(command.SubjectFor(kind, c.Space(), w.operator.Public().ID()), command.Seal(c, w.operator))
}

func (w *world) make(kind command.Kind, body any) command.Command {
	w.nonce++
	c := command.Command{Kind: kind, Store: w.store, Body: body}
	copy(c.Nonce[:], fmt.Sprintf("%016d", w.nonce))
	return c
}

// author is a contributor.
type author struct {
	w        *world
	key      identity.PrivateKey
	id       identity.ID
	sequence map[string]uint64
}

// enroll makes a contributor known for all spaces of the world.
func (w *world) enroll(name string) *author {
	w.t.Helper()
	a := w.stranger(name)
	w.command(command.KindEnroll, command.Enroll{Key: a.key.Public(), Name: name, Spaces: w.spaces, Reputation: 800_000})
	return a
}

// stranger is a contributor that no fact makes known.
func (w *world) stranger(name string) *author {
	key := seeded(name)
	return &author{w: w, key: key, id: key.Public().ID(), sequence: map[string]uint64{}}
}

// text is a record of a text.
func (a *author) text(text string, pairs ...record.Pair) record.Record {
	a.w.t.Helper()
	r, err := record.New(record.Text, []byte(text), pairs, a.id, 1_790_000_000_000)
	a.w.must(err)
	return r
}

// claim is a record of a claim.
func (a *author) claim(subject, predicate, value string) record.Record {
	a.w.t.Helper()
	content, err := json.Marshal(map[string]string{"subject": subject, "predicate": predicate, "value": value})
	a.w.must(err)
	r, err := record.New(record.Structured, content, nil, a.id, 1_790_000_000_000)
	a.w.must(err)
	return r
}

// next is the delta that proposes records, with the contributor's next sequence.
func (a *author) next(space string, records ...record.Record) delta.Delta {
	a.sequence[space]++
	d := delta.Delta{Store: a.w.store, Space: space, Contributor: a.id, Sequence: a.sequence[space], CreatedAt: 1_790_000_000_000}
	for _, r := range records {
		d.New = append(d.New, delta.New{Record: r.ID, Base: 900_000})
	}
	return d
}

// seal signs a delta.
func (a *author) seal(d delta.Delta, records ...record.Record) ([]byte, delta.ID) {
	a.w.t.Helper()
	raw, id, err := delta.Seal(d, records, a.key)
	a.w.must(err)
	return raw, id
}

// send publishes a delta that proposes records.
func (a *author) send(space string, records ...record.Record) delta.ID {
	a.w.t.Helper()
	raw, id := a.seal(a.next(space, records...), records...)
	a.w.publish(command.DeltaSubject(space, a.id), raw)
	return id
}

// worker runs a worker in this process until the test or stop ends it.
func (w *world) worker(pgURL, name string, logs io.Writer) (worker *reconcile.Worker, stop func()) {
	w.t.Helper()
	cfg := w.config()
	cfg.Name, cfg.Beat, cfg.Recheck = name, 200*time.Millisecond, 200*time.Millisecond
	cfg.Logger = slog.New(slog.NewTextHandler(logs, &slog.HandlerOptions{Level: slog.LevelDebug}))
	return w.start(cfg, w.open(pgURL))
}

// run runs a worker on store until the test or stop ends it.
func (w *world) run(cfg reconcile.Config, store wiring.Store) (stop func()) {
	w.t.Helper()
	_, stop = w.start(cfg, store)
	return stop
}

func (w *world) start(cfg reconcile.Config, store wiring.Store) (worker *reconcile.Worker, stop func()) {
	w.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	log := wiring.Log{Bus: w.connect()}
	worker, err := reconcile.NewWorker(ctx, cfg, log, store, log)
	w.must(err)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := worker.Run(ctx); err != nil {
			w.t.Errorf("worker: %v", err)
		}
	}()
	stop = sync.OnceFunc(func() { cancel(); <-done })
	w.t.Cleanup(stop)
	return worker, stop
}

// serve runs a worker in this process and returns its service.
func (w *world) serve(cfg reconcile.Config, store wiring.Store) *reconcile.Service {
	w.t.Helper()
	worker, _ := w.start(cfg, store)
	return reconcile.NewService(worker, store, "test")
}

// newWorker is a worker that does not run yet.
func (w *world) newWorker(cfg reconcile.Config) *reconcile.Worker {
	w.t.Helper()
	worker, err := reconcile.NewWorker(w.t.Context(), cfg, w.log, w.open(w.pgURL), w.log)
	w.must(err)
	return worker
}

// child runs a worker in a process of its own, with failpoints if there are any.
func (w *world) child(pgURL, failpoints string) *testkit.Process {
	w.t.Helper()
	w.children++
	return startChild(w.t, failpoints, childConfig{
		Role: "worker", NATS: w.natsURL, Secret: w.secret, Postgres: pgURL, Store: hex.EncodeToString(w.store[:]),
		Seed: hex.EncodeToString(w.service.Seed()), Name: fmt.Sprintf("child-%d", w.children),
	})
}

func startChild(t testing.TB, failpoints string, cfg childConfig) *testkit.Process {
	t.Helper()
	text, err := json.Marshal(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return testkit.Start(t, []string{childVariable + "=" + string(text), "CONSILIENCE_FAILPOINT=" + failpoints}, os.Args[0])
}

// settle waits until the store has merged all that the log holds now.
func (w *world) settle(store wiring.Store) {
	w.t.Helper()
	var newest [reconcile.Partitions]uint64
	for k := range newest {
		var err error
		newest[k], err = w.log.Newest(w.t.Context(), k)
		w.must(err)
	}
	var behind []reconcile.Position
	defer func() {
		if w.t.Failed() {
			w.t.Logf("behind %v: %+v", newest, behind)
		}
	}()
	testkit.Eventually(w.t, patience, "the store reaches the end of the log", func() bool {
		positions, err := store.Positions(w.t.Context())
		behind = slices.DeleteFunc(positions, func(p reconcile.Position) bool { return p.Seq >= newest[p.Partition] && p.Stopped == "" })
		return err == nil && len(behind) == 0
	})
}

// digests are those of all spaces.
func (w *world) digests(store wiring.Store) map[string][32]byte {
	w.t.Helper()
	out := map[string][32]byte{}
	for _, s := range w.spaces {
		d, _, err := store.Digest(w.t.Context(), s)
		w.must(err)
		out[s] = d
	}
	return out
}

// sameAsReplay fails unless store is what a replay of the log makes of an empty
// database: no delta lost, none merged twice.
func (w *world) sameAsReplay(store wiring.Store) {
	w.t.Helper()
	clean := w.open(testkit.Postgres(w.t, migrate).URL)
	replay := reconcile.Replay{Config: w.config()}
	w.must(replay.Run(w.t.Context(), w.log, clean))
	want, got := w.digests(clean), w.digests(store)
	for s := range want {
		if want[s] != got[s] {
			w.t.Errorf("space %s: digest %x, a replay gives %x", s, got[s], want[s])
		}
	}
}

func (w *world) config() reconcile.Config {
	return reconcile.Config{StoreID: w.store, Key: w.service, Logger: slog.New(slog.DiscardHandler)}
}

// outcomes are those of an author's deltas, by delta.
func (a *author) outcomes(store wiring.Store, space string, ids ...delta.ID) map[delta.ID]command.Outcome {
	a.w.t.Helper()
	found, err := store.Outcomes(a.w.t.Context(), space, a.id, ids)
	a.w.must(err)
	out := map[delta.ID]command.Outcome{}
	for _, document := range found {
		o, err := command.DecodeOutcome(document)
		a.w.must(err)
		out[o.DeltaID] = o
	}
	return out
}

// count runs a query that returns one number.
func (w *world) count(store wiring.Store, sql string, args ...any) int {
	w.t.Helper()
	var n int
	w.must(store.Pool().QueryRow(w.t.Context(), sql, args...).Scan(&n))
	return n
}

// logs is what a worker logs, safe to read while it runs.
type logs struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logs) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logs) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// nonce is a random one.
func nonce() (n [16]byte) {
	rand.Read(n[:])
	return n
}
