package merge

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"sync"
	"testing"

	"consilience/cluster"
	"consilience/command"
	"consilience/delta"
	"consilience/fleet"
	"consilience/identity"
	"consilience/lineage"
	"consilience/reason"
	"consilience/record"
)

// spaceName is the space of tests that need one only.
const spaceName = "test"

var keys sync.Map // name -> identity.PrivateKey

// keyOf returns the key of a test's contributor, the same in every run.
func keyOf(name string) identity.PrivateKey {
	if k, ok := keys.Load(name); ok {
		return k.(identity.PrivateKey)
	}
	seed := sha256.Sum256([]byte(name))
	k, err := identity.NewPrivateKey(seed[:])
	if err != nil {
		panic(err)
	}
	keys.Store(name, k)
	return k
}

func idOf(name string) identity.ID { return keyOf(name).Public().ID() }

// world is a fleet and one space in memory, fed entry by entry.
type world struct {
	t     testing.TB
	store [32]byte
	fleet *fleet.State
	seq   uint64
	own   map[string]uint64 // last own sequence of each contributor
	nonce uint64
	state *State
	log   []Entry
	find  finder
}

// finder is what a world passes to Apply.
type finder interface {
	Similar(space string, text []byte, content record.Content) []cluster.Candidate
	Founded(space string, item record.ItemID, text []byte, content record.Content)
}

// newWorld founds a store with one operator "op", one service "svc" and the given
// spaces; the first is the one that the world's state is of.
func newWorld(t testing.TB, policies ...func(*command.Policy)) *world {
	genesis := command.Command{Kind: command.KindGenesis, Body: command.Genesis{
		Operators: []identity.PublicKey{keyOf("op").Public()},
		Services:  []identity.PublicKey{keyOf("svc").Public()},
		Threshold: 1,
	}}
	raw := command.Seal(genesis, keyOf("op"))
	m, err := command.Open(raw)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, store: command.StoreID(m.Payload), own: map[string]uint64{}}
	w.fleet = fleet.New(w.store)
	w.seq = 1
	if _, err := w.fleet.Apply(fleet.Fact{Seq: 1, Subject: subject(command.KindGenesis), Raw: raw}); err != nil {
		t.Fatal(err)
	}
	p := command.DefaultPolicy()
	for _, change := range policies {
		change(&p)
	}
	w.state = NewState(SpaceState{Num: 1, Name: spaceName})
	w.state.Complete = true
	w.must(w.fact(command.KindSpace, command.Space{Name: spaceName, Policy: p}))
	return w
}

func subject(k command.Kind) command.Subject {
	return command.Subject{Class: command.ClassFleet, Kind: string(k), Signer: idOf("op")}
}

