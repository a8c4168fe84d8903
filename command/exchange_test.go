package command_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"consilience/command"
	"consilience/delta"
	"consilience/identity"
	"consilience/reason"
	"consilience/record"
	"consilience/wire"
	"consilience/wire/wiretest"
)

func TestRequestsAndReplies(t *testing.T) {
	for _, x := range exchanges(t) {
		t.Run(string(x.request.Verb), func(t *testing.T) {
			q, e, err := command.OpenRequest(command.SealRequest(x.request, key(t, 4)))
			if err != nil || !reflect.DeepEqual(q, x.request) {
				t.Fatalf("request comes back as %+v, %v", q, err)
			}
			if err := e.Verify(identity.PurposeRequest, public(t, 4)); err != nil {
				t.Error(err)
			}
			r, e, err := command.OpenReply(command.SealReply(x.reply, key(t, 3)))
			if err != nil || !reflect.DeepEqual(r, x.reply) {
				t.Fatalf("reply comes back as %+v, %v", r, err)
			}
			if err := e.Verify(identity.PurposeReply, public(t, 3)); err != nil {
				t.Error(err)
			}
			if err := r.Answers(q); err != nil {
				t.Error(err)
			}
			q.Nonce[3]++
			if got := reason.Of(r.Answers(q)); got != reason.ReplyMismatch {
				t.Errorf("another nonce: got %q", got)
			}
		})
	}
}

// What travels is an envelope, not its payload.
func TestPayloadsWithoutEnvelope(t *testing.T) {
	x := exchanges(t)[0]
	for name, open := range map[string]func() error{
		"request": func() error { _, _, err := command.OpenRequest(x.request.Encode()); return err },
		"reply":   func() error { _, _, err := command.OpenReply(x.reply.Encode()); return err },
		"served":  func() error { _, _, err := command.OpenServed(served(t).Encode()); return err },
		"outcome": func() error { _, _, err := command.OpenOutcome(outcome(t).Encode()); return err },
		"command": func() error { _, err := command.Open(examples(t)[0].command.Encode()); return err },
	} {
		if err := open(); reason.Of(err) != reason.Malformed {
			t.Errorf("%s: got %v, want %s", name, err, reason.Malformed)
		}
	}
}

// A refusal arrives with its reason, an error without one with nothing of its
// text.
func TestRefusals(t *testing.T) {
	q := exchanges(t)[1].request
	r := q.Refuse(reason.New(reason.SliceUnknown, "no such slice"))
	if got := reason.Of(r.Err()); got != reason.SliceUnknown {
		t.Errorf("got %q", got)
	}
	r = q.Refuse(errors.New("password=hunter2"))
	if r.Refusal.Reason != reason.Unreachable || bytes.Contains(r.Encode(), []byte("hunter2")) {
		t.Errorf("an internal error travels: %+v", r.Refusal)
	}
	r = q.Refuse(reason.New(reason.SliceUnknown, "two\nlines"))
	if _, err := command.DecodeReply(r.Encode()); err != nil {
		t.Errorf("a refusal that its reader refuses: %v", err)
	}
	if exchanges(t)[0].reply.Err() != nil {
		t.Error("an answer is an error")
	}
}

func TestGoldenExchanges(t *testing.T) {
	var requests, replies []wiretest.Vector
	for _, x := range exchanges(t) {
		name := string(x.request.Verb)
		if x.reply.Refusal != nil {
			name += ", refused"
		}
		requests = append(requests, wiretest.Vector{
			Name: name, Seed: hex.EncodeToString(key(t, 4).Seed()), Fields: wiretest.Show(x.request),
			Hex: hex.EncodeToString(command.SealRequest(x.request, key(t, 4))),
		})
		replies = append(replies, wiretest.Vector{
			Name: name, Seed: hex.EncodeToString(key(t, 3).Seed()), Fields: wiretest.Show(x.reply),
			Hex: hex.EncodeToString(command.SealReply(x.reply, key(t, 3))),
		})
	}
	wiretest.Golden(t, "testdata/requests.json", requests)
	wiretest.Golden(t, "testdata/replies.json", replies)
}

// changed is the payload of x, one member of its map replaced.
func changed(tb testing.TB, payload []byte, member uint64, value any) []byte {
	tb.Helper()
	var m map[uint64]wire.Raw
	if err := wire.Unmarshal(payload, &m); err != nil {
		tb.Fatal(err)
	}
	m[member] = wire.Marshal(value)
	return wire.Marshal(m)
}

