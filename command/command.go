// Package command holds what operators and services say: facts about the fleet,
// judgements about records, requests to the service and its replies.
//
// A [Command] is a fact for the whole fleet (genesis, operators, space, policy,
// enroll, derive, rotate, retire, quarantine, release) or a judgement about one
// space's records (confirm, contradict, split, rival, erase). [Seal] signs it,
// [Open] reads it back strictly. Where on the log it stands is its [Subject]. A
// [Policy] is a space's settings. A [Request] and its [Reply] travel outside of
// the log, as does an [Outcome], which says what became of a delta.
//
// Open checks form and ranges; who may sign what, and whether the fact fits the
// fleet as it is, is decided by the fold of the log. The form on the wire is
// docs/wire.cddl.
package command

import (
	"consilience/identity"
	"consilience/reason"
	"consilience/wire"
)

// version is the value of key 1 of every payload of this package.
const version = 1

// Kind names what a command says. It is a token of the command's subject.
type Kind string

// The kinds of command.
const (
	KindGenesis    Kind = "genesis"    // [Genesis]: the store's first entry
	KindOperators  Kind = "operators"  // [Operators]: operator or service keys
	KindSpace      Kind = "space"      // [Space]: a new space
	KindPolicy     Kind = "policy"     // [PolicyChange]: another policy for a space
	KindEnroll     Kind = "enroll"     // [Enroll]: a contributor
	KindDerive     Kind = "derive"     // [Derive]: a contributor derived from others
	KindRotate     Kind = "rotate"     // [Rotate]: a contributor's next key
	KindRetire     Kind = "retire"     // [Retire]: a contributor's end
	KindQuarantine Kind = "quarantine" // [Quarantine]: a subtree is masked
	KindRelease    Kind = "release"    // [Release]: the mask is taken off
	KindConfirm    Kind = "confirm"    // [Judgement]: the content is right
	KindContradict Kind = "contradict" // [Judgement]: the content is wrong
	KindSplit      Kind = "split"      // [Judgement]: the content gets an item of its own
	KindErase      Kind = "erase"      // [Judgement]: the content goes
	KindRival      Kind = "rival"      // [Rival]: two items exclude each other
)

// kind says how commands of one kind are treated.
type kind struct {
	space   bool                          // about one space, otherwise about the fleet
	several bool                          // may carry more than one signature
	decode  func([]byte) (checked, error) // reads the body
}

var kinds = map[Kind]kind{
	KindGenesis:    {decode: decodeBody[Genesis]},
	KindOperators:  {decode: decodeBody[Operators], several: true},
	KindSpace:      {decode: decodeBody[Space]},
	KindPolicy:     {decode: decodeBody[PolicyChange]},
	KindEnroll:     {decode: decodeBody[Enroll]},
	KindDerive:     {decode: decodeBody[Derive], several: true},
	KindRotate:     {decode: decodeBody[Rotate]},
	KindRetire:     {decode: decodeBody[Retire]},
	KindQuarantine: {decode: decodeBody[Quarantine]},
	KindRelease:    {decode: decodeBody[Release]},
	KindConfirm:    {decode: decodeBody[Judgement], space: true},
	KindContradict: {decode: decodeBody[Judgement], space: true},
	KindSplit:      {decode: decodeBody[Judgement], space: true},
	KindErase:      {decode: decodeBody[Judgement], space: true},
	KindRival:      {decode: decodeBody[Rival], space: true},
}

// checked is a body: it knows the rules of its own fields.
type checked interface{ check() error }

// decodeBody reads and checks a body of type B.
func decodeBody[B checked](encoded []byte) (checked, error) {
	var b B
	if err := wire.Unmarshal(encoded, &b); err != nil {
		return nil, err
	}
	return b, b.check()
}

// encodeBody encodes a body, its sets in their order.
func encodeBody(body any) wire.Raw {
	if b, ok := body.(interface{ sorted() checked }); ok {
		body = b.sorted()
	}
	return wire.Marshal(body)
}

// Command is one statement for one store.
type Command struct {
	Kind  Kind
	Store [32]byte // zero in genesis: the store id is the hash of its payload
	Nonce [16]byte // random: the same statement twice is two commands
	Body  any      // the struct that Kind's comment names, by value
}

// payload is a command as it is signed.
type payload struct {
	Version uint64   `cbor:"1,keyasint"`
	Kind    Kind     `cbor:"2,keyasint"`
	Store   [32]byte `cbor:"3,keyasint"`
	Nonce   [16]byte `cbor:"4,keyasint"`
	Body    wire.Raw `cbor:"5,keyasint"`
}

// ID is the hash of a command's payload, shown as "cmd:" and 43 characters.
type ID [32]byte

// String is the form that people see.
func (id ID) String() string { return "cmd:" + wire.Text(id) }

// MarshalText is [ID.String].
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// IDOf is the id of an encoded command.
func IDOf(payload []byte) ID { return ID(wire.DomainHash(string(identity.PurposeCommand), payload)) }

// StoreID is the id of the store that the genesis with this payload founds.
func StoreID(genesis []byte) [32]byte { return wire.Hash(genesis) }

// Space is the space that the command is about, "" for a fact of the fleet. The
// facts space and policy name a space and are still the fleet's.
func (c Command) Space() string {
	switch b := c.Body.(type) {
	case Judgement:
		return b.Space
	case Rival:
		return b.Space
	}
	return ""
}

// Encode is the payload that is signed. Sets (keys, spaces, parents) are put in
// their order, so that one statement has one encoding.
func (c Command) Encode() []byte {
	return wire.Marshal(payload{Version: version, Kind: c.Kind, Store: c.Store, Nonce: c.Nonce, Body: encodeBody(c.Body)})
}

// Check returns what [Open] would refuse c for, so that it is never signed.
func (c Command) Check() error {
	_, err := Decode(c.Encode())
	return err
}

// Decode reads a payload strictly and checks the rules of its fields. It returns
// [reason.CommandUnknown] for a kind that this build does not know,
// [reason.StoreMismatch] for a genesis that names a store, and else the reasons
// that docs/wire.cddl gives at each body.
func Decode(encoded []byte) (Command, error) {
	if err := wire.CheckVersion(encoded, version); err != nil {
		return Command{}, err
	}
	var p payload
	if err := wire.Unmarshal(encoded, &p); err != nil {
		return Command{}, err
	}
	k, known := kinds[p.Kind]
	if !known {
		return Command{}, reason.New(reason.CommandUnknown, "no such kind of command")
	}
	if p.Kind == KindGenesis && p.Store != [32]byte{} {
		return Command{}, reason.New(reason.StoreMismatch, "a genesis names no store, it founds one")
	}
	body, err := k.decode(p.Body)
	if err != nil {
		return Command{}, err
	}
	return Command{Kind: p.Kind, Store: p.Store, Nonce: p.Nonce, Body: body}, nil
}
