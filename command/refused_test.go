package command_test

import (
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"consilience/command"
	"consilience/identity"
	"consilience/reason"
	"consilience/wire"
	"consilience/wire/wiretest"
)

// raw is a message of one envelope over a payload with this body, whatever it is.
func raw(tb testing.TB, kind command.Kind, store [32]byte, body any, signers ...byte) []byte {
	tb.Helper()
	payload := wire.Marshal(map[uint64]any{1: 1, 2: kind, 3: store, 4: [16]byte{}, 5: body})
	return envelopes(tb, signers, payload)
}

// envelopes is a message with an envelope by each signer over its payload; the
// last payload is used again.
func envelopes(tb testing.TB, signers []byte, payloads ...[]byte) []byte {
	tb.Helper()
	out := wire.AppendArray(nil, len(signers))
	for i, s := range signers {
		out = append(out, identity.Sign(identity.PurposeCommand, payloads[min(i, len(payloads)-1)], key(tb, s))...)
	}
	return out
}

// small is a public key of small order.
var small = identity.PublicKey{1}

// with is b, changed.
func with[B any](b B, change func(*B)) B {
	change(&b)
	return b
}

// body is the body of the example of this kind.
func body[B any](tb testing.TB, kind command.Kind) B {
	for _, e := range examples(tb) {
		if e.command.Kind == kind {
			return e.command.Body.(B)
		}
	}
	tb.Fatalf("no example of %s", kind)
	panic("unreachable")
}

// brokenBody breaks one rule of its kind.
type brokenBody struct {
	kind    command.Kind
	name    string
	reason  reason.Code
	body    any
	signers []byte // seeds; an operator's if there is none
}

// refusedBodies are messages whose body is refused.
func refusedBodies(tb testing.TB) []wiretest.Vector {
	var vectors []wiretest.Vector
	for _, b := range slices.Concat(brokenKeys(tb), brokenEnrolls(tb), brokenDerives(tb), brokenOthers(tb)) {
		store, signers := id("store"), b.signers
		if b.kind == command.KindGenesis {
			store = [32]byte{}
		}
		if signers == nil {
			signers = []byte{1}
		}
		vectors = append(vectors, wiretest.Vector{
			Name: string(b.kind) + ": " + b.name, Reason: b.reason, Hex: hex.EncodeToString(raw(tb, b.kind, store, b.body, signers...)),
		})
	}
	return vectors
}

func brokenKeys(tb testing.TB) []brokenBody {
	genesis := func(name string, code reason.Code, change func(*command.Genesis)) brokenBody {
		g := body[command.Genesis](tb, command.KindGenesis)
		return brokenBody{command.KindGenesis, name, code, with(g, change), nil}
	}
	operators := func(name string, code reason.Code, change func(*command.Operators)) brokenBody {
		o := body[command.Operators](tb, command.KindOperators)
		return brokenBody{command.KindOperators, name, code, with(o, change), nil}
	}
	return []brokenBody{
		genesis("no operator", reason.OutOfRange, func(g *command.Genesis) { g.Operators = nil }),
		genesis("no service", reason.OutOfRange, func(g *command.Genesis) { g.Services = nil }),
		genesis("threshold 0", reason.OutOfRange, func(g *command.Genesis) { g.Threshold = 0 }),
		genesis("threshold above its operators", reason.OutOfRange, func(g *command.Genesis) { g.Threshold = 3 }),
		genesis("key in both roles", reason.NamedTwice, func(g *command.Genesis) { g.Services = g.Operators }),
		genesis("key of small order", reason.KeyInvalid, func(g *command.Genesis) { g.Services = []identity.PublicKey{small} }),
		genesis("operators not in order", reason.NotCanonical, func(g *command.Genesis) { slices.Reverse(g.Operators) }),
		{command.KindGenesis, "signed by another", reason.SignerNotOperator, body[command.Genesis](tb, command.KindGenesis), []byte{3}},
		operators("unknown role", reason.Malformed, func(o *command.Operators) { o.Role = "admin" }),
		operators("no key", reason.OutOfRange, func(o *command.Operators) { o.Add, o.Remove = nil, nil }),
		operators("added and removed", reason.NamedTwice, func(o *command.Operators) { o.Remove = o.Add }),
		operators("65 keys", reason.OutOfRange, func(o *command.Operators) { o.Add = make([]identity.PublicKey, 65) }),
		{command.KindRotate, "key of small order", reason.KeyInvalid, command.Rotate{Key: small}, nil},
	}
}