// short leaves out the vectors that are refused for their size, which are not
// worth their place in a file.
func short(vectors []wiretest.Vector) []wiretest.Vector {
	return slices.DeleteFunc(vectors, func(v wiretest.Vector) bool { return len(v.Hex) > 1<<15 })
}

func refusedRequests(tb testing.TB) []wiretest.Vector {
	all := exchanges(tb)
	var vectors []wiretest.Vector
	add := func(name string, code reason.Code, at int, member uint64, value any) {
		payload := changed(tb, all[at].request.Encode(), member, value)
		vectors = append(vectors, wiretest.Vector{Name: name, Reason: code,
			Hex: hex.EncodeToString(identity.Sign(identity.PurposeRequest, payload, key(tb, 4)))})
	}
	body := func(verb command.Verb, name string, code reason.Code, value any) {
		at := slices.IndexFunc(all, func(x exchange) bool { return x.request.Verb == verb })
		add(string(verb)+": "+name, code, at, 8, value)
	}
	add("version 2", reason.VersionUnsupported, 0, 1, 2)
	add("unknown verb", reason.CommandUnknown, 0, 2, "forget")
	add("store of 31 bytes", reason.Malformed, 0, 3, make([]byte, 31))
	add("space", reason.NameInvalid, 0, 4, "a.b")
	add("no space", reason.NameInvalid, 0, 4, "")
	add("health with a space", reason.SpaceMismatch, 6, 4, "flights")
	add("nonce of 8 bytes", reason.Malformed, 0, 6, make([]byte, 8))
	add("time 2^53", reason.OutOfRange, 0, 7, uint64(1)<<53)
	add("a ninth member", reason.Malformed, 0, 9, 0)
	body(command.VerbSlice, "body null", reason.Malformed, nil)
	body(command.VerbSlice, "a member", reason.Malformed, map[uint64]any{1: 0})
	body(command.VerbPage, "page 2^53", reason.OutOfRange, map[uint64]any{1: [32]byte{}, 2: uint64(1) << 53})
	body(command.VerbPage, "no digest", reason.Malformed, map[uint64]any{2: 0})
	body(command.VerbRecord, "none asked for", reason.OutOfRange, command.RecordRequest{})
	body(command.VerbRecord, "asked for twice", reason.NamedTwice, command.RecordRequest{Records: make([]record.ID, 2)})
	body(command.VerbRecord, "not in order", reason.NotCanonical, command.RecordRequest{Records: []record.ID{{1}, {0}}})
	body(command.VerbRecord, "4097 asked for", reason.OutOfRange, command.RecordRequest{Records: make([]record.ID, 4097)})
	body(command.VerbRecall, "empty", reason.OutOfRange, command.RecallRequest{})
	body(command.VerbOutcome, "none asked for", reason.OutOfRange, command.OutcomeRequest{})
	body(command.VerbOutcome, "asked for twice", reason.NamedTwice, command.OutcomeRequest{Deltas: make([]delta.ID, 2)})
	body(command.VerbDerive, "no message", reason.Malformed, command.DeriveRequest{})
	body(command.VerbDerive, "another command", reason.Malformed, command.DeriveRequest{Command: examples(tb)[7].seal(tb)})
	return vectors
}

func TestRefusedRequests(t *testing.T) {
	vectors := refusedRequests(t)
	wiretest.Refused(t, vectors, func(raw []byte) error {
		_, _, err := command.OpenRequest(raw)
		return err
	})
	wiretest.Golden(t, "testdata/requests-refused.json", short(vectors))
}

