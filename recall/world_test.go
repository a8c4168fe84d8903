package recall_test

import (
	"bytes"
	"context"
	"crypto/rand"
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
	"consilience/delta"
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

// author is a contributor.
type author struct {
	w        *world
	key      identity.PrivateKey
	id       identity.ID
	sequence uint64
	base     uint32 // confidence of what it says, ppm
}

func (w *world) enroll(name string) *author {
	w.t.Helper()
	key := seeded(name)
	w.command(command.KindEnroll, command.Enroll{Key: key.Public(), Name: name, Spaces: []string{space}, Reputation: 900_000, Vouched: true})
	return &author{w: w, key: key, id: key.Public().ID(), base: 980_000}
}

// say proposes contents: a text, or JSON where it begins with a brace.
func (a *author) say(contents ...string) []record.Record { return a.sayOf(nil, contents...) }

// sayOf is say with records that rest on others.
func (a *author) sayOf(grounds []record.Record, contents ...string) []record.Record {
	a.w.t.Helper()
	var pairs []record.Pair
	for _, r := range grounds {
		pairs = append(pairs, record.Pair{Record: r.ID, Hash: r.ContentHash})
	}
	a.sequence++
	d := delta.Delta{Store: a.w.id, Space: space, Contributor: a.id, Sequence: a.sequence, CreatedAt: 1_790_000_000_000}
	var records []record.Record
	for _, c := range contents {
		kind := record.Text
		if c[0] == '{' {
			kind = record.Structured
		}
		r, err := record.New(kind, []byte(c), pairs, a.id, 1_790_000_000_000)
		a.w.must(err)
		records = append(records, r)
		d.New = append(d.New, delta.New{Record: r.ID, Base: a.base})
	}
	raw, _, err := delta.Seal(d, records, a.key)
	a.w.must(err)
	a.w.publish(command.DeltaSubject(space, a.id), raw)
	return records
}

// doubt states against an item as strongly as can be.
func (a *author) doubt(item record.ItemID) {
	a.w.t.Helper()
	reply := a.request(command.VerbSlice, command.SliceRequest{})
	a.w.must(reply.Err())
	slice, _, err := delta.OpenSlice(reply.Body.(command.SliceReply).Issued)
	a.w.must(err)
	a.sequence++
	d := delta.Delta{
		Store: a.w.id, Space: space, Contributor: a.id, Sequence: a.sequence, CreatedAt: 1_790_000_000_000,
		Base: &delta.Base{Digest: slice.Digest, Revision: slice.Revision}, Absent: []delta.Absent{{Item: item, Strength: 1_000_000}},
	}
	raw, _, err := delta.Seal(d, nil, a.key)
	a.w.must(err)
	a.w.publish(command.DeltaSubject(space, a.id), raw)
}

// recalled is a reply to a recall, verified.
type recalled struct {
	command.RecallReply
	request []byte
	full    projection.FullResult
}

// ask sends a request for a recall without looking at its answer.
func (a *author) ask(request []byte) command.Reply {
	a.w.t.Helper()
	return a.request(command.VerbRecall, command.RecallRequest{Request: request})
}

func (a *author) request(verb command.Verb, body any) command.Reply {
	a.w.t.Helper()
	q := command.Request{Verb: verb, Store: a.w.id, Space: space, Contributor: a.id, Time: uint64(time.Now().UnixMilli()), Body: body}
	rand.Read(q.Nonce[:])
	raw := a.w.answers.Answer(a.w.t.Context(), command.APISubject(q.Verb, a.id), command.SealRequest(q, a.key))
	reply, envelope, err := command.OpenReply(raw)
	a.w.must(err)
	a.w.must(envelope.Verify(identity.PurposeReply, a.w.service.Public()))
	a.w.must(reply.Answers(q))
	return reply
}

// recall asks and verifies all that the record commits to.
func (a *author) recall(r selection.Request) recalled {
	a.w.t.Helper()
	out := recalled{request: r.Encode()}
	reply := a.ask(out.request)
	a.w.must(reply.Err())
	out.RecallReply = reply.Body.(command.RecallReply)
	bundle, err := nhe.DecodeBundle(out.Evidence)
	a.w.must(err)
	source, err := bundle.Source(out.Snapshot, out.Objects)
	a.w.must(err)
	envelope, err := a.w.verifier().Envelope(a.w.t.Context(), out.Record)
	a.w.must(err)
	fragments, err := nhe.Split(envelope.Delivered, out.Projection)
	a.w.must(err)
	out.full, err = a.w.verifier().Full(a.w.t.Context(), out.Record, projection.Material{
		RecallRequest: out.request, SelectionPolicy: out.Policy, TrustSnapshot: out.Snapshot, Objects: out.Objects,
		Fragments: fragments, Projection: out.Projection, Source: source,
	})
	a.w.must(err)
	return out
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
