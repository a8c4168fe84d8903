package reconcile_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"consilience/command"
	"consilience/delta"
	"consilience/identity"
	"consilience/internal/testkit"
	"consilience/internal/wiring"
	"consilience/reason"
	"consilience/reconcile"
	"consilience/record"
)

// asking is a world with a worker and its service.
type asking struct {
	*world
	store   wiring.Store
	service *reconcile.Service
	clock   *testkit.Clock
}

func newAsking(t *testing.T) *asking {
	t.Helper()
	w := newWorld(t, "facts")
	a := &asking{world: w, store: w.open(w.pgURL), clock: testkit.NewClock(time.Now())}
	cfg := w.config()
	cfg.Clock = a.clock
	a.service = w.serve(cfg, a.store)
	return a
}

// ask sends a request and returns the reply, checked to be the service's answer to it.
func (a *asking) ask(who *author, verb command.Verb, body any, change ...func(*command.Request)) command.Reply {
	a.t.Helper()
	q := command.Request{Verb: verb, Store: a.world.store, Space: "facts", Contributor: who.id, Nonce: nonce(), Time: uint64(a.clock.Now().UnixMilli()), Body: body}
	if verb == command.VerbHealth || verb == command.VerbDerive {
		q.Space = ""
	}
	for _, c := range change {
		c(&q)
	}
	return a.send(command.APISubject(verb, who.id), q, who.key)
}

func (a *asking) send(subject string, q command.Request, key identity.PrivateKey) command.Reply {
	a.t.Helper()
	reply, envelope, err := command.OpenReply(a.service.Answer(a.t.Context(), subject, command.SealRequest(q, key)))
	a.must(err)
	a.must(envelope.Verify(identity.PurposeReply, a.world.service.Public()))
	a.must(reply.Answers(q))
	return reply
}

// refused fails unless the reply is a refusal for want.
func (a *asking) refused(what string, r command.Reply, want reason.Code) {
	a.t.Helper()
	if reason.Of(r.Err()) != want {
		a.t.Errorf("%s: %v, want %s", what, r.Err(), want)
	}
}

// Who may ask, how, and when (wire.md "Not on the log").
func TestRequestsAreAuthorised(t *testing.T) {
	t.Parallel()
	a := newAsking(t)
	alice, bob := a.enroll("alice"), a.enroll("bob")
	outsider := a.stranger("outsider")
	a.command(command.KindEnroll, command.Enroll{Key: outsider.key.Public(), Name: "outsider"})
	a.settle(a.store)
	body := command.SliceRequest{}

	a.refused("in time", a.ask(alice, command.VerbSlice, body), "")
	for _, c := range []struct {
		name   string
		change func(*command.Request)
		want   reason.Code
	}{
		{"another store", func(q *command.Request) { q.Store[0] ^= 1 }, reason.StoreMismatch},
		{"no such space", func(q *command.Request) { q.Space = "nowhere" }, reason.SpaceUnknown},
		{"three minutes old", func(q *command.Request) { q.Time -= 180_000 }, reason.RequestStale},
		{"three minutes ahead", func(q *command.Request) { q.Time += 180_000 }, reason.RequestStale},
		{"two minutes old", func(q *command.Request) { q.Time -= 120_000 }, ""},
		{"in another's name", func(q *command.Request) { q.Contributor = bob.id }, reason.SubjectMismatch},
	} {
		a.refused(c.name, a.ask(alice, command.VerbSlice, body, c.change), c.want)
	}
	a.refused("not enrolled for the space", a.ask(outsider, command.VerbSlice, body), reason.NotAdmitted)
	a.refused("a key of nobody", a.ask(a.stranger("nobody"), command.VerbSlice, body), reason.KeyUnknown)

	q := command.Request{Verb: command.VerbSlice, Store: a.world.store, Space: "facts", Contributor: alice.id, Nonce: nonce(), Time: uint64(a.clock.Now().UnixMilli()), Body: body}
	subject := command.APISubject(q.Verb, alice.id)
	a.refused("signed by another", a.send(subject, q, bob.key), reason.AuthorMismatch)
	a.refused("the first time", a.send(subject, q, alice.key), "")
	a.refused("the second time", a.send(subject, q, alice.key), reason.RequestStale)
}

