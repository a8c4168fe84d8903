package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"testing"
	"time"

	"consilience/command"
	"consilience/delta"
	"consilience/fleet"
	"consilience/identity"
	"consilience/internal/testkit"
	"consilience/lineage"
	"consilience/merge"
	"consilience/migrations"
	"consilience/record"
	"consilience/wire"
)

// spaceName is the space of tests that need one only.
const spaceName = "ops"

// day is a day in milliseconds; start is a Monday, 2026-11-02.
const (
	day   = 86_400_000
	start = 1_793_577_600_000
)

func migrate(ctx context.Context, url string) error {
	_, err := migrations.Migrate(ctx, url, migrations.Latest)
	return err
}

// patience is how long a test waits for what the server does by itself.
const patience = 30 * time.Second

// openStore returns a store of its own.
func openStore(t testing.TB) (*Store, *testkit.DB) {
	t.Helper()
	db := testkit.Postgres(t, migrate)
	s, err := Open(t.Context(), db.URL, Options{MaxConns: 8})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s, db
}

// keyOf returns the key of a test's contributor, the same in every run.
func keyOf(name string) identity.PrivateKey {
	seed := sha256.Sum256([]byte(name))
	k, err := identity.NewPrivateKey(seed[:])
	if err != nil {
		panic(err)
	}
	return k
}

func idOf(name string) identity.ID { return keyOf(name).Public().ID() }

// world writes a log: a fleet, and one space in memory beside it, against which
// the database is held.
type world struct {
	t      testing.TB
	store  [32]byte
	fleet  *fleet.State
	facts  []FactRow
	log    []merge.Entry
	memory *merge.State
	seq    uint64
	time   uint64
	nonce  uint64
	own    map[string]uint64
}

func newWorld(t testing.TB, policies ...func(*command.Policy)) *world {
	genesis := command.Seal(command.Command{Kind: command.KindGenesis, Body: command.Genesis{
		Operators: []identity.PublicKey{keyOf("op").Public()}, Services: []identity.PublicKey{keyOf("svc").Public()}, Threshold: 1,
	}}, keyOf("op"))
	m, err := command.Open(genesis)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, store: command.StoreID(m.Payload), own: map[string]uint64{}, time: start}
	w.fleet = fleet.New(w.store)
	w.memory = merge.NewState(merge.SpaceState{Num: 1, Name: spaceName})
	w.memory.Complete = true
	w.publish(command.KindGenesis, "op", genesis)
	p := command.DefaultPolicy()
	for _, change := range policies {
		change(&p)
	}
	w.fact(command.KindSpace, command.Space{Name: spaceName, Policy: p})
	return w
}

// next takes the next stream sequence, a minute later.
func (w *world) next() uint64 {
	w.seq++
	w.time += 60_000
	return w.seq
}

// publish folds a fleet message and applies it to the space.
func (w *world) publish(kind command.Kind, signer string, raw []byte) {
	seq := w.next()
	f := fleet.Fact{Seq: seq, Time: w.time, Raw: raw,
		Subject: command.Subject{Class: command.ClassFleet, Kind: string(kind), Signer: idOf(signer)}}
	e, err := w.fleet.Apply(f)
	w.facts = append(w.facts, FactRow{Fact: f, Effect: e, Refusal: err, After: w.fleet.At(seq + 1)})
	entry := merge.Entry{Seq: seq, Time: w.time, Subject: f.Subject.Stored(), Hash: wire.Hash(raw), Refused: err}
	if err == nil {
		entry.Body = &merge.FactBody{Effect: e}
		w.apply(entry)
	}
}

// fact signs and publishes a fact.
func (w *world) fact(kind command.Kind, body any, signers ...string) {
	if len(signers) == 0 {
		signers = []string{"op"}
	}
	var keys []identity.PrivateKey
	for _, s := range signers {
		keys = append(keys, keyOf(s))
	}
	w.publish(kind, signers[0], command.Seal(w.command(kind, body), keys...))
}

func (w *world) command(kind command.Kind, body any) command.Command {
	w.nonce++
	c := command.Command{Kind: kind, Store: w.store, Body: body}
	binary.BigEndian.PutUint64(c.Nonce[:], w.nonce)
	return c
}

func (w *world) enroll(name string, change ...func(*command.Enroll)) {
	e := command.Enroll{Key: keyOf(name).Public(), Name: name, Spaces: []string{spaceName}}
	for _, c := range change {
		c(&e)
	}
	w.fact(command.KindEnroll, e)
}

func (w *world) derive(child, parent string) {
	w.fact(command.KindDerive, command.Derive{Child: keyOf(child).Public(), Name: child, Parents: []identity.ID{idOf(parent)}}, child, parent)
}

