package recall_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"consilience/bus"
	"consilience/cluster/embed"
	"consilience/command"
	"consilience/identity"
	"consilience/internal/testkit"
	"consilience/internal/wiring"
	"consilience/migrations"
	"consilience/projection"
	"consilience/projection/nhe"
	"consilience/recall/selection"
	"consilience/reconcile"
	"consilience/record"
	"consilience/storage/postgres"
)

const (
	space    = "facts"
	patience = 60 * time.Second
)

// world is a store on real servers that answers recalls.
type world struct {
	t        *testing.T
	bus      *bus.Bus
	store    *postgres.Store
	operator identity.PrivateKey
	service  identity.PrivateKey
	id       [32]byte
	answers  *reconcile.Service
	fleet    *reconcile.Fleet
	nonce    uint64
	logs     lockedBuffer
}

// lockedBuffer is what is logged, safe to read while it is written.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func migrate(ctx context.Context, url string) error {
	_, err := migrations.Migrate(ctx, url, migrations.Latest)
	return err
}

func seeded(name string) identity.PrivateKey {
	seed := sha256.Sum256([]byte(name))
	key, err := identity.NewPrivateKey(seed[:])
	if err != nil {
		panic(err)
	}
	return key
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, operator: seeded("operator"), service: seeded("service")}
	n := testkit.NATS(t)
	var err error
	w.bus, err = bus.Open(t.Context(), n.URL(), bus.Options{NATS: []nats.Option{nats.UserInfo("core", n.Secret())}})
	w.must(err)
	t.Cleanup(w.bus.Close)
	w.must(w.bus.EnsureStream(t.Context()))
	genesis := command.Command{Kind: command.KindGenesis, Body: command.Genesis{
		Operators: []identity.PublicKey{w.operator.Public()}, Services: []identity.PublicKey{w.service.Public()}, Threshold: 1,
	}}
	w.id = command.StoreID(genesis.Encode())
	w.publish(command.SubjectFor(command.KindGenesis, "", w.operator.Public().ID()), command.Seal(genesis, w.operator))
	w.command(command.KindSpace, command.Space{Name: space, Policy: command.DefaultPolicy()})
	w.store, err = postgres.Open(t.Context(), testkit.Postgres(t, migrate).URL, postgres.Options{})
	w.must(err)
	t.Cleanup(w.store.Close)
	w.work()
	return w
}

// work runs a worker and its service until the test ends.
func (w *world) work() {
	w.t.Helper()
	cfg := reconcile.Config{
		StoreID: w.id, Key: w.service, Beat: 200 * time.Millisecond, Recheck: 200 * time.Millisecond,
		Logger: slog.New(slog.NewTextHandler(&w.logs, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	log, store := wiring.Log{Bus: w.bus}, wiring.Store{Store: w.store}
	cfg.Finders = wiring.Similar(store, embed.Options{}, false)
	ctx, cancel := context.WithCancel(context.Background())
	worker, err := reconcile.NewWorker(ctx, cfg, log, store, log)
	w.must(err)
	w.answers, w.fleet = reconcile.NewService(worker, store, "test"), worker.Fleet()
	stop, err := wiring.AddRecall(ctx, w.answers, cfg, worker, w.store)
	w.must(err)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := worker.Run(ctx); err != nil {
			w.t.Errorf("worker: %v", err)
		}
	}()
	w.t.Cleanup(func() { stop(); cancel(); <-done })
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) publish(subject string, raw []byte) {
	w.t.Helper()
	_, err := w.bus.Publish(w.t.Context(), subject, raw)
	w.must(err)
}

// command publishes a command of the operator.
func (w *world) command(kind command.Kind, body any) {
	w.t.Helper()
	w.nonce++
	c := command.Command{Kind: kind, Store: w.id, Body: body}
	copy(c.Nonce[:], fmt.Sprintf("%016d", w.nonce))
	w.publish(command.SubjectFor(kind, c.Space(), w.operator.Public().ID()), command.Seal(c, w.operator))
}

// policy changes the space's policy.
func (w *world) policy(change func(*command.Policy)) {
	w.t.Helper()
	p := command.DefaultPolicy()
	change(&p)
	w.command(command.KindPolicy, command.PolicyChange{Space: space, Policy: p})
	w.settle()
}

// settle waits until the store has merged all that the log holds now.
func (w *world) settle() {
	w.t.Helper()
	newest, err := w.bus.Newest(w.t.Context(), command.Partition(space))
	w.must(err)
	testkit.Eventually(w.t, patience, "the store reaches the end of the log", func() bool {
		p, err := w.store.Position(w.t.Context(), command.Partition(space))
		return err == nil && p.Seq >= newest && p.Stopped == ""
	})
}

// verifier is a relying party that pins the store's adapter.
func (w *world) verifier() *projection.Verifier {
	w.t.Helper()
	v, err := projection.NewVerifier(projection.Policy{
		Pins: []projection.Pin{{
			AdapterID: selection.AdapterID(w.id), KeyID: w.service.Public().KeyID().String(), Key: w.service.Public(),
			Status: projection.Active, ValidFrom: time.Now().Add(-time.Hour), ValidTo: time.Now().Add(time.Hour),
		}},
		Freshness: projection.Freshness{MaxCreationAge: time.Minute, MaxTrustAge: time.Minute, MaxTrustToCreation: time.Minute},
		Profiles:  []projection.Profile{{Source: nhe.SourceProfile, Frame: nhe.FrameProfile}},
	}, time.Now, nil)
	w.must(err)
	return v
}

// bodies are the contents delivered, in their order.
func (r recalled) bodies(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, object := range r.Objects {
		decoded, err := record.DecodeWire(object)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(decoded.Content))
	}
	return out
}

func text(query string) selection.Request {
	return selection.Request{Query: selection.Query{Text: query}}
}

func claim(subject, predicate, value string) string {
	b, _ := json.Marshal(map[string]string{"subject": subject, "predicate": predicate, "value": value})
	return string(b)
}