func brokenEnrolls(tb testing.TB) []brokenBody {
	enroll := func(name string, code reason.Code, change func(*command.Enroll)) brokenBody {
		return brokenBody{command.KindEnroll, name, code, with(body[command.Enroll](tb, command.KindEnroll), change), nil}
	}
	return []brokenBody{
		enroll("key of small order", reason.KeyInvalid, func(e *command.Enroll) { e.Key = small }),
		enroll("no name", reason.NameInvalid, func(e *command.Enroll) { e.Name = "" }),
		enroll("name begins with a blank", reason.NameInvalid, func(e *command.Enroll) { e.Name = " x" }),
		enroll("line feed in the name", reason.NameInvalid, func(e *command.Enroll) { e.Name = "a\nb" }),
		enroll("name reads as an id", reason.NameInvalid, func(e *command.Enroll) { e.Name = e.Key.ID().Token() }),
		enroll("name begins as an id", reason.NameInvalid, func(e *command.Enroll) { e.Name = "nhe:x" }),
		enroll("name of 65 bytes", reason.NameInvalid, func(e *command.Enroll) { e.Name = strings.Repeat("x", 65) }),
		enroll("space", reason.NameInvalid, func(e *command.Enroll) { e.Spaces = []string{"a.b"} }),
		enroll("space twice", reason.NamedTwice, func(e *command.Enroll) { e.Spaces = []string{"a", "a"} }),
		enroll("spaces not in order", reason.NotCanonical, func(e *command.Enroll) { e.Spaces = []string{"b", "a"} }),
		enroll("control character in the origin", reason.NameInvalid, func(e *command.Enroll) { e.Origin = "\x1b" }),
		enroll("reputation above 1", reason.OutOfRange, func(e *command.Enroll) { e.Reputation = 1_000_001 }),
	}
}

func brokenDerives(tb testing.TB) []brokenBody {
	derive := func(name string, code reason.Code, signers []byte, change func(*command.Derive)) brokenBody {
		return brokenBody{command.KindDerive, name, code, with(body[command.Derive](tb, command.KindDerive), change), signers}
	}
	all := []byte{4, 5, 6}
	return []brokenBody{
		derive("key of small order", reason.KeyInvalid, all, func(d *command.Derive) { d.Child = small }),
		derive("name", reason.NameInvalid, all, func(d *command.Derive) { d.Name = "\x00" }),
		derive("no parent", reason.OutOfRange, []byte{6}, func(d *command.Derive) { d.Parents = nil }),
		derive("from itself", reason.NamedTwice, []byte{4, 6}, func(d *command.Derive) { d.Parents = []identity.ID{d.Child.ID()} }),
		derive("parent twice", reason.NamedTwice, all, func(d *command.Derive) { d.Parents[1] = d.Parents[0] }),
		derive("not signed by the child", reason.ThresholdNotMet, []byte{4, 5, 1}, func(*command.Derive) {}),
		derive("a parent did not sign", reason.ThresholdNotMet, []byte{4, 6}, func(*command.Derive) {}),
	}
}

func brokenOthers(tb testing.TB) []brokenBody {
	long := strings.Repeat("x", 1025)
	rival := func(name string, code reason.Code, change func(*command.Rival)) brokenBody {
		return brokenBody{command.KindRival, name, code, with(body[command.Rival](tb, command.KindRival), change), nil}
	}
	policy := command.DefaultPolicy()
	all := []brokenBody{
		{command.KindSpace, "name", reason.NameInvalid, command.Space{Name: "A", Policy: policy}, nil},
		{command.KindPolicy, "name", reason.NameInvalid, command.PolicyChange{Policy: policy}, nil},
		{command.KindRetire, "reason too long", reason.NameInvalid, command.Retire{Reason: long}, nil},
		{command.KindQuarantine, "since 2^53", reason.OutOfRange, command.Quarantine{Since: 1 << 53}, nil},
		{command.KindQuarantine, "reason too long", reason.NameInvalid, command.Quarantine{Reason: long}, nil},
		{command.KindRelease, "reason too long", reason.NameInvalid, command.Release{Reason: long}, nil},
		rival("of itself", reason.NamedTwice, func(r *command.Rival) { r.Other = r.Item }),
		rival("space", reason.NameInvalid, func(r *command.Rival) { r.Space = "" }),
		rival("reason too long", reason.NameInvalid, func(r *command.Rival) { r.Reason = long }),
	}
	for _, kind := range []command.Kind{command.KindConfirm, command.KindContradict, command.KindSplit, command.KindErase} {
		all = append(all,
			brokenBody{kind, "space", reason.NameInvalid, command.Judgement{Space: "a b"}, nil},
			brokenBody{kind, "reason too long", reason.NameInvalid, command.Judgement{Space: "a", Reason: long}, nil})
	}
	return all
}

