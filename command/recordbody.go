package command

import (
	"consilience/identity"
	"consilience/reason"
	"consilience/record"
	"consilience/wire"
)

// maxAsked is the largest number of ids in one request.
const maxAsked = 4096

// RecordRequest asks for records. The service may emit their contents, which it
// states on the log first.
type RecordRequest struct {
	Records []record.ID `cbor:"1,keyasint"` // a set, at least one
}

func (r RecordRequest) check() error {
	if err := wire.CheckRange("records asked for", uint64(len(r.Records)), 1, maxAsked); err != nil {
		return err
	}
	return checkSet("record", maxAsked, r.Records, compareBytes)
}

func (r RecordRequest) sorted() checked {
	r.Records = sortedSet(r.Records)
	return r
}

// RecordReply carries records and what proves who wrote them. A record that
// stands neither in Records nor in Missing did not fit: it is asked for again.
type RecordReply struct {
	Records   []CarriedRecord `cbor:"1,keyasint"`
	Envelopes [][]byte        `cbor:"2,keyasint"` // signed deltas, each once
	Authors   []Author        `cbor:"3,keyasint"` // the contributors of those deltas
	Missing   []record.ID     `cbor:"4,keyasint"` // a set: not in the space, or not shown
}

// CarriedRecord is a record and the delta that carried it to the log.
type CarriedRecord struct {
	_        struct{} `cbor:",toarray"`
	Record   record.Wire
	Envelope uint32 // index in Envelopes: the delta that names the record
}

// Author is a contributor and every key that it ever had, the first one first:
// the contributor's id is that one's key id.
type Author struct {
	_           struct{} `cbor:",toarray"`
	Contributor identity.ID
	Keys        []identity.PublicKey
}

func (r RecordReply) check() error {
	for _, c := range r.Records {
		if err := wire.CheckRange("envelope of a record", uint64(c.Envelope)+1, 1, uint64(len(r.Envelopes))); err != nil {
			return err
		}
	}
	for _, e := range r.Envelopes {
		if _, err := identity.OpenEnvelope(e); err != nil {
			return err
		}
	}
	for _, a := range r.Authors {
		if err := a.check(); err != nil {
			return err
		}
	}
	return checkSet("record", maxAsked, r.Missing, compareBytes)
}

func (r RecordReply) sorted() checked {
	r.Missing = sortedSet(r.Missing)
	return r
}

// check returns [reason.OutOfRange] for an author without a key,
// [reason.KeyInvalid], and [reason.AuthorMismatch] where the first key is not the
// one that the id is of.
func (a Author) check() error {
	if err := wire.CheckRange("keys of an author", uint64(len(a.Keys)), 1, maxAsked); err != nil {
		return err
	}
	for _, k := range a.Keys {
		if err := k.Check(); err != nil {
			return err
		}
	}
	if a.Keys[0].ID() != a.Contributor {
		return reason.New(reason.AuthorMismatch, "an author's first key is not the one that the id is of")
	}
	return nil
}
