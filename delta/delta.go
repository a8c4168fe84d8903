// Package delta holds what a contributor proposes and what it derived from.
//
// A [Delta] is the difference between a contributor's memory and the [Slice] of a
// space that it came from: new items, modified items, absent items. [Seal] signs
// it into a message together with its records; [Open] reads a message strictly
// and checks every rule that needs neither the store nor the log. What needs
// them, whether the key is current, the slice was issued, the sequence is free,
// is decided by the merge. A [SliceIssued] is the service's signed statement that
// it handed a slice out.
//
// The form on the wire is docs/wire.cddl.
package delta

import (
	"consilience/identity"
	"consilience/reason"
	"consilience/record"
	"consilience/wire"
)

// version is the value of key 1 of a delta.
const version = 1

// Delta is a contributor's proposal to one space.
type Delta struct {
	Store       [32]byte    `cbor:"2,keyasint"` // the store it is meant for
	Space       string      `cbor:"3,keyasint"` // see [SpaceName]
	Contributor identity.ID `cbor:"4,keyasint"` // who proposes; signs with its current key
	Sequence    uint64      `cbor:"5,keyasint"` // per space and contributor, from 1, used once
	CreatedAt   uint64      `cbor:"6,keyasint"` // Unix milliseconds, by the contributor's clock
	Base        *Base       `cbor:"7,keyasint"` // the slice it was derived from; nil: from nothing
	New         []New       `cbor:"8,keyasint"`
	Modified    []Modified  `cbor:"9,keyasint"`
	Absent      []Absent    `cbor:"10,keyasint"`
}

// Base names the slice that a delta was derived from.
type Base struct {
	_        struct{} `cbor:",toarray"`
	Digest   [32]byte // see [Slice.Digest]
	Revision uint64
}

// New proposes a record.
type New struct {
	_      struct{} `cbor:",toarray"`
	Record record.ID
	Base   uint32 // base confidence, ppm, 1 to 1000000
}

// Modified proposes a record in place of an item of the base slice. The record
// holds a pair naming a record of that item.
type Modified struct {
	_      struct{} `cbor:",toarray"`
	Item   record.ItemID
	Record record.ID
	Base   uint32 // base confidence of the record and strength against the item, ppm, 1 to 1000000
}

// Absent says that an item of the base slice is not in the derived state.
type Absent struct {
	_        struct{} `cbor:",toarray"`
	Item     record.ItemID
	Strength uint32 // ppm, 1 to 1000000
}

// payload is a delta as it is signed.
type payload struct {
	Version uint64 `cbor:"1,keyasint"`
	Delta
}

// SpaceName checks the name of a space, [a-z0-9_-]{1,64}. It returns
// [reason.NameInvalid].
func SpaceName(s string) error { return wire.SpaceName(s) }

// encode is the payload that is signed and hashed.
func (d Delta) encode() []byte { return wire.Marshal(payload{Version: version, Delta: d}) }

// entries is the number of statements that d makes.
func (d Delta) entries() int { return len(d.New) + len(d.Modified) + len(d.Absent) }

// check holds the rules of a delta's own fields.
func (d Delta) check() error {
	if err := wire.SpaceName(d.Space); err != nil {
		return err
	}
	if err := d.checkNumbers(); err != nil {
		return err
	}
	if d.Base == nil && len(d.Modified)+len(d.Absent) > 0 {
		return reason.New(reason.BaseSliceMissing, "modified or absent items, and no slice they are of")
	}
	return d.checkItems()
}

// checkNumbers checks every number against its range.
func (d Delta) checkNumbers() error {
	if err := wire.CheckRange("sequence", d.Sequence, 1, wire.MaxUint); err != nil {
		return err
	}
	if err := wire.CheckRange("created at", d.CreatedAt, 0, wire.MaxUint); err != nil {
		return err
	}
	if d.Base != nil {
		if err := wire.CheckRange("base revision", d.Base.Revision, 0, wire.MaxUint); err != nil {
			return err
		}
	}
	for _, n := range d.New {
		if err := checkPPM("base confidence", n.Base); err != nil {
			return err
		}
	}
	for _, m := range d.Modified {
		if err := checkPPM("base confidence", m.Base); err != nil {
			return err
		}
	}
	for _, a := range d.Absent {
		if err := checkPPM("strength", a.Strength); err != nil {
			return err
		}
	}
	return nil
}

func checkPPM(what string, v uint32) error {
	return wire.CheckRange(what, uint64(v), 1, wire.Scale)
}

// checkItems refuses an item that is named more than once.
func (d Delta) checkItems() error {
	named := make(map[record.ItemID]struct{}, len(d.Modified)+len(d.Absent))
	for _, m := range d.Modified {
		named[m.Item] = struct{}{}
	}
	for _, a := range d.Absent {
		named[a.Item] = struct{}{}
	}
	if len(named) != len(d.Modified)+len(d.Absent) {
		return reason.New(reason.NamedTwice, "an item is named more than once")
	}
	return nil
}