// refusedMessages break the form around the body.
func refusedMessages(tb testing.TB) []wiretest.Vector {
	var vectors []wiretest.Vector
	add := func(name string, code reason.Code, raw []byte) {
		vectors = append(vectors, wiretest.Vector{Name: name, Reason: code, Hex: hex.EncodeToString(raw)})
	}
	retire := examples(tb)[7].command
	payload := retire.Encode()
	left := retire.Body
	good := command.Seal(retire, key(tb, 1))
	add("empty", reason.Malformed, nil)
	add("no envelope", reason.Malformed, []byte{0x80})
	add("an envelope alone", reason.Malformed, good[1:])
	add("trailing byte", reason.Malformed, append(slices.Clone(good), 0))
	add("truncated", reason.Malformed, good[:len(good)-1])
	add("array head not in its shortest form", reason.NotCanonical, append([]byte{0x98, 0x01}, good[1:]...))
	add("two signatures on a retire", reason.Malformed, envelopes(tb, []byte{1, 2}, payload))
	add("one key signs twice", reason.NamedTwice, envelopes(tb, []byte{1, 1}, examples(tb)[1].command.Encode()))
	add("two payloads", reason.Malformed, envelopes(tb, []byte{1, 2}, examples(tb)[1].command.Encode(), payload))
	add("66 signatures", reason.Malformed, envelopes(tb, slices.Repeat([]byte{1}, 66), payload))
	add("unknown kind", reason.CommandUnknown, raw(tb, "banish", id("store"), left, 1))
	add("kind delta", reason.CommandUnknown, raw(tb, "delta", id("store"), left, 1))
	add("genesis names a store", reason.StoreMismatch, raw(tb, command.KindGenesis, id("store"), examples(tb)[0].command.Body, 1))
	add("body of another kind", reason.Malformed, raw(tb, command.KindRotate, id("store"), left, 1))
	add("body null", reason.Malformed, raw(tb, command.KindRetire, id("store"), nil, 1))
	add("body has another member", reason.Malformed, raw(tb, command.KindRetire, id("store"), map[uint64]any{1: [32]byte{}, 2: "", 3: 0}, 1))
	add("body lacks a member", reason.Malformed, raw(tb, command.KindRetire, id("store"), map[uint64]any{1: [32]byte{}}, 1))
	add("body has a text that is no UTF-8", reason.Malformed, raw(tb, command.KindRetire, id("store"), map[uint64]any{1: [32]byte{}, 2: wire.Raw{0x61, 0xff}}, 1))
	add("body not deterministic", reason.NotCanonical, raw(tb, command.KindRetire, id("store"), wire.Raw(append([]byte{0xb8, 0x02}, wire.Marshal(left)[1:]...)), 1))
	add("version 2", reason.VersionUnsupported, envelopes(tb, []byte{1}, slices.Replace(slices.Clone(payload), 2, 3, 2)))
	add("nonce of 15 bytes", reason.Malformed, envelopes(tb, []byte{1}, wire.Marshal(map[uint64]any{1: 1, 2: "retire", 3: [32]byte{}, 4: [15]byte{}, 5: left})))
	add("a sixth member", reason.Malformed, envelopes(tb, []byte{1}, wire.Marshal(map[uint64]any{1: 1, 2: "retire", 3: [32]byte{}, 4: [16]byte{}, 5: left, 6: 0})))
	return vectors
}

// Every refusal that wire.cddl lists for a command and that the message alone
// shows.
func TestRefusedCommands(t *testing.T) {
	vectors := slices.Concat(refusedMessages(t), refusedBodies(t), refusedPolicies(t))
	wiretest.Refused(t, vectors, func(raw []byte) error {
		_, err := command.Open(raw)
		return err
	})
	wiretest.Golden(t, "testdata/commands-refused.json", vectors)
}