func (w *world) must(_ fleet.Effect, err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// next takes the next stream sequence.
func (w *world) next() uint64 {
	w.seq++
	return w.seq
}

// fact applies a fleet fact, to the fleet and to the space.
func (w *world) fact(kind command.Kind, body any, signers ...string) (fleet.Effect, error) {
	w.nonce++
	c := command.Command{Kind: kind, Store: w.store, Body: body}
	binary.BigEndian.PutUint64(c.Nonce[:], w.nonce)
	if len(signers) == 0 {
		signers = []string{"op"}
	}
	var ks []identity.PrivateKey
	for _, s := range signers {
		ks = append(ks, keyOf(s))
	}
	s := subject(kind)
	s.Signer = idOf(signers[0])
	seq := w.next()
	e, err := w.fleet.Apply(fleet.Fact{Seq: seq, Time: seq * 1000, Subject: s, Raw: command.Seal(c, ks...)})
	if err == nil {
		w.apply(Entry{Seq: seq, Time: seq * 1000, Body: &FactBody{Effect: e}})
	}
	return e, err
}

// enrolled is what an enrolment may say besides the name.
type enrolled struct {
	vouched bool
	origin  string
	r0      uint32
	spaces  []string
}

func (w *world) enroll(name string, o enrolled) {
	w.t.Helper()
	if o.spaces == nil {
		o.spaces = []string{spaceName}
	}
	w.must(w.fact(command.KindEnroll, command.Enroll{
		Key: keyOf(name).Public(), Name: name, Spaces: o.spaces,
		Vouched: o.vouched, Origin: o.origin, Reputation: o.r0,
	}))
}

func (w *world) derive(child string, parents ...string) error {
	d := command.Derive{Child: keyOf(child).Public(), Name: child}
	for _, p := range parents {
		d.Parents = append(d.Parents, idOf(p))
	}
	_, err := w.fact(command.KindDerive, d, append([]string{child}, parents...)...)
	return err
}

func (w *world) quarantine(name string, since uint64, all bool) {
	w.t.Helper()
	w.must(w.fact(command.KindQuarantine, command.Quarantine{Contributor: idOf(name), Since: since, All: all}))
}

func (w *world) release(name string) {
	w.t.Helper()
	w.must(w.fact(command.KindRelease, command.Release{Contributor: idOf(name)}))
}

func (w *world) retire(name string) {
	w.t.Helper()
	w.must(w.fact(command.KindRetire, command.Retire{Contributor: idOf(name)}))
}

// view is the fleet as an entry sees it.
func view(f *fleet.State, e Entry) fleet.View {
	if _, ok := e.Body.(*FactBody); ok {
		return f.At(e.Seq + 1)
	}
	return f.At(e.Seq)
}

// apply applies an entry to a complete state, its sweep included.
func apply(t testing.TB, s *State, f *fleet.State, e Entry, find finder) {
	t.Helper()
	v := view(f, e)
	sweep, err := s.Apply(e, v, find)
	if err != nil {
		t.Fatalf("entry %d: %v", e.Seq, err)
	}
	if !sweep.Empty() {
		s.Settle(v, sweep)
	}
}

func (w *world) apply(e Entry) {
	w.t.Helper()
	w.log = append(w.log, e)
	apply(w.t, w.state, w.fleet, e, w.find)
}

// now is the fleet after everything so far.
func (w *world) now() fleet.View { return w.fleet.At(w.seq + 1) }

func (w *world) node(name string) lineage.Node {
	n, _ := w.now().Node(idOf(name))
	return n
}

// claim is the content of a claim.
func claim(subject string, value any) []byte {
	return fmt.Appendf(nil, `{"predicate":"p","subject":%q,"value":%v}`, subject, value)
}

// record makes a record of a contributor.
func (w *world) record(by string, kind record.Kind, content []byte, pairs ...record.Pair) record.Record {
	w.t.Helper()
	w.nonce++
	r, err := record.New(kind, content, pairs, idOf(by), w.nonce)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

func pairTo(r record.Record) record.Pair { return record.Pair{Record: r.ID, Hash: r.ContentHash} }

// draft is a delta being written by a test.
type draft struct {
	w      *world
	by     string
	delta  delta.Delta
	record []record.Record
	elided map[record.ID]Elided
}

// by begins a delta of a contributor with its next sequence number.
func (w *world) by(name string) *draft {
	w.own[name]++
	return &draft{w: w, by: name, delta: delta.Delta{
		Store: w.store, Space: spaceName, Contributor: idOf(name), Sequence: w.own[name],
	}}
}

func (d *draft) sequence(n uint64) *draft {
	d.delta.Sequence = n
	return d
}

// from issues a slice of now and takes it as the delta's base.
func (d *draft) from() *draft {
	b := d.w.slice(d.by, d.w.seq)
	d.delta.Base = &b
	return d
}

// slice issues a slice of a revision to a contributor.
func (w *world) slice(to string, revision uint64) delta.Base {
	seq := w.next()
	b := delta.Base{Revision: revision}
	binary.BigEndian.PutUint64(b.Digest[:], seq)
	w.apply(Entry{Seq: seq, Time: seq * 1000, Body: &SliceBody{delta.SliceIssued{
		Space: spaceName, Contributor: idOf(to), Revision: revision, Digest: b.Digest,
	}}})
	return b
}

func (d *draft) propose(r record.Record, base uint32) *draft {
	d.record = append(d.record, r)
	d.delta.New = append(d.delta.New, delta.New{Record: r.ID, Base: base})
	return d
}

func (d *draft) claims(subject string, value any, base uint32) *draft {
	return d.propose(d.w.record(d.by, record.Structured, claim(subject, value)), base)
}

func (d *draft) modify(item record.ItemID, r record.Record, base uint32) *draft {
	d.record = append(d.record, r)
	d.delta.Modified = append(d.delta.Modified, delta.Modified{Item: item, Record: r.ID, Base: base})
	return d
}

func (d *draft) absent(item record.ItemID, strength uint32) *draft {
	d.delta.Absent = append(d.delta.Absent, delta.Absent{Item: item, Strength: strength})
	return d
}

func (d *draft) body() *DeltaBody {
	b := &DeltaBody{Elided: d.elided}
	b.Delta, b.Records = d.delta, map[record.ID]record.Record{}
	for _, r := range d.record {
		b.Records[r.ID] = r
		b.Order = append(b.Order, r.ID)
	}
	d.w.nonce++
	binary.BigEndian.PutUint64(b.ID[:], d.w.nonce)
	return b
}

// send applies the delta and returns its outcome.
func (d *draft) send() command.Outcome {
	d.w.t.Helper()
	return d.w.send(d.body())
}

func (w *world) send(b *DeltaBody) command.Outcome {
	w.t.Helper()
	before := len(w.state.changes.plan.Outcomes)
	seq := w.next()
	w.apply(Entry{Seq: seq, Time: seq * 1000, Body: b})
	outcomes := w.state.changes.plan.Outcomes
	if len(outcomes) != before+1 {
		w.t.Fatal("a delta has one outcome")
	}
	return outcomes[before].Outcome
}

// merged sends and requires that the delta is merged.
func (d *draft) merged() command.Outcome {
	d.w.t.Helper()
	o := d.send()
	if o.Status != command.StatusMerged {
		d.w.t.Fatalf("rejected: %s", o.Reason)
	}
	return o
}

// refused sends and requires that the delta is rejected for a reason.
func (d *draft) refused(want reason.Code) {
	d.w.t.Helper()
	before := d.w.state.Digest(d.w.now())
	if o := d.send(); o.Status != command.StatusRejected || o.Reason != want {
		d.w.t.Fatalf("outcome is %s %q, want rejected %q", o.Status, o.Reason, want)
	}
	if d.w.state.Digest(d.w.now()) != before {
		d.w.t.Fatalf("a delta rejected for %q changed the space", want)
	}
}

// judge applies a judgement about a record.
func (w *world) judge(kind command.Kind, r record.ID) {
	w.t.Helper()
	w.command(kind, command.Judgement{Space: spaceName, Record: r})
}

func (w *world) command(kind command.Kind, body any) Entry {
	w.t.Helper()
	w.nonce++
	b := &JudgementBody{Signer: idOf("op")}
	b.Command = command.Command{Kind: kind, Store: w.store, Body: body}
	binary.BigEndian.PutUint64(b.ID[:], w.nonce)
	seq := w.next()
	e := Entry{Seq: seq, Time: seq * 1000, Body: b}
	w.apply(e)
	return e
}

// served says that contents were emitted to a contributor.
func (w *world) served(to string, contents ...record.Content) {
	w.t.Helper()
	seq := w.next()
	w.apply(Entry{Seq: seq, Time: seq * 1000, Body: &ServedBody{command.Served{
		Space: spaceName, Contributor: idOf(to), How: command.HowProjection, Contents: contents,
	}}})
}

// of returns the item that a claim's content is in.
func (w *world) of(subject string, value any) *Item {
	return w.ofContent(record.Structured, claim(subject, value))
}

func (w *world) ofContent(kind record.Kind, content []byte) *Item {
	w.t.Helper()
	c := w.state.contents[record.Content{Kind: kind, Hash: record.HashOf(content)}]
	if c == nil {
		w.t.Fatal("no such content")
	}
	return w.state.items[c.Item]
}

// stance returns the statement of a contributor that is not withdrawn.
func (w *world) stance(it *Item, name string) *Statement {
	for _, st := range it.Statements {
		if st.Contributor == w.node(name) && st.Counted != Withdrawn {
			return st
		}
	}
	w.t.Fatalf("%s has no stance", name)
	return nil
}
