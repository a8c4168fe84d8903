package agent_test

import (
	"path/filepath"
	"testing"

	"consilience/agent"
	"consilience/agent/agenttest"
	"consilience/command"
	"consilience/delta"
	"consilience/identity"
	"consilience/reason"
	"consilience/record"
)

type agenttestStore = agenttest.Store

// stranger makes a contributor that nobody enrolled.
func stranger(t testing.TB, s *agenttest.Store, name string) *agent.Home {
	t.Helper()
	h, err := agent.Create(filepath.Join(t.TempDir(), name), agent.Options{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	if err := h.Bind(s.ID, s.URL); err != nil {
		t.Fatal(err)
	}
	return h
}

// A service that holds the right key and lies is found out: by the digest over the
// pages, by each record's id, by its content, by its author's signature (N-14,
// N-31, N-56).
func TestPullFindsOutALiar(t *testing.T) {
	t.Parallel()
	s := plant(t)
	alice, bob := home(t, s, "alice"), home(t, s, "bob")
	remember(t, alice, "the valve opens at 3 bar")
	if _, err := session(t, s, alice).Push(t.Context(), "plant", wait); err != nil {
		t.Fatal(err)
	}
	bobs := session(t, s, bob)
	for name, lie := range lies(t, s) {
		s.Tamper(lie.tell)
		if _, err := bobs.Pull(t.Context(), "plant", wait); reason.Of(err) != lie.want {
			t.Errorf("%s: %v, not %s", name, err, lie.want)
		}
		if r, err := bob.Verify(t.Context(), func() {}); err != nil || r.Records != 0 {
			t.Errorf("%s: %d records were kept, %v", name, r.Records, err)
		}
	}
	s.Tamper(nil)
	if p, err := bobs.Pull(t.Context(), "plant", wait); err != nil || p.Fetched != 1 {
		t.Errorf("the truth: %+v, %v", p, err)
	}
}

// lie changes replies and is refused with a reason.
type lie struct {
	tell func(any) any
	want reason.Code
}

func lies(t *testing.T, s *agenttest.Store) map[string]lie {
	foreign, err := record.New(record.Text, []byte("another content"), nil, identity.ID{1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	other := agenttest.Key(t)
	return map[string]lie{
		"a page with another confidence": {onPage(func(p *command.PageReply) { p.Entries[0].Confidence++ }), reason.Tampered},
		"a page left out":                {onPage(func(p *command.PageReply) { p.Entries = nil }), reason.Tampered},
		"a slice signed by another":      {onSlice(func(r *command.SliceReply) { r.Issued = resign(t, r.Issued, other) }), reason.SignerNotService},
		"a slice of another contributor": {onSlice(func(r *command.SliceReply) { r.Issued = readdress(t, r.Issued, s.Service) }), reason.SliceForeign},
		"a record with another content":  {onRecord(func(r *command.RecordReply) { r.Records[0].Record.Content = []byte("x") }), reason.ContentHashMismatch},
		"a record not asked for":         {onRecord(func(r *command.RecordReply) { r.Records[0].Record = foreign.Wire() }), reason.ReplyMismatch},
		"a record without its proof":     {onRecord(func(r *command.RecordReply) { r.Authors = nil }), reason.KeyUnknown},
		"a proof of another record": {onRecord(func(r *command.RecordReply) {
			r.Envelopes[0] = identity.Sign(identity.PurposeDelta, emptyDelta(t, s, other), other)
			r.Authors = []command.Author{{Contributor: other.Public().ID(), Keys: []identity.PublicKey{other.Public()}}}
		}), reason.AuthorMismatch},
		"no answer at all": {onRecord(func(r *command.RecordReply) { r.Records, r.Envelopes, r.Authors = nil, nil, nil }), reason.ReplyMismatch},
	}
}

func onPage(f func(*command.PageReply)) func(any) any {
	return func(body any) any {
		if p, ok := body.(command.PageReply); ok {
			p.Entries = append([]delta.SliceEntry{}, p.Entries...)
			f(&p)
			return p
		}
		return body
	}
}

func onSlice(f func(*command.SliceReply)) func(any) any {
	return func(body any) any {
		if r, ok := body.(command.SliceReply); ok {
			f(&r)
			return r
		}
		return body
	}
}

func onRecord(f func(*command.RecordReply)) func(any) any {
	return func(body any) any {
		if r, ok := body.(command.RecordReply); ok {
			f(&r)
			return r
		}
		return body
	}
}

func resign(t *testing.T, issued []byte, key identity.PrivateKey) []byte {
	t.Helper()
	slice, _, err := delta.OpenSlice(issued)
	if err != nil {
		t.Fatal(err)
	}
	return delta.SealSlice(slice, key)
}

func readdress(t *testing.T, issued []byte, key identity.PrivateKey) []byte {
	t.Helper()
	slice, _, err := delta.OpenSlice(issued)
	if err != nil {
		t.Fatal(err)
	}
	slice.Contributor = identity.ID{1}
	return delta.SealSlice(slice, key)
}

// emptyDelta is the payload of a delta by key that names no record.
func emptyDelta(t *testing.T, s *agenttest.Store, key identity.PrivateKey) []byte {
	t.Helper()
	raw, _, err := delta.Seal(delta.Delta{Store: s.ID, Space: "plant", Contributor: key.Public().ID(), Sequence: 1}, nil, key)
	if err != nil {
		t.Fatal(err)
	}
	m, err := delta.Open(raw)
	if err != nil {
		t.Fatal(err)
	}
	return m.Envelope.Payload
}

// A service of another store is refused, whatever it signs: its keys are not those
// that the store id vouches for.
func TestAnotherStoreIsRefused(t *testing.T) {
	t.Parallel()
	s := plant(t)
	h, err := agent.Create(t.TempDir(), agent.Options{Name: "alice"})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if err := h.Bind([32]byte{1}, s.URL); err != nil {
		t.Fatal(err)
	}
	if _, err := session(t, s, h).Pull(t.Context(), "plant", wait); reason.Of(err) != reason.StoreMismatch {
		t.Errorf("pull from another store: %v", err)
	}
	if err := h.Bind(s.ID, s.URL); reason.Of(err) != reason.StoreMismatch {
		t.Errorf("binding to a second store: %v", err)
	}
}

// Pull pushes first: what the contributor knew is no echo of what it is told.
func TestPullPushesFirst(t *testing.T) {
	t.Parallel()
	s := plant(t)
	alice, bob := home(t, s, "alice"), home(t, s, "bob")
	remember(t, alice, "the pump is blue")
	if _, err := session(t, s, alice).Push(t.Context(), "plant", wait); err != nil {
		t.Fatal(err)
	}
	remember(t, bob, "the pump is blue")
	p, err := session(t, s, bob).Pull(t.Context(), "plant", wait)
	if err != nil || len(p.Pushed.Outcomes) != 1 {
		t.Fatalf("pull: %+v, %v", p, err)
	}
	if got := p.Pushed.Outcomes[0].Items[0]; got.Action != command.ActionJoined || !got.Counted {
		t.Errorf("what bob knew before is %s, counted %v", got.Action, got.Counted)
	}
	carol := home(t, s, "carol")
	carols := session(t, s, carol)
	if _, err := carols.Pull(t.Context(), "plant", wait); err != nil {
		t.Fatal(err)
	}
	remember(t, carol, "the pump is blue")
	pushed, err := carols.Push(t.Context(), "plant", wait)
	if err != nil || pushed.Outcomes[0].Items[0].Action != command.ActionEchoed {
		t.Errorf("what carol was told before is %+v, %v", pushed, err)
	}
}
