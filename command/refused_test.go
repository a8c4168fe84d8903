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

// refusedBodies change one field of an example into one that is refused.
func refusedBodies(tb testing.TB) []wiretest.Vector {
	all := examples(tb)
	bodies := map[command.Kind]any{}
	for _, e := range all {
		bodies[e.command.Kind] = e.command.Body
	}
	genesis := bodies[command.KindGenesis].(command.Genesis)
	operators := bodies[command.KindOperators].(command.Operators)
	enroll := bodies[command.KindEnroll].(command.Enroll)
	derive := bodies[command.KindDerive].(command.Derive)
	rival := bodies[command.KindRival].(command.Rival)
	long := strings.Repeat("x", 1025)

	var vectors []wiretest.Vector
	add := func(name string, code reason.Code, kind command.Kind, body any, signers ...byte) {
		store := id("store")
		if kind == command.KindGenesis {
			store = [32]byte{}
		}
		if len(signers) == 0 {
			signers = []byte{1}
		}
		vectors = append(vectors, wiretest.Vector{
			Name: string(kind) + ": " + name, Reason: code, Hex: hex.EncodeToString(raw(tb, kind, store, body, signers...)),
		})
	}
	with := func(change func()) { change() }

	with(func() { g := genesis; g.Operators = nil; add("no operator", reason.OutOfRange, command.KindGenesis, g) })
	with(func() { g := genesis; g.Services = nil; add("no service", reason.OutOfRange, command.KindGenesis, g) })
	with(func() { g := genesis; g.Threshold = 0; add("threshold 0", reason.OutOfRange, command.KindGenesis, g) })
	with(func() {
		g := genesis
		g.Threshold = 3
		add("threshold above its operators", reason.OutOfRange, command.KindGenesis, g)
	})
	with(func() {
		g := genesis
		g.Services = g.Operators
		add("key in both roles", reason.NamedTwice, command.KindGenesis, g)
	})
	with(func() {
		g := genesis
		g.Services = []identity.PublicKey{small}
		add("key of small order", reason.KeyInvalid, command.KindGenesis, g)
	})
	with(func() {
		g := genesis
		g.Operators = slices.Clone(g.Operators)
		slices.Reverse(g.Operators)
		add("operators not in order", reason.NotCanonical, command.KindGenesis, g)
	})
	add("signed by another", reason.SignerNotOperator, command.KindGenesis, genesis, 3)
	with(func() {
		o := operators
		o.Role = "admin"
		add("unknown role", reason.Malformed, command.KindOperators, o)
	})
	with(func() {
		o := operators
		o.Add, o.Remove = nil, nil
		add("no key", reason.OutOfRange, command.KindOperators, o)
	})
	with(func() {
		o := operators
		o.Remove = o.Add
		add("added and removed", reason.NamedTwice, command.KindOperators, o)
	})
	with(func() {
		o := operators
		o.Add = slices.Repeat([]identity.PublicKey{public(tb, 9)}, 65)
		add("65 keys", reason.OutOfRange, command.KindOperators, o)
	})
	add("name", reason.NameInvalid, command.KindSpace, command.Space{Name: "A", Policy: command.DefaultPolicy()})
	add("name", reason.NameInvalid, command.KindPolicy, command.PolicyChange{Space: "", Policy: command.DefaultPolicy()})
	with(func() {
		e := enroll
		e.Key = small
		add("key of small order", reason.KeyInvalid, command.KindEnroll, e)
	})
	with(func() { e := enroll; e.Name = ""; add("no name", reason.NameInvalid, command.KindEnroll, e) })
	with(func() {
		e := enroll
		e.Name = " x"
		add("name begins with a blank", reason.NameInvalid, command.KindEnroll, e)
	})
	with(func() {
		e := enroll
		e.Name = "a\nb"
		add("line feed in the name", reason.NameInvalid, command.KindEnroll, e)
	})
	with(func() {
		e := enroll
		e.Name = e.Key.ID().Token()
		add("name reads as an id", reason.NameInvalid, command.KindEnroll, e)
	})
	with(func() {
		e := enroll
		e.Name = "nhe:x"
		add("name begins as an id", reason.NameInvalid, command.KindEnroll, e)
	})
	with(func() {
		e := enroll
		e.Name = long[:65]
		add("name of 65 bytes", reason.NameInvalid, command.KindEnroll, e)
	})
	with(func() {
		e := enroll
		e.Spaces = []string{"a.b"}
		add("space", reason.NameInvalid, command.KindEnroll, e)
	})
	with(func() {
		e := enroll
		e.Spaces = []string{"a", "a"}
		add("space twice", reason.NamedTwice, command.KindEnroll, e)
	})
	with(func() {
		e := enroll
		e.Spaces = []string{"b", "a"}
		add("spaces not in order", reason.NotCanonical, command.KindEnroll, e)
	})
	with(func() {
		e := enroll
		e.Origin = "\x1b"
		add("control character in the origin", reason.NameInvalid, command.KindEnroll, e)
	})
	with(func() {
		e := enroll
		e.Reputation = 1_000_001
		add("reputation above 1", reason.OutOfRange, command.KindEnroll, e)
	})
	with(func() {
		d := derive
		d.Child = small
		add("key of small order", reason.KeyInvalid, command.KindDerive, d, 4, 5, 6)
	})
	with(func() { d := derive; d.Name = "\x00"; add("name", reason.NameInvalid, command.KindDerive, d, 4, 5, 6) })
	with(func() { d := derive; d.Parents = nil; add("no parent", reason.OutOfRange, command.KindDerive, d, 6) })
	with(func() {
		d := derive
		d.Parents = []identity.ID{d.Child.ID()}
		add("from itself", reason.NamedTwice, command.KindDerive, d, 4, 6)
	})
	with(func() {
		d := derive
		d.Parents = []identity.ID{d.Parents[0], d.Parents[0]}
		add("parent twice", reason.NamedTwice, command.KindDerive, d, 4, 5, 6)
	})
	add("not signed by the child", reason.ThresholdNotMet, command.KindDerive, derive, 4, 5, 1)
	add("a parent did not sign", reason.ThresholdNotMet, command.KindDerive, derive, 4, 6)
	add("key of small order", reason.KeyInvalid, command.KindRotate, command.Rotate{Key: small})
	add("reason too long", reason.NameInvalid, command.KindRetire, command.Retire{Reason: long})
	add("since 2^53", reason.OutOfRange, command.KindQuarantine, command.Quarantine{Since: 1 << 53})
	add("reason too long", reason.NameInvalid, command.KindQuarantine, command.Quarantine{Reason: long})
	add("reason too long", reason.NameInvalid, command.KindRelease, command.Release{Reason: long})
	for _, kind := range []command.Kind{command.KindConfirm, command.KindContradict, command.KindSplit, command.KindErase} {
		add("space", reason.NameInvalid, kind, command.Judgement{Space: "a b"})
		add("reason too long", reason.NameInvalid, kind, command.Judgement{Space: "a", Reason: long})
	}
	with(func() { r := rival; r.Other = r.Item; add("of itself", reason.NamedTwice, command.KindRival, r) })
	with(func() { r := rival; r.Space = ""; add("space", reason.NameInvalid, command.KindRival, r) })
	with(func() { r := rival; r.Reason = long; add("reason too long", reason.NameInvalid, command.KindRival, r) })
	return vectors
}

