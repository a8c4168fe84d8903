package reconcile_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"consilience/command"
	"consilience/delta"
	"consilience/identity"
	"consilience/reason"
	"consilience/record"
	"consilience/wire"
)

// bad is a message that has to be refused, and why.
type bad struct {
	name    string
	subject string
	data    []byte
	want    reason.Code
}

// badDeltas are messages of one contributor that no store may take.
func badDeltas(w *world, alice, bob *author) []bad {
	subject := command.DeltaSubject("facts", alice.id)
	mallory := w.stranger("mallory")
	seal := func(a *author, d delta.Delta, rs ...record.Record) []byte { raw, _ := a.seal(d, rs...); return raw }
	one := func(a *author, change func(*delta.Delta)) []byte {
		r := a.text("a text of " + fmt.Sprint(a.sequence["facts"]))
		d := a.next("facts", r)
		a.sequence["facts"]--
		change(&d)
		return seal(a, d, r)
	}
	good := one(alice, func(*delta.Delta) {})
	tagged := append([]byte{0x82, 0xd3}, good[2:]...) // COSE_Sign1 is tag 18; this is 19
	flipped := append([]byte(nil), good...)
	flipped[len(flipped)-8] ^= 1 // in the last record's content
	foreign := alice.text("signed by another")
	underBob, _, err := delta.Seal(alice.next("facts", foreign), []record.Record{foreign}, bob.key)
	w.must(err)
	alice.sequence["facts"]--
	return []bad{
		{"no bytes", subject, nil, reason.Malformed},
		{"noise", subject, []byte("{\"new\":[]}"), reason.Malformed},
		{"cut off", subject, good[:len(good)/2], reason.Malformed},
		{"bytes after it", subject, append(append([]byte(nil), good...), 0), reason.Malformed},
		{"another tag", subject, tagged, reason.Malformed},
		{"content that was changed", subject, flipped, reason.ContentHashMismatch},
		{"another store", subject, one(alice, func(d *delta.Delta) { d.Store[0] ^= 1 }), reason.StoreMismatch},
		{"another space", subject, one(alice, func(d *delta.Delta) { d.Space = "other" }), reason.SpaceMismatch},
		{"a space that nobody made", command.DeltaSubject("nowhere", alice.id), one(alice, func(d *delta.Delta) { d.Space = "nowhere" }), reason.SpaceUnknown},
		{"a space that no name can be", "mem.space.NOT-A-NAME.delta." + alice.id.Token(), good, reason.NameInvalid},
		{"a kind that nobody knows", "mem.space.facts.gossip." + alice.id.Token(), good, reason.CommandUnknown},
		{"a token that is no id", "mem.space.facts.delta.alice", good, reason.Malformed},
		{"another's subject", command.DeltaSubject("facts", bob.id), good, reason.SubjectMismatch},
		{"another's key", subject, underBob, reason.AuthorMismatch},
		{"a contributor nobody enrolled", command.DeltaSubject("facts", mallory.id), one(mallory, func(*delta.Delta) {}), reason.KeyUnknown},
		{"a sequence far ahead", subject, one(alice, func(d *delta.Delta) { d.Sequence = 1 << 21 }), reason.SequenceGap},
		{"a sequence beyond 2^53", subject, rewritten(w, alice), reason.OutOfRange},
		{"a slice that was never issued", subject, one(alice, func(d *delta.Delta) { d.Sequence, d.Base = 900, &delta.Base{Digest: [32]byte{1}, Revision: 3} }), reason.SliceUnknown},
		{"over the limit of bytes", subject, bulky(alice), reason.MessageTooLarge},
		{"as large as the server takes", subject, make([]byte, 2<<20-1024), reason.MessageTooLarge},
		{"a 6 kB subject of the log", "mem.space." + strings.Repeat("x", 3000) + ".delta." + alice.id.Token(), good, reason.NameInvalid},
	}
}

