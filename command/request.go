package command

import (
	"consilience/identity"
	"consilience/reason"
	"consilience/wire"
)

// Verb names what a request asks for. It is a token of the request's subject.
type Verb string

// The verbs. Each has a request and a reply body.
const (
	VerbSlice   Verb = "slice"   // [SliceRequest]: issue a slice
	VerbPage    Verb = "page"    // [PageRequest]: a page of an issued slice
	VerbRecord  Verb = "record"  // [RecordRequest]: records with their contents
	VerbRecall  Verb = "recall"  // [RecallRequest]: a projection
	VerbOutcome Verb = "outcome" // [OutcomeRequest]: what became of deltas
	VerbDerive  Verb = "derive"  // [DeriveRequest]: publish a derive command
	VerbHealth  Verb = "health"  // [HealthRequest]: whether the service is there, and who vouches for it
)

// verb says how requests for one verb are treated.
type verb struct {
	space   bool // names a space; otherwise the space is ""
	request func([]byte) (checked, error)
	reply   func([]byte) (checked, error)
}

var verbs = map[Verb]verb{
	VerbSlice:   {true, decodeBody[SliceRequest], decodeBody[SliceReply]},
	VerbPage:    {true, decodeBody[PageRequest], decodeBody[PageReply]},
	VerbRecord:  {true, decodeBody[RecordRequest], decodeBody[RecordReply]},
	VerbRecall:  {true, decodeBody[RecallRequest], decodeBody[RecallReply]},
	VerbOutcome: {true, decodeBody[OutcomeRequest], decodeBody[OutcomeReply]},
	VerbDerive:  {false, decodeBody[DeriveRequest], decodeBody[DeriveReply]},
	VerbHealth:  {false, decodeBody[HealthRequest], decodeBody[HealthReply]},
}

// Request is what a contributor asks the service. It is signed, so that the
// service answers for the contributor that it names and no other.
type Request struct {
	Verb        Verb
	Store       [32]byte
	Space       string // "" where the verb is about no space
	Contributor identity.ID
	Nonce       [16]byte // random; the reply repeats it
	Time        uint64   // Unix milliseconds, by the contributor's clock
	Body        any      // the struct that Verb's comment names, by value
}

// request is a Request as it is signed.
type request struct {
	Version     uint64      `cbor:"1,keyasint"`
	Verb        Verb        `cbor:"2,keyasint"`
	Store       [32]byte    `cbor:"3,keyasint"`
	Space       string      `cbor:"4,keyasint"`
	Contributor identity.ID `cbor:"5,keyasint"`
	Nonce       [16]byte    `cbor:"6,keyasint"`
	Time        uint64      `cbor:"7,keyasint"`
	Body        wire.Raw    `cbor:"8,keyasint"`
}

// SealRequest signs r: one envelope.
func SealRequest(r Request, key identity.PrivateKey) []byte {
	return identity.Sign(identity.PurposeRequest, r.Encode(), key)
}

// OpenRequest reads what [SealRequest] made and verifies no signature. It returns
// what [identity.OpenEnvelope] and [DecodeRequest] return.
func OpenRequest(raw []byte) (Request, identity.Envelope, error) {
	e, err := identity.OpenEnvelope(raw)
	if err != nil {
		return Request{}, identity.Envelope{}, err
	}
	r, err := DecodeRequest(e.Payload)
	return r, e, err
}

// Encode is the payload that the contributor signs.
func (r Request) Encode() []byte {
	return wire.Marshal(request{
		Version: version, Verb: r.Verb, Store: r.Store, Space: r.Space,
		Contributor: r.Contributor, Nonce: r.Nonce, Time: r.Time, Body: encodeBody(r.Body),
	})
}

// DecodeRequest reads a payload strictly. It returns [reason.CommandUnknown] for
// a verb that this build does not know, [reason.NameInvalid] for the space,
// [reason.SpaceMismatch] for a space where the verb has none, and else the
// reasons that docs/wire.cddl gives at each body.
func DecodeRequest(payload []byte) (Request, error) {
	if err := wire.CheckVersion(payload, version); err != nil {
		return Request{}, err
	}
	var p request
	if err := wire.Unmarshal(payload, &p); err != nil {
		return Request{}, err
	}
	if err := p.check(); err != nil {
		return Request{}, err
	}
	body, err := verbs[p.Verb].request(p.Body)
	if err != nil {
		return Request{}, err
	}
	return Request{
		Verb: p.Verb, Store: p.Store, Space: p.Space,
		Contributor: p.Contributor, Nonce: p.Nonce, Time: p.Time, Body: body,
	}, nil
}

// check checks everything but the body.
func (p request) check() error {
	v, known := verbs[p.Verb]
	if !known {
		return reason.New(reason.CommandUnknown, "no such verb")
	}
	if !v.space && p.Space != "" {
		return reason.New(reason.SpaceMismatch, "a request that is about no space names one")
	}
	if v.space {
		if err := wire.SpaceName(p.Space); err != nil {
			return err
		}
	}
	return wire.CheckRange("time", p.Time, 0, wire.MaxUint)
}