// refusedMessages break the form around the body.
func refusedMessages(tb testing.TB) []wiretest.Vector {
	var vectors []wiretest.Vector
	add := func(name string, code reason.Code, raw []byte) {
		vectors = append(vectors, wiretest.Vector{Name: name, Reason: code, Hex: hex.EncodeToString(raw)})
	}
	retire := examples(tb)[7].command
	payload := retire.Encode()
	body := retire.Body
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
	add("unknown kind", reason.CommandUnknown, raw(tb, "banish", id("store"), body, 1))
	add("kind delta", reason.CommandUnknown, raw(tb, "delta", id("store"), body, 1))
	add("genesis names a store", reason.StoreMismatch, raw(tb, command.KindGenesis, id("store"), examples(tb)[0].command.Body, 1))
	add("body of another kind", reason.Malformed, raw(tb, command.KindRotate, id("store"), body, 1))
	add("body null", reason.Malformed, raw(tb, command.KindRetire, id("store"), nil, 1))
	add("body has another member", reason.Malformed, raw(tb, command.KindRetire, id("store"), map[uint64]any{1: [32]byte{}, 2: "", 3: 0}, 1))
	add("body lacks a member", reason.Malformed, raw(tb, command.KindRetire, id("store"), map[uint64]any{1: [32]byte{}}, 1))
	add("body has a text that is no UTF-8", reason.Malformed, raw(tb, command.KindRetire, id("store"), map[uint64]any{1: [32]byte{}, 2: wire.Raw{0x61, 0xff}}, 1))
	add("body not deterministic", reason.NotCanonical, raw(tb, command.KindRetire, id("store"), wire.Raw(append([]byte{0xb8, 0x02}, wire.Marshal(body)[1:]...)), 1))
	add("version 2", reason.VersionUnsupported, envelopes(tb, []byte{1}, slices.Replace(slices.Clone(payload), 2, 3, 2)))
	add("nonce of 15 bytes", reason.Malformed, envelopes(tb, []byte{1}, wire.Marshal(map[uint64]any{1: 1, 2: "retire", 3: [32]byte{}, 4: [15]byte{}, 5: body})))
	add("a sixth member", reason.Malformed, envelopes(tb, []byte{1}, wire.Marshal(map[uint64]any{1: 1, 2: "retire", 3: [32]byte{}, 4: [16]byte{}, 5: body, 6: 0})))
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