// rewritten is a delta whose sequence does not fit the wire, put together by hand.
func rewritten(w *world, a *author) []byte {
	r := a.text("a sequence that does not fit")
	d := a.next("facts", r)
	a.sequence["facts"]--
	d.Sequence = 1 << 40
	raw, _ := a.seal(d, r)
	// 5: uint64 2^40 is 05 1b 0000010000000000; make it 2^63. The signature breaks
	// too, but form comes first.
	at := strings.Index(string(raw), "\x05\x1b\x00\x00\x01\x00\x00\x00\x00\x00")
	if at < 0 {
		w.t.Fatal("the sequence is not where it was")
	}
	copy(raw[at+2:], []byte{0x80, 0, 0, 0, 0, 0, 0, 0})
	return raw
}

// bulky is a delta over the space's limit in bytes and within the server's.
func bulky(a *author) []byte {
	r, err := record.New(record.Binary, make([]byte, 1<<20+1), nil, a.id, 0)
	a.w.must(err)
	d := a.next("facts", r)
	a.sequence["facts"]--
	raw, _ := a.seal(d, r)
	return raw
}

// badContents are records whose content the canonical forms do not admit; a
// client's own library refuses to make them.
func badContents(w *world, alice *author) []bad {
	subject := command.DeltaSubject("facts", alice.id)
	var out []bad
	for _, c := range []struct {
		name    string
		kind    record.Kind
		content string
		want    reason.Code
	}{
		{"U+0000 in a text", record.Text, "a\x00b", reason.ContentInvalid},
		{"U+0000 in a claim", record.Structured, `{"a":"\u0000"}`, reason.ContentInvalid},
		{"an integer of 2^63", record.Structured, `{"a":9223372036854775808}`, reason.ContentInvalid},
		{"a text that is not NFC", record.Text, "e\u0301", reason.NotCanonical},
		{"bytes that are no text", record.Text, "\xff\xfe", reason.ContentInvalid},
		{"a name twice", record.Structured, `{"a":1,"a":2}`, reason.ContentInvalid},
		{"nine levels", record.Structured, strings.Repeat("[", 9) + strings.Repeat("]", 9), reason.NestingTooDeep},
	} {
		raw := forged(w, alice, c.kind, []byte(c.content))
		out = append(out, bad{c.name, subject, raw, c.want})
	}
	return out
}

// forged is a delta with one record whose content its own library would not take,
// put together by hand and signed: every hash and the signature are right.
func forged(w *world, a *author, kind record.Kind, content []byte) []byte {
	w.t.Helper()
	honest, err := record.New(kind, map[record.Kind][]byte{record.Text: []byte("x"), record.Structured: []byte("{}")}[kind], nil, a.id, 0)
	w.must(err)
	was, is := record.HashOf(honest.Content), record.HashOf(content)
	forward := bytes.Replace(honest.Forward, was[:], is[:], 1)
	id := wire.DomainHash("NHE-MEMORY-RECORD-v1", forward)
	payload := wire.Marshal(map[int]any{
		1: 1, 2: w.store[:], 3: "facts", 4: a.id[:], 5: a.sequence["facts"] + 1, 6: 0, 7: nil,
		8: []any{[]any{id[:], 900_000}}, 9: []any{}, 10: []any{},
	})
	raw := append(wire.AppendArray(nil, 2), identity.Sign(identity.PurposeDelta, payload, a.key)...)
	return append(raw, wire.Marshal([]record.Wire{{Forward: forward, Content: content}})...)
}