func (w *world) quarantine(name string, since uint64, all bool) {
	w.fact(command.KindQuarantine, command.Quarantine{Contributor: idOf(name), Since: since, All: all, Reason: "poisons"})
}

func (w *world) release(name string) {
	w.fact(command.KindRelease, command.Release{Contributor: idOf(name), Reason: "cleared"})
}

// view is the fleet as an entry sees it.
func view(f *fleet.State, e merge.Entry) fleet.View {
	if _, ok := e.Body.(*merge.FactBody); ok {
		return f.At(e.Seq + 1)
	}
	return f.At(e.Seq)
}

// apply adds an entry to the log and merges it in memory.
func (w *world) apply(e merge.Entry) {
	w.t.Helper()
	w.log = append(w.log, e)
	v := view(w.fleet, e)
	sweep, err := w.memory.Apply(e, v, nil)
	if err != nil {
		w.t.Fatalf("entry %d: %v", e.Seq, err)
	}
	if !sweep.Empty() {
		w.memory.Settle(v, sweep)
	}
}

// record makes a record of a contributor.
func (w *world) record(by string, kind record.Kind, content string, pairs ...record.Record) record.Record {
	w.t.Helper()
	w.nonce++
	var ps []record.Pair
	for _, p := range pairs {
		ps = append(ps, record.Pair{Record: p.ID, Hash: p.ContentHash})
	}
	r, err := record.New(kind, []byte(content), ps, idOf(by), w.time+w.nonce)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

func claimJSON(subject, value string) string {
	return fmt.Sprintf(`{"predicate":"arrives","subject":%q,"value":%q}`, subject, value)
}

// draft is a delta being written.
type draft struct {
	w       *world
	by      string
	delta   delta.Delta
	records []record.Record
}

func (w *world) by(name string) *draft {
	w.own[name]++
	return &draft{w: w, by: name, delta: delta.Delta{
		Store: w.store, Space: spaceName, Contributor: idOf(name), Sequence: w.own[name], CreatedAt: w.time,
	}}
}

func (d *draft) propose(r record.Record, base uint32) *draft {
	d.records = append(d.records, r)
	d.delta.New = append(d.delta.New, delta.New{Record: r.ID, Base: base})
	return d
}

func (d *draft) says(text string, base uint32) *draft {
	return d.propose(d.w.record(d.by, record.Text, text), base)
}

func (d *draft) claims(subject, value string, base uint32) *draft {
	return d.propose(d.w.record(d.by, record.Structured, claimJSON(subject, value)), base)
}

func (d *draft) modify(item record.ItemID, r record.Record, base uint32) *draft {
	d.records = append(d.records, r)
	d.delta.Modified = append(d.delta.Modified, delta.Modified{Item: item, Record: r.ID, Base: base})
	return d
}

func (d *draft) absent(item record.ItemID, strength uint32) *draft {
	d.delta.Absent = append(d.delta.Absent, delta.Absent{Item: item, Strength: strength})
	return d
}

// from issues a slice of now and takes it as the delta's base.
func (d *draft) from() *draft {
	w := d.w
	revision := w.seq
	seq := w.next()
	b := delta.Base{Revision: revision}
	binary.BigEndian.PutUint64(b.Digest[:], seq)
	w.apply(merge.Entry{Seq: seq, Time: w.time, Subject: command.SliceSubject(spaceName, idOf(d.by)), Body: &merge.SliceBody{
		SliceIssued: delta.SliceIssued{Store: w.store, Space: spaceName, Contributor: idOf(d.by), Revision: revision, Digest: b.Digest}}})
	d.delta.Base = &b
	return d
}

// send signs the delta, applies it and returns its records.
func (d *draft) send() []record.Record {
	d.w.t.Helper()
	raw, _, err := delta.Seal(d.delta, d.records, keyOf(d.by))
	if err != nil {
		d.w.t.Fatal(err)
	}
	m, err := delta.Open(raw)
	if err != nil {
		d.w.t.Fatal(err)
	}
	seq := d.w.next()
	d.w.apply(merge.Entry{Seq: seq, Time: d.w.time, Hash: wire.Hash(raw), Size: len(raw),
		Subject: command.DeltaSubject(spaceName, idOf(d.by)), Body: &merge.DeltaBody{Message: m}})
	return d.records
}

// judge applies an operator's word about the space.
func (w *world) judge(kind command.Kind, body any) {
	w.t.Helper()
	m, err := command.Open(command.Seal(w.command(kind, body), keyOf("op")))
	if err != nil {
		w.t.Fatal(err)
	}
	seq := w.next()
	w.apply(merge.Entry{Seq: seq, Time: w.time, Subject: command.SubjectFor(kind, spaceName, idOf("op")),
		Body: &merge.JudgementBody{Message: m, Signer: idOf("op")}})
}

func (w *world) confirm(r record.ID) {
	w.judge(command.KindConfirm, command.Judgement{Space: spaceName, Record: r, Reason: "seen"})
}

func (w *world) contradict(r record.ID) {
	w.judge(command.KindContradict, command.Judgement{Space: spaceName, Record: r, Reason: "not so"})
}

func (w *world) served(to string, contents ...record.Content) {
	seq := w.next()
	w.apply(merge.Entry{Seq: seq, Time: w.time, Subject: command.ServedSubject(spaceName, idOf(to)), Body: &merge.ServedBody{
		Served: command.Served{Store: w.store, Space: spaceName, Contributor: idOf(to), How: command.HowProjection, Contents: contents}}})
}

func (w *world) node(name string) lineage.Node {
	n, _ := w.fleet.At(w.seq + 1).Node(idOf(name))
	return n
}

func (w *world) digest() [32]byte { return w.memory.Digest(w.fleet.At(w.seq + 1)) }

// partition of the world's space.
func partitionOf() int { return command.Partition(spaceName) }

// fill merges the world's log into a store, in batches of the given sizes, the
// last one repeated.
func (w *world) fill(s *Store, sizes ...int) {
	w.t.Helper()
	if err := s.AppendFacts(w.t.Context(), w.facts); err != nil {
		w.t.Fatal(err)
	}
	position, err := s.Position(w.t.Context(), partitionOf())
	if err != nil {
		w.t.Fatal(err)
	}
	rest := w.log
	for len(rest) > 0 && rest[0].Seq <= position.Seq {
		rest = rest[1:]
	}
	for i := 0; len(rest) > 0; i++ {
		n := min(sizes[min(i, len(sizes)-1)], len(rest))
		if position, err = w.batch(w.t.Context(), s, position, rest[:n]); err != nil {
			w.t.Fatal(err)
		}
		rest = rest[n:]
	}
}

// batch merges entries in one transaction and returns the position after it.
func (w *world) batch(ctx context.Context, s *Store, from Position, entries []merge.Entry) (Position, error) {
	tx, at, err := s.Begin(ctx, partitionOf(), "w1")
	if err != nil {
		return from, err
	}
	defer tx.Rollback(ctx)
	if at.Seq != from.Seq {
		return at, errors.New("the position moved")
	}
	if err := w.merge(ctx, tx, entries); err != nil {
		return from, err
	}
	last := entries[len(entries)-1]
	to := Position{Partition: from.Partition, Seq: last.Seq, Hash: last.Hash}
	return to, tx.Commit(ctx, from, to)
}

// merge is what reconcile does with a batch of one space.
func (w *world) merge(ctx context.Context, tx *Tx, entries []merge.Entry) error {
	space, err := tx.Space(ctx, 1, spaceName)
	if err != nil {
		return err
	}
	state := merge.NewState(space)
	for _, e := range entries {
		v := view(w.fleet, e)
		sweep, err := w.load(ctx, tx, state, func() (merge.Sweep, error) { return state.Apply(e, v, nil) })
		if err != nil {
			return err
		}
		if sweep.Empty() {
			continue
		}
		if err := tx.Write(ctx, state.Drain()); err != nil {
			return err
		}
		if err := w.sweep(ctx, tx, state.Space, v, sweep); err != nil {
			return err
		}
		state = merge.NewState(state.Space)
	}
	return tx.Write(ctx, state.Drain())
}

// load applies an entry, loading what it misses until it misses nothing.
func (w *world) load(ctx context.Context, tx *Tx, state *merge.State, apply func() (merge.Sweep, error)) (merge.Sweep, error) {
	for {
		sweep, err := apply()
		var missing *merge.Missing
		if !errors.As(err, &missing) {
			return sweep, err
		}
		if err := tx.Load(ctx, state.Space.Num, missing.Need, state); err != nil {
			return sweep, err
		}
	}
}

func (w *world) sweep(ctx context.Context, tx *Tx, space merge.SpaceState, v fleet.View, sweep merge.Sweep) error {
	return tx.Sweep(ctx, space.Num, sweep, 3, func(items []*merge.Item) error {
		chunk := merge.NewState(space)
		for _, it := range items {
			chunk.PutItem(it)
		}
		for need := chunk.ItemNeeds(items); !need.Empty(); need = chunk.ItemNeeds(items) {
			if err := tx.Load(ctx, space.Num, need, chunk); err != nil {
				return err
			}
		}
		chunk.Recompute(items, v, sweep)
		return tx.Write(ctx, chunk.Drain())
	})
}