// A slice is on the log before the reply leaves, and any worker answers its pages.
func TestSliceAndPages(t *testing.T) {
	t.Parallel()
	a := newAsking(t)
	alice, bob := a.enroll("alice"), a.enroll("bob")
	const items = delta.PageEntries + 7
	var records []record.Record
	for i := range items {
		records = append(records, alice.text(fmt.Sprintf("item %d", i)))
	}
	alice.send("facts", records[:4000]...)
	alice.send("facts", records[4000:]...)
	a.settle(a.store)

	r := a.ask(bob, command.VerbSlice, command.SliceRequest{})
	a.must(r.Err())
	reply := r.Body.(command.SliceReply)
	issued, envelope, err := delta.OpenSlice(reply.Issued)
	a.must(err)
	a.must(envelope.Verify(identity.PurposeSlice, a.world.service.Public()))
	last, err := a.bus.LastSeq(t.Context())
	a.must(err)
	onLog, err := a.bus.Get(t.Context(), last)
	a.must(err)
	if !bytes.Equal(onLog.Data, reply.Issued) || reply.Entries != items {
		t.Fatalf("the log ends with another entry, or the slice has %d entries", reply.Entries)
	}

	other := a.serve(a.config(), a.open(a.pgURL))
	made := delta.Slice{Store: a.world.store, Space: "facts", Contributor: bob.id, Revision: issued.Revision}
	for page := range uint64(3) {
		answering := a.service
		if page == 1 {
			a.service = other
		}
		r := a.ask(bob, command.VerbPage, command.PageRequest{Digest: issued.Digest, Page: page})
		a.service = answering
		a.must(r.Err())
		made.Entries = append(made.Entries, r.Body.(command.PageReply).Entries...)
	}
	if made.Digest() != issued.Digest {
		t.Errorf("%d entries fetched do not have the digest issued", len(made.Entries))
	}
	a.refused("another's slice", a.ask(alice, command.VerbPage, command.PageRequest{Digest: issued.Digest}), reason.SliceForeign)
	a.refused("no such slice", a.ask(bob, command.VerbPage, command.PageRequest{Digest: [32]byte{1}}), reason.SliceUnknown)

	// What was issued can be derived from.
	d := bob.next("facts")
	d.Base = &delta.Base{Digest: issued.Digest, Revision: issued.Revision}
	d.Absent = []delta.Absent{{Item: made.Entries[0].Item, Strength: 500_000}}
	raw, id := bob.seal(d)
	a.publish(command.DeltaSubject("facts", bob.id), raw)
	a.settle(a.store)
	if o := bob.outcomes(a.store, "facts", id)[id]; o.Status != command.StatusMerged {
		t.Errorf("a delta from the slice: %+v", o)
	}
	a.sameAsReplay(a.store)
}

// Records come with what proves their authorship; that they were shown is on the
// log before the reply leaves, once, and makes repeating them an echo.
func TestRecordsAreServedOnTheRecord(t *testing.T) {
	t.Parallel()
	a := newAsking(t)
	alice, bob := a.enroll("alice"), a.enroll("bob")
	one, two := alice.text("one"), alice.text("two")
	alice.send("facts", one, two)
	a.settle(a.store)

	before, err := a.bus.LastSeq(t.Context())
	a.must(err)
	r := a.ask(bob, command.VerbRecord, command.RecordRequest{Records: []record.ID{one.ID, two.ID, {1}}})
	a.must(r.Err())
	reply := r.Body.(command.RecordReply)
	if len(reply.Records) != 2 || len(reply.Missing) != 1 || len(reply.Envelopes) != 1 || len(reply.Authors) != 1 {
		t.Fatalf("%d records, %d missing, %d envelopes, %d authors", len(reply.Records), len(reply.Missing), len(reply.Envelopes), len(reply.Authors))
	}
	for _, c := range reply.Records {
		got, err := record.FromWire(c.Record)
		a.must(err)
		a.must(got.CheckContent())
	}
	signed, err := identity.OpenEnvelope(reply.Envelopes[0])
	a.must(err)
	a.must(signed.Verify(identity.PurposeDelta, reply.Authors[0].Keys[0]))
	entry, err := a.bus.Get(t.Context(), before+1)
	a.must(err)
	served, _, err := command.OpenServed(entry.Data)
	a.must(err)
	if served.Contributor != bob.id || len(served.Contents) != 2 || served.How != command.HowRecord {
		t.Errorf("served: %+v", served)
	}

	a.must(a.ask(bob, command.VerbRecord, command.RecordRequest{Records: []record.ID{one.ID}}).Err())
	if last, _ := a.bus.LastSeq(t.Context()); last != before+1 {
		t.Errorf("showing the same content again was stated again: the log ends at %d", last)
	}
	next := seeded("alice's next key")
	a.command(command.KindRotate, command.Rotate{Contributor: alice.id, Key: next.Public()})
	a.settle(a.store)
	r = a.ask(bob, command.VerbRecord, command.RecordRequest{Records: []record.ID{one.ID}})
	a.must(r.Err())
	if keys := r.Body.(command.RecordReply).Authors[0].Keys; len(keys) != 2 || keys[0] != alice.key.Public() || keys[1] != next.Public() {
		t.Errorf("an author that rotated has the keys %v", keys)
	}
	echo := bob.send("facts", bob.text("one"))
	a.settle(a.store)
	if o := bob.outcomes(a.store, "facts", echo)[echo]; len(o.Items) != 1 || o.Items[0].Action != command.ActionEchoed {
		t.Errorf("what was shown and said again: %+v", o)
	}
	a.sameAsReplay(a.store)
}

