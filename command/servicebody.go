package command

import (
	"consilience/delta"
	"consilience/wire"
)

// RecallRequest asks for a projection of the request's space.
type RecallRequest struct {
	Request []byte `cbor:"1,keyasint"` // the recall request, whose digest the projection record states
}

func (r RecallRequest) check() error {
	return wire.CheckRange("bytes of a recall request", uint64(len(r.Request)), 1, 1<<16)
}

// RecallReply is a projection, its signed Memory Projection Record, and what a
// verifier recomputes the record's digests from.
type RecallReply struct {
	Record     []byte   `cbor:"1,keyasint"` // the record, JSON
	Projection []byte   `cbor:"2,keyasint"`
	Policy     []byte   `cbor:"3,keyasint"` // the selection policy
	Snapshot   []byte   `cbor:"4,keyasint"` // the trust snapshot
	Objects    [][]byte `cbor:"5,keyasint"` // the source objects in the order of delivery
	// Evidence is what proves who wrote the objects, an evidence bundle
	// (docs/nhe-source-profile.md section 6). It is empty where it does not fit: the
	// verb record answers the same envelopes.
	Evidence []byte `cbor:"6,keyasint"`
}

func (RecallReply) check() error { return nil }

// OutcomeRequest asks what became of deltas of the contributor.
type OutcomeRequest struct {
	Deltas []delta.ID `cbor:"1,keyasint"` // a set, at least one
}

func (r OutcomeRequest) check() error {
	if err := wire.CheckRange("deltas asked for", uint64(len(r.Deltas)), 1, maxAsked); err != nil {
		return err
	}
	return checkSet("delta", maxAsked, r.Deltas, compareBytes)
}

func (r OutcomeRequest) sorted() checked {
	r.Deltas = sortedSet(r.Deltas)
	return r
}

// OutcomeReply carries the outcomes of the deltas asked for that have one; the
// others were not merged yet, or did not fit.
type OutcomeReply struct {
	Outcomes [][]byte `cbor:"1,keyasint"` // documents, see [DecodeOutcome]
}

func (r OutcomeReply) check() error {
	for _, document := range r.Outcomes {
		if _, err := DecodeOutcome(document); err != nil {
			return err
		}
	}
	return nil
}

// DeriveRequest hands over a derive command, signed by every parent and the
// child, for the service to publish: a contributor cannot write to the fleet's
// subjects. The child signs the request.
type DeriveRequest struct {
	Command []byte `cbor:"1,keyasint"` // the message, see [Open]
}

func (r DeriveRequest) check() error {
	m, err := Open(r.Command)
	if err != nil {
		return err
	}
	return m.mustBe(KindDerive)
}

// DeriveReply says that the command is on the log.
type DeriveReply struct {
	Command ID `cbor:"1,keyasint"`
}

func (DeriveReply) check() error { return nil }

// HealthRequest asks whether the service is there.
type HealthRequest struct{}

func (HealthRequest) check() error { return nil }

// HealthReply says where the service stands and on whose word it speaks. A reader
// that knows the store id alone checks that Genesis hashes to it, applies
// Operators in order, and then knows the service keys.
type HealthReply struct {
	Revision  uint64   `cbor:"1,keyasint"` // newest sequence that all partitions have passed
	Last      uint64   `cbor:"2,keyasint"` // newest sequence of the log
	Version   string   `cbor:"3,keyasint"` // of the service
	Genesis   []byte   `cbor:"4,keyasint"` // the message, see [Open]
	Operators [][]byte `cbor:"5,keyasint"` // the operators messages, in the order of the log
}

func (r HealthReply) check() error {
	if err := wire.CheckRange("revision", r.Revision, 0, wire.MaxUint); err != nil {
		return err
	}
	if err := wire.CheckRange("last", r.Last, 0, wire.MaxUint); err != nil {
		return err
	}
	if err := wire.CheckText("version", r.Version, wire.MaxName); err != nil {
		return err
	}
	m, err := Open(r.Genesis)
	if err != nil {
		return err
	}
	if err := m.mustBe(KindGenesis); err != nil {
		return err
	}
	for _, raw := range r.Operators {
		if m, err = Open(raw); err != nil {
			return err
		}
		if err := m.mustBe(KindOperators); err != nil {
			return err
		}
	}
	return nil
}