// Every bad message gets its reason, and takes neither its neighbours nor its
// contributor's sequence number with it (rulings "Wire and commands"; N-30).
func TestBadMessagesAreRefusedAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "facts")
	alice, bob := w.enroll("alice"), w.enroll("bob")
	store := w.open(w.pgURL)
	w.worker(w.pgURL, "one", &logs{})

	var good []delta.ID
	wants := map[uint64]bad{}
	for i, b := range append(badDeltas(w, alice, bob), badContents(w, alice)...) {
		good = append(good, alice.send("facts", alice.text(fmt.Sprintf("neighbour %d", i))))
		wants[w.publish(b.subject, b.data)] = b
	}
	good = append(good, alice.send("facts", alice.text("the last neighbour")))
	w.settle(store)

	for seq, b := range wants {
		var got string
		err := store.Pool().QueryRow(t.Context(), "SELECT reason FROM consilience.rejection WHERE seq = $1", int64(seq)).Scan(&got)
		if err != nil || got != string(b.want) {
			t.Errorf("%s: reason %q (%v), want %q", b.name, got, err, b.want)
		}
	}
	outcomes := alice.outcomes(store, "facts", good...)
	for i, id := range good {
		if outcomes[id].Status != command.StatusMerged {
			t.Errorf("neighbour %d: %+v", i, outcomes[id])
		}
	}
	w.sameAsReplay(store)
}

// Reuse and swaps of sequence numbers (wire.md "Delta").
func TestSequencesAreUsedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "facts")
	alice := w.enroll("alice")
	store := w.open(w.pgURL)
	w.worker(w.pgURL, "one", &logs{})
	subject := command.DeltaSubject("facts", alice.id)

	at := func(sequence uint64, text string) ([]byte, delta.ID) {
		r := alice.text(text)
		d := alice.next("facts", r)
		d.Sequence = sequence
		return alice.seal(d, r)
	}
	third, thirdID := at(3, "third")
	second, _ := at(2, "second")
	again, _ := at(2, "second, told otherwise")
	for _, step := range []struct {
		raw  []byte
		want command.Status
		why  reason.Code
	}{
		{third, command.StatusMerged, ""},
		{second, command.StatusMerged, ""}, // a retry that was overtaken
		{again, command.StatusRejected, reason.SequenceReused},
		{third, command.StatusDuplicate, ""},
	} {
		seq := w.publish(subject, step.raw)
		w.settle(store)
		var body []byte
		w.must(store.Pool().QueryRow(t.Context(), "SELECT body FROM consilience.outcome WHERE seq = $1", int64(seq)).Scan(&body))
		o, err := command.DecodeOutcome(body)
		w.must(err)
		if o.Status != step.want || o.Reason != step.why {
			t.Errorf("outcome %+v, want %s %s", o, step.want, step.why)
		}
	}
	if o := alice.outcomes(store, "facts", thirdID)[thirdID]; o.Status != command.StatusMerged {
		t.Errorf("asked again after a duplicate: %+v", o)
	}
	if n := w.count(store, "SELECT count(*) FROM consilience.applied_delta"); n != 2 {
		t.Errorf("%d deltas applied, want 2", n)
	}
	w.sameAsReplay(store)
}

// What was merged stays merged: the same bytes again, under a key that was rotated
// away since or above limits that were lowered since, are a duplicate. What is new
// under the old key is refused (N-51, wire.md "Delta").
func TestMergedDeltaIsNeverAnsweredRejected(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "facts")
	alice := w.enroll("alice")
	store := w.open(w.pgURL)
	w.worker(w.pgURL, "one", &logs{})
	subject := command.DeltaSubject("facts", alice.id)
	records := []record.Record{alice.text("first"), alice.text(strings.Repeat("second ", 400))}
	raw, id := alice.seal(alice.next("facts", records...), records...)
	become := func(data []byte, status command.Status, why reason.Code) {
		t.Helper()
		seq := w.publish(subject, data)
		w.settle(store)
		var body []byte
		w.must(store.Pool().QueryRow(t.Context(), "SELECT body FROM consilience.outcome WHERE seq = $1", int64(seq)).Scan(&body))
		o, err := command.DecodeOutcome(body)
		w.must(err)
		if o.Status != status || o.Reason != why {
			t.Errorf("outcome %+v, want %s %q", o, status, why)
		}
	}
	become(raw, command.StatusMerged, "")
	for _, lower := range []func(*command.Policy){
		func(p *command.Policy) { p.Entries = 1 },
		func(p *command.Policy) { p.MessageBytes = 1024 },
	} {
		p := command.DefaultPolicy()
		lower(&p)
		w.command(command.KindPolicy, command.PolicyChange{Space: "facts", Policy: p})
		become(raw, command.StatusDuplicate, "")
	}
	w.command(command.KindPolicy, command.PolicyChange{Space: "facts", Policy: command.DefaultPolicy()})
	w.command(command.KindRotate, command.Rotate{Contributor: alice.id, Key: seeded("alice, later").Public()})
	become(raw, command.StatusDuplicate, "")
	late := alice.text("said under the old key")
	fresh, _ := alice.seal(alice.next("facts", late), late)
	become(fresh, command.StatusRejected, reason.KeyNotCurrent)
	if o := alice.outcomes(store, "facts", id)[id]; o.Status != command.StatusMerged {
		t.Errorf("asked again: %+v", o)
	}
	w.sameAsReplay(store)
}

