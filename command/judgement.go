package command

import (
	"consilience/reason"
	"consilience/record"
	"consilience/wire"
)

// Judgement is an operator's word about the content of a record: confirm,
// contradict, split or erase.
type Judgement struct {
	Space  string    `cbor:"1,keyasint"`
	Record record.ID `cbor:"2,keyasint"`
	Reason string    `cbor:"3,keyasint"`
}

func (j Judgement) check() error {
	if err := wire.SpaceName(j.Space); err != nil {
		return err
	}
	return checkReason(j.Reason)
}

// Rival declares that two items exclude each other.
type Rival struct {
	Space  string        `cbor:"1,keyasint"`
	Item   record.ItemID `cbor:"2,keyasint"`
	Other  record.ItemID `cbor:"3,keyasint"`
	Reason string        `cbor:"4,keyasint"`
}

func (r Rival) check() error {
	if err := wire.SpaceName(r.Space); err != nil {
		return err
	}
	if r.Item == r.Other {
		return reason.New(reason.NamedTwice, "an item is no rival of itself")
	}
	return checkReason(r.Reason)
}
