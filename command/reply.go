package command

import (
	"bytes"
	"errors"

	"consilience/identity"
	"consilience/reason"
	"consilience/wire"
)

// Reply is the service's signed answer to one request: a body or a refusal.
type Reply struct {
	Verb    Verb
	Nonce   [16]byte // the request's
	Body    any      // the reply struct of Verb, by value; nil in a refusal
	Refusal *Refusal // nil unless the service said no
}

// Refusal is a reason that travels.
type Refusal struct {
	_      struct{}    `cbor:",toarray"`
	Reason reason.Code // at most 64 bytes
	Detail string      // one clause for people, at most 1024 bytes
}

// reply is a Reply as it is signed.
type reply struct {
	Version uint64   `cbor:"1,keyasint"`
	Verb    Verb     `cbor:"2,keyasint"`
	Nonce   [16]byte `cbor:"3,keyasint"`
	Body    wire.Raw `cbor:"4,keyasint"`
	Refusal *Refusal `cbor:"5,keyasint"`
}

// Refuse is the reply to r that passes the reason of err on, and of its text no
// more than the detail: a cause stays here. An error without a reason becomes
// [reason.Unreachable].
func (r Request) Refuse(err error) Reply {
	refusal := &Refusal{Reason: reason.Unreachable, Detail: "the service could not answer"}
	if e := (*reason.Error)(nil); errors.As(err, &e) {
		refusal.Reason, refusal.Detail = e.Code, e.Detail
	}
	if wire.CheckText("detail", refusal.Detail, wire.MaxReason) != nil {
		refusal.Detail = ""
	}
	return Reply{Verb: r.Verb, Nonce: r.Nonce, Refusal: refusal}
}

// Answer is the reply to r with body, the reply struct of its verb.
func (r Request) Answer(body any) Reply { return Reply{Verb: r.Verb, Nonce: r.Nonce, Body: body} }

// Err is the refusal as an error, nil if there is none.
func (r Reply) Err() error {
	if r.Refusal == nil {
		return nil
	}
	return reason.New(r.Refusal.Reason, "%s", r.Refusal.Detail).On("the service")
}

// Answers returns [reason.ReplyMismatch] unless r answers q.
func (r Reply) Answers(q Request) error {
	if r.Verb != q.Verb || r.Nonce != q.Nonce {
		return reason.New(reason.ReplyMismatch, "reply to another request")
	}
	return nil
}

// SealReply signs r with the service's key: one envelope.
func SealReply(r Reply, service identity.PrivateKey) []byte {
	return identity.Sign(identity.PurposeReply, r.Encode(), service)
}

// OpenReply reads what [SealReply] made and verifies no signature. It returns
// what [identity.OpenEnvelope] and [DecodeReply] return.
func OpenReply(raw []byte) (Reply, identity.Envelope, error) {
	e, err := identity.OpenEnvelope(raw)
	if err != nil {
		return Reply{}, identity.Envelope{}, err
	}
	r, err := DecodeReply(e.Payload)
	return r, e, err
}

// Encode is the payload that the service signs.
func (r Reply) Encode() []byte {
	p := reply{Version: version, Verb: r.Verb, Nonce: r.Nonce, Body: wire.Null, Refusal: r.Refusal}
	if r.Refusal == nil {
		p.Body = encodeBody(r.Body)
	}
	return wire.Marshal(p)
}

// DecodeReply reads a payload strictly. It returns [reason.CommandUnknown] for a
// verb that this build does not know, [reason.Malformed] for a body beside a
// refusal or neither, [reason.NameInvalid] for the refusal's texts, and else the
// reasons that docs/wire.cddl gives at each body.
func DecodeReply(payload []byte) (Reply, error) {
	if err := wire.CheckVersion(payload, version); err != nil {
		return Reply{}, err
	}
	var p reply
	if err := wire.Unmarshal(payload, &p); err != nil {
		return Reply{}, err
	}
	v, known := verbs[p.Verb]
	if !known {
		return Reply{}, reason.New(reason.CommandUnknown, "no such verb")
	}
	r := Reply{Verb: p.Verb, Nonce: p.Nonce, Refusal: p.Refusal}
	if bytes.Equal(p.Body, wire.Null) != (p.Refusal != nil) {
		return Reply{}, reason.New(reason.Malformed, "a reply has either a body or a refusal")
	}
	if p.Refusal != nil {
		return r, p.Refusal.check()
	}
	body, err := v.reply(p.Body)
	if err != nil {
		return Reply{}, err
	}
	r.Body = body
	return r, nil
}

// maxCode is the longest reason code, bytes.
const maxCode = 64

func (r *Refusal) check() error {
	if r.Reason == "" {
		return reason.New(reason.NameInvalid, "a refusal has no reason")
	}
	if err := wire.CheckText("reason", string(r.Reason), maxCode); err != nil {
		return err
	}
	return wire.CheckText("detail", r.Detail, wire.MaxReason)
}