func refusedReplies(tb testing.TB) []wiretest.Vector {
	all := exchanges(tb)
	var vectors []wiretest.Vector
	add := func(name string, code reason.Code, at int, member uint64, value any) {
		payload := changed(tb, all[at].reply.Encode(), member, value)
		vectors = append(vectors, wiretest.Vector{Name: name, Reason: code,
			Hex: hex.EncodeToString(identity.Sign(identity.PurposeReply, payload, key(tb, 3)))})
	}
	body := func(verb command.Verb, name string, code reason.Code, value any) {
		at := slices.IndexFunc(all, func(x exchange) bool { return x.request.Verb == verb })
		add(string(verb)+": "+name, code, at, 4, value)
	}
	carried := all[2].reply.Body.(command.RecordReply)
	health := all[6].reply.Body.(command.HealthReply)
	add("version 2", reason.VersionUnsupported, 0, 1, 2)
	add("unknown verb", reason.CommandUnknown, 0, 2, "")
	add("nonce of 8 bytes", reason.Malformed, 0, 3, make([]byte, 8))
	add("body and refusal", reason.Malformed, 0, 5, []string{"not_found", ""})
	add("neither body nor refusal", reason.Malformed, 0, 4, nil)
	add("refusal without a reason", reason.NameInvalid, 7, 5, []string{"", "x"})
	add("refusal with a control character", reason.NameInvalid, 7, 5, []string{"not_found", "a\nb"})
	add("refusal with a reason of 65 bytes", reason.NameInvalid, 7, 5, []string{strings.Repeat("x", 65), ""})
	add("refusal of three elements", reason.Malformed, 7, 5, []string{"not_found", "", ""})
	body(command.VerbSlice, "nothing issued", reason.Malformed, command.SliceReply{})
	body(command.VerbSlice, "entries 2^53", reason.OutOfRange, command.SliceReply{Entries: 1 << 53})
	body(command.VerbPage, "item twice", reason.NotCanonical, command.PageReply{Entries: make([]delta.SliceEntry, 2)})
	body(command.VerbPage, "4097 entries", reason.OutOfRange, command.PageReply{Entries: make([]delta.SliceEntry, 4097)})
	body(command.VerbPage, "confidence above 0.999", reason.OutOfRange, command.PageReply{Entries: []delta.SliceEntry{{Confidence: 999_001}}})
	body(command.VerbRecord, "envelope that is not there", reason.OutOfRange, with(carried, func(c *command.RecordReply) { c.Envelopes = nil }))
	body(command.VerbRecord, "envelope that is none", reason.Malformed, with(carried, func(c *command.RecordReply) { c.Envelopes = [][]byte{{0x80}} }))
	body(command.VerbRecord, "author without a key", reason.OutOfRange, with(carried, func(c *command.RecordReply) { c.Authors = []command.Author{{}} }))
	body(command.VerbRecord, "author's first key is another's", reason.AuthorMismatch, with(carried, func(c *command.RecordReply) {
		c.Authors = []command.Author{{Contributor: public(tb, 4).ID(), Keys: []identity.PublicKey{public(tb, 9)}}}
	}))
	body(command.VerbRecord, "author's key of small order", reason.KeyInvalid, with(carried, func(c *command.RecordReply) {
		c.Authors = []command.Author{{Keys: []identity.PublicKey{small}}}
	}))
	body(command.VerbRecord, "missing twice", reason.NamedTwice, with(carried, func(c *command.RecordReply) { c.Missing = make([]record.ID, 2) }))
	body(command.VerbOutcome, "not an outcome", reason.Malformed, command.OutcomeReply{Outcomes: [][]byte{[]byte("{")}})
	body(command.VerbDerive, "id of 31 bytes", reason.Malformed, map[uint64]any{1: make([]byte, 31)})
	body(command.VerbHealth, "revision 2^53", reason.OutOfRange, with(health, func(h *command.HealthReply) { h.Revision = 1 << 53 }))
	body(command.VerbHealth, "last 2^53", reason.OutOfRange, with(health, func(h *command.HealthReply) { h.Last = 1 << 53 }))
	body(command.VerbHealth, "version", reason.NameInvalid, with(health, func(h *command.HealthReply) { h.Version = "\n" }))
	body(command.VerbHealth, "genesis that is none", reason.Malformed, with(health, func(h *command.HealthReply) { h.Genesis = h.Operators[0] }))
	body(command.VerbHealth, "genesis empty", reason.Malformed, with(health, func(h *command.HealthReply) { h.Genesis = nil }))
	body(command.VerbHealth, "operators empty", reason.Malformed, with(health, func(h *command.HealthReply) { h.Operators = [][]byte{{}} }))
	body(command.VerbHealth, "operators that are none", reason.Malformed, with(health, func(h *command.HealthReply) { h.Operators = [][]byte{h.Genesis} }))
	return vectors
}

func TestRefusedReplies(t *testing.T) {
	vectors := refusedReplies(t)
	wiretest.Refused(t, vectors, func(raw []byte) error {
		_, _, err := command.OpenReply(raw)
		return err
	})
	wiretest.Golden(t, "testdata/replies-refused.json", short(vectors))
}