// A quarantined or retired contributor is shown nothing, nor is anybody shown what
// it said.
func TestNothingIsShownUnderQuarantine(t *testing.T) {
	t.Parallel()
	a := newAsking(t)
	alice, bob, carol := a.enroll("alice"), a.enroll("bob"), a.enroll("carol")
	poison := alice.text("poison")
	alice.send("facts", poison)
	a.command(command.KindQuarantine, command.Quarantine{Contributor: alice.id, Reason: "poison"})
	a.command(command.KindRetire, command.Retire{Contributor: carol.id, Reason: "gone"})
	a.settle(a.store)

	a.refused("quarantined", a.ask(alice, command.VerbSlice, command.SliceRequest{}), reason.ContributorQuarantined)
	a.refused("retired", a.ask(carol, command.VerbSlice, command.SliceRequest{}), reason.ContributorRetired)
	r := a.ask(bob, command.VerbRecord, command.RecordRequest{Records: []record.ID{poison.ID}})
	a.must(r.Err())
	if reply := r.Body.(command.RecordReply); len(reply.Records) != 0 || len(reply.Missing) != 1 {
		t.Errorf("a quarantined record is shown: %+v", reply)
	}
	s := a.ask(bob, command.VerbSlice, command.SliceRequest{})
	a.must(s.Err())
	if n := s.Body.(command.SliceReply).Entries; n != 0 {
		t.Errorf("the slice has %d entries of a quarantined contributor", n)
	}
}

// A child that nobody knows yet gets itself derived, and what is refused does not
// reach the log where the service can tell.
func TestDerive(t *testing.T) {
	t.Parallel()
	a := newAsking(t)
	alice, bob := a.enroll("alice"), a.enroll("bob")
	a.settle(a.store)
	child := a.stranger("child")
	make := func(parent *author, signers ...identity.PrivateKey) command.DeriveRequest {
		c := a.make(command.KindDerive, command.Derive{Child: child.key.Public(), Name: "child", Parents: []identity.ID{parent.id}})
		return command.DeriveRequest{Command: command.Seal(c, signers...)}
	}
	last, err := a.bus.LastSeq(t.Context())
	a.must(err)
	a.refused("signed by another than the parent", a.ask(child, command.VerbDerive, make(alice, bob.key, child.key)), reason.ParentUnknown)
	a.refused("asked for by the parent", a.ask(alice, command.VerbDerive, make(alice, alice.key, child.key)), reason.AuthorMismatch)
	if now, _ := a.bus.LastSeq(t.Context()); now != last {
		t.Errorf("refused commands reached the log")
	}
	r := a.ask(child, command.VerbDerive, make(alice, alice.key, child.key))
	a.must(r.Err())
	a.refused("a second time", a.ask(child, command.VerbDerive, make(alice, alice.key, child.key)), reason.AlreadyKnown)
	a.refused("and it may ask", a.ask(child, command.VerbSlice, command.SliceRequest{}), "")
}

// Whoever knows the store id alone learns from a health reply whose signature to
// trust, and where the store stands.
func TestHealth(t *testing.T) {
	t.Parallel()
	a := newAsking(t)
	next := seeded("next service")
	a.command(command.KindOperators, command.Operators{Role: command.RoleService, Add: []identity.PublicKey{next.Public()}})
	a.settle(a.store)
	r := a.ask(a.stranger("anybody"), command.VerbHealth, command.HealthRequest{})
	a.must(r.Err())
	h := r.Body.(command.HealthReply)
	m, err := command.Open(h.Genesis)
	a.must(err)
	if command.StoreID(m.Payload) != a.world.store || len(h.Operators) != 1 {
		t.Errorf("health proves another store, or %d operators facts", len(h.Operators))
	}
	if h.Revision != h.Last || h.Last == 0 {
		t.Errorf("revision %d of %d", h.Revision, h.Last)
	}
}

// Outcomes are published, signed, after the commit.
func TestOutcomesAreAnnounced(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "facts")
	alice := w.enroll("alice")
	heard := make(chan []byte, 16)
	w.must(w.bus.SubscribeOutcomes(t.Context(), alice.id, func(data []byte) { heard <- bytes.Clone(data) }))
	w.worker(w.pgURL, "one", &logs{})
	id := alice.send("facts", alice.text("a text"))
	select {
	case data := <-heard:
		o, envelope, err := command.OpenOutcome(data)
		w.must(err)
		w.must(envelope.Verify(identity.PurposeReply, w.service.Public()))
		if o.DeltaID != id || o.Status != command.StatusMerged {
			t.Errorf("outcome %+v", o)
		}
	case <-time.After(patience):
		t.Fatal("no outcome was heard")
	}
}