// The largest delta that a space admits is merged: 4096 entries, and claims whose
// subject has 6 kB.
func TestLargestDeltaIsMerged(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "facts")
	alice := w.enroll("alice")
	store := w.open(w.pgURL)
	w.worker(w.pgURL, "one", &logs{})
	var records []record.Record
	for i := range 4095 {
		records = append(records, alice.text(fmt.Sprintf("item %d", i)))
	}
	records = append(records, alice.claim(strings.Repeat("s", 6000), "is", "long"))
	id := alice.send("facts", records...)
	w.settle(store)
	o := alice.outcomes(store, "facts", id)[id]
	if o.Status != command.StatusMerged || len(o.Items) != 4096 {
		t.Errorf("outcome %s %s with %d items", o.Status, o.Reason, len(o.Items))
	}
}

// Commands that nobody may give are refused, and the fleet stays as it was.
func TestForgedCommandsAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "facts")
	alice := w.enroll("alice")
	store := w.open(w.pgURL)
	w.worker(w.pgURL, "one", &logs{})
	first := alice.text("a record")
	alice.send("facts", first)

	byAlice := func(kind command.Kind, body any, as identity.ID) uint64 {
		c := w.make(kind, body)
		return w.publish(command.SubjectFor(kind, c.Space(), as), command.Seal(c, alice.key))
	}
	operator := w.operator.Public().ID()
	judgement := command.Judgement{Space: "facts", Record: first.ID, Reason: "because"}
	refused := map[uint64]reason.Code{
		byAlice(command.KindConfirm, judgement, alice.id):                                                          reason.SignerNotOperator,
		byAlice(command.KindConfirm, judgement, operator):                                                          reason.SignerNotOperator,
		w.command(command.KindConfirm, command.Judgement{Space: "facts", Record: record.ID{9}, Reason: "because"}): reason.RecordUnknown,
	}
	served := command.Served{Store: w.store, Space: "facts", Contributor: alice.id, How: command.HowRecord,
		Contents: []record.Content{{Kind: record.Text, Hash: first.ContentHash}}}
	refused[w.publish(command.ServedSubject("facts", alice.id), command.SealServed(served, alice.key))] = reason.SignerNotService
	issued := delta.SliceIssued{Store: w.store, Space: "facts", Contributor: alice.id, Revision: 1}
	refused[w.publish(command.SliceSubject("facts", alice.id), delta.SealSlice(issued, w.operator))] = reason.SignerNotService
	fact := byAlice(command.KindQuarantine, command.Quarantine{Contributor: alice.id, Reason: "because"}, alice.id)
	w.settle(store)

	for seq, want := range refused {
		var got string
		err := store.Pool().QueryRow(t.Context(), "SELECT reason FROM consilience.rejection WHERE seq = $1", int64(seq)).Scan(&got)
		if err != nil || got != string(want) {
			t.Errorf("sequence %d: reason %q (%v), want %q", seq, got, err, want)
		}
	}
	if n := w.count(store, "SELECT count(*) FROM consilience.fact WHERE seq = $1 AND refusal <> ''", int64(fact)); n != 1 {
		t.Error("a contributor's quarantine of itself stands")
	}
	w.sameAsReplay(store)
}
