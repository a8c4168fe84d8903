package command

import (
	"cmp"
	"slices"

	"consilience/identity"
	"consilience/reason"
	"consilience/wire"
)

// maxSpaces is the largest number of spaces that one contributor is enrolled for.
const maxSpaces = 1024

// Enroll makes a contributor known, or changes what an enrolled one may do.
type Enroll struct {
	Key        identity.PublicKey `cbor:"1,keyasint"` // its first key, which gives it its id
	Name       string             `cbor:"2,keyasint"` // unique; see [CheckName]
	Spaces     []string           `cbor:"3,keyasint"` // a set: the spaces it may propose to
	Vouched    bool               `cbor:"4,keyasint"` // an operator vouches for it
	Origin     string             `cbor:"5,keyasint"` // all of one origin count as one group; "" for none
	Reputation uint32             `cbor:"6,keyasint"` // first reputation, ppm, 0 for the space's own
}

func (e Enroll) check() error {
	if err := e.Key.Check(); err != nil {
		return err
	}
	if err := CheckName(e.Name); err != nil {
		return err
	}
	if err := checkSet("space", maxSpaces, e.Spaces, cmp.Compare[string]); err != nil {
		return err
	}
	for _, s := range e.Spaces {
		if err := wire.SpaceName(s); err != nil {
			return err
		}
	}
	if err := checkLabel("origin", e.Origin); err != nil {
		return err
	}
	return wire.CheckRange("reputation", uint64(e.Reputation), 0, wire.Scale)
}

func (e Enroll) sorted() checked {
	e.Spaces = slices.Clone(e.Spaces)
	slices.Sort(e.Spaces)
	return e
}

// Derive makes a contributor known as derived from others. Every parent and the
// child sign it.
type Derive struct {
	Child   identity.PublicKey `cbor:"1,keyasint"`
	Name    string             `cbor:"2,keyasint"` // unique; see [CheckName]
	Parents []identity.ID      `cbor:"3,keyasint"` // a set, at least one, without the child
}

func (d Derive) check() error {
	if err := d.Child.Check(); err != nil {
		return err
	}
	if err := CheckName(d.Name); err != nil {
		return err
	}
	if len(d.Parents) == 0 {
		return reason.New(reason.OutOfRange, "a derived contributor has a parent")
	}
	if slices.Contains(d.Parents, d.Child.ID()) {
		return reason.New(reason.NamedTwice, "a contributor is not derived from itself")
	}
	return checkSet("parent", maxKeys, d.Parents, compareBytes)
}

func (d Derive) sorted() checked {
	d.Parents = sortedSet(d.Parents)
	return d
}

// checkSigners returns [reason.ThresholdNotMet] unless the child and as many
// others as there are parents signed. That these are the parents' keys is for
// the fold of the log to see.
func (d Derive) checkSigners(signers map[identity.KeyID]bool) error {
	if !signers[d.Child.KeyID()] || len(signers) != len(d.Parents)+1 {
		return reason.New(reason.ThresholdNotMet, "derive is signed by the child and by each parent, once")
	}
	return nil
}

// Rotate gives a contributor its next key; the one before stops being current.
type Rotate struct {
	Contributor identity.ID        `cbor:"1,keyasint"`
	Key         identity.PublicKey `cbor:"2,keyasint"`
}

func (r Rotate) check() error { return r.Key.Check() }

// Retire ends a contributor; what it said stays.
type Retire struct {
	Contributor identity.ID `cbor:"1,keyasint"`
	Reason      string      `cbor:"2,keyasint"`
}

func (r Retire) check() error { return checkReason(r.Reason) }

// Quarantine masks a contributor and all that derives from it.
type Quarantine struct {
	Contributor identity.ID `cbor:"1,keyasint"`
	Since       uint64      `cbor:"2,keyasint"` // its statements from this stream sequence on, 0 for all
	All         bool        `cbor:"3,keyasint"` // quarantine every item it ever proposed, shared or not
	Reason      string      `cbor:"4,keyasint"`
}

func (q Quarantine) check() error {
	if err := wire.CheckRange("since", q.Since, 0, wire.MaxUint); err != nil {
		return err
	}
	return checkReason(q.Reason)
}

// Release takes a quarantine off.
type Release struct {
	Contributor identity.ID `cbor:"1,keyasint"`
	Reason      string      `cbor:"2,keyasint"`
}

func (r Release) check() error { return checkReason(r.Reason) }

func checkReason(s string) error { return wire.CheckText("reason", s, wire.MaxReason) }
