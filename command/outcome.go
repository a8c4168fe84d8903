package command

import (
	"bytes"
	"encoding/json"
	"slices"

	"consilience/delta"
	"consilience/identity"
	"consilience/reason"
	"consilience/record"
	"consilience/wire"
)

// Status says what became of a delta.
type Status string

// The statuses of an outcome.
const (
	StatusMerged    Status = "merged"
	StatusDuplicate Status = "duplicate" // the same delta was merged before; nothing changed
	StatusRejected  Status = "rejected"  // for Outcome.Reason; nothing changed
)

// Action says what a delta did to an item.
type Action string

// The actions of an outcome.
const (
	ActionCreated   Action = "created"   // founded the item
	ActionJoined    Action = "joined"    // supports an item that was there
	ActionEchoed    Action = "echoed"    // repeats what the contributor had been told
	ActionRevised   Action = "revised"   // supports the item that a modification went to
	ActionDoubted   Action = "doubted"   // speaks against the item
	ActionUnchanged Action = "unchanged" // a modification to the item's own content
)

// Outcome says what became of one delta. It travels as a JSON document.
type Outcome struct {
	DeltaID  delta.ID      `json:"delta_id"` // zero, written null, where the message held no delta
	Space    string        `json:"space"`
	Sequence uint64        `json:"sequence"` // the delta's; 0 where the message held no delta
	Status   Status        `json:"status"`
	Reason   reason.Code   `json:"reason"`   // why it was rejected, else ""
	Revision uint64        `json:"revision"` // of the space after the delta: its sequence on the stream
	Items    []OutcomeItem `json:"items"`    // in the order of the delta; none unless merged
}

// OutcomeItem is what a delta did to one item.
type OutcomeItem struct {
	RecordID   record.ID     `json:"record_id"` // zero, written null, for a doubt
	ItemID     record.ItemID `json:"item_id"`
	Action     Action        `json:"action"`
	Confidence uint32        `json:"confidence"` // of the item after the delta, ppm
	Counted    bool          `json:"counted"`    // whether the stance counts
}

// MarshalJSON writes a zero delta id as null.
func (o Outcome) MarshalJSON() ([]byte, error) {
	type plain Outcome
	return json.Marshal(struct {
		DeltaID *delta.ID `json:"delta_id"`
		plain
	}{orNull(o.DeltaID), plain(o)})
}

// MarshalJSON writes a zero record id as null.
func (i OutcomeItem) MarshalJSON() ([]byte, error) {
	type plain OutcomeItem
	return json.Marshal(struct {
		RecordID *record.ID `json:"record_id"`
		plain
	}{orNull(i.RecordID), plain(i)})
}

func orNull[T comparable](v T) *T {
	if v == *new(T) {
		return nil
	}
	return &v
}

// Encode is the document: the members in the order of the struct's fields, no
// white space.
func (o Outcome) Encode() []byte {
	if o.Items == nil {
		o.Items = []OutcomeItem{}
	}
	document, err := json.Marshal(o)
	if err != nil {
		panic("command: outcome: " + err.Error()) // no field of it can fail
	}
	return document
}

// DecodeOutcome reads a document strictly: it has the one spelling that Encode
// gives it. It returns [reason.Malformed] for text that is no outcome,
// [reason.NotCanonical] for another spelling, and the reasons of its fields:
// [reason.NameInvalid], [reason.OutOfRange].
func DecodeOutcome(document []byte) (Outcome, error) {
	var o Outcome
	if err := json.Unmarshal(document, &o); err != nil {
		return Outcome{}, reason.New(reason.Malformed, "not an outcome")
	}
	if err := o.check(); err != nil {
		return Outcome{}, err
	}
	if !bytes.Equal(o.Encode(), document) {
		return Outcome{}, reason.New(reason.NotCanonical, "an outcome in another spelling")
	}
	return o, nil
}

var (
	statuses = []Status{StatusMerged, StatusDuplicate, StatusRejected}
	actions  = []Action{ActionCreated, ActionJoined, ActionEchoed, ActionRevised, ActionDoubted, ActionUnchanged}
)

func (o Outcome) check() error {
	if !slices.Contains(statuses, o.Status) || (o.Reason != "") != (o.Status == StatusRejected) {
		return reason.New(reason.Malformed, "an outcome is merged, duplicate, or rejected for a reason")
	}
	if err := wire.SpaceName(o.Space); err != nil {
		return err
	}
	if err := wire.CheckText("reason", string(o.Reason), maxCode); err != nil {
		return err
	}
	if err := wire.CheckRange("sequence", o.Sequence, 0, wire.MaxUint); err != nil {
		return err
	}
	for _, i := range o.Items {
		if !slices.Contains(actions, i.Action) {
			return reason.New(reason.Malformed, "an outcome does to an item what no delta does")
		}
		if err := wire.CheckRange("confidence", uint64(i.Confidence), 0, delta.MaxConfidence); err != nil {
			return err
		}
	}
	return wire.CheckRange("revision", o.Revision, 0, wire.MaxUint)
}

// SealOutcome signs o with the service's key: one envelope, published to
// [OutcomeSubject]. It is a reply that nobody asked for and is signed as one; a
// reply is a CBOR map and an outcome a JSON object, so neither passes for the
// other.
func SealOutcome(o Outcome, service identity.PrivateKey) []byte {
	return identity.Sign(identity.PurposeReply, o.Encode(), service)
}

// OpenOutcome reads what [SealOutcome] made and verifies no signature. It returns
// what [identity.OpenEnvelope] and [DecodeOutcome] return.
func OpenOutcome(raw []byte) (Outcome, identity.Envelope, error) {
	e, err := identity.OpenEnvelope(raw)
	if err != nil {
		return Outcome{}, identity.Envelope{}, err
	}
	o, err := DecodeOutcome(e.Payload)
	return o, e, err
}
