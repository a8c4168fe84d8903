package identity

import (
	"bytes"
	"crypto/ed25519"

	"consilience/reason"
	"consilience/wire"
)

// Purpose is the external_aad of an envelope (RFC 9052 section 4.4): it names
// the kind of payload, so that a signature over one kind never passes for a
// signature over another.
type Purpose string

// The purposes, one for each kind of payload in docs/wire.cddl.
const (
	PurposeDelta   Purpose = "NHE-MEMORY-DELTA-v1"   // a contributor's delta
	PurposeCommand Purpose = "NHE-MEMORY-COMMAND-v1" // a fleet fact or a judgement
	PurposeSlice   Purpose = "NHE-MEMORY-SLICE-v1"   // a slice issued by the service
	PurposeServed  Purpose = "NHE-MEMORY-SERVED-v1"  // contents emitted by the service
	PurposeRequest Purpose = "NHE-MEMORY-REQUEST-v1" // a request to the service
	PurposeReply   Purpose = "NHE-MEMORY-REPLY-v1"   // the service's reply, or an outcome
)

// Envelope is a COSE_Sign1 of our one form, opened but not verified.
type Envelope struct {
	KeyID     KeyID
	Payload   []byte // part of Raw
	Signature [64]byte
	Raw       []byte // the encoded envelope as it was received; not a copy
}

// The deterministic encoding of the one form leaves nothing but the key id, the
// payload and the signature to choose; these are the bytes between them.
const (
	// head is tag 18, an array of 4, and the start of the protected header:
	// a byte string of 38 bytes, a map of 2, 1: -19 (Ed25519, RFC 9864), 4: 32 bytes.
	head = "\xd2\x84\x58\x26" + protectedHead
	// protectedHead is the protected header up to the key id.
	protectedHead = "\xa2\x01\x32\x04\x58\x20"
	// unprotected is the empty map.
	unprotected = "\xa0"
	// signatureHead is the head of a byte string of 64 bytes.
	signatureHead = "\x58\x40"
)

// Sign returns the envelope of payload, signed by key for p.
func Sign(p Purpose, payload []byte, key PrivateKey) []byte {
	signature := ed25519.Sign(key.key, toBeSigned(key.id, p, payload))
	out := make([]byte, 0, len(head)+len(key.id)+len(payload)+len(signature)+16)
	out = append(append(out, head...), key.id[:]...)
	out = append(out, unprotected...)
	out = wire.AppendBytes(out, payload)
	out = append(out, signatureHead...)
	return append(out, signature...)
}

// OpenEnvelope reads an envelope in its one form, byte for byte, and verifies
// nothing. It returns [reason.NotCanonical] for an envelope in another encoding
// and [reason.Malformed] for everything else: another algorithm, a header too
// many or missing, an unprotected header, a detached payload.
func OpenEnvelope(raw []byte) (Envelope, error) {
	e, rest, ok := cut(raw)
	if !ok || len(rest) != 0 {
		return Envelope{}, wire.Refuse(raw)
	}
	return e, nil
}

// CutEnvelope reads an envelope from the front of data and returns what follows
// it. It returns [reason.Malformed] where none begins.
func CutEnvelope(data []byte) (e Envelope, rest []byte, err error) {
	e, rest, ok := cut(data)
	if !ok {
		return Envelope{}, nil, reason.New(reason.Malformed, "no envelope where one is due")
	}
	return e, rest, nil
}

func cut(data []byte) (e Envelope, rest []byte, ok bool) {
	rest, ok = bytes.CutPrefix(data, []byte(head))
	if !ok || len(rest) < len(e.KeyID) {
		return e, nil, false
	}
	e.KeyID = KeyID(rest[:len(e.KeyID)])
	if rest, ok = bytes.CutPrefix(rest[len(e.KeyID):], []byte(unprotected)); !ok {
		return e, nil, false
	}
	payload, rest, err := wire.CutBytes(rest)
	if err != nil {
		return e, nil, false
	}
	rest, ok = bytes.CutPrefix(rest, []byte(signatureHead))
	if !ok || len(rest) < len(e.Signature) {
		return e, nil, false
	}
	e.Payload, e.Signature = payload, [64]byte(rest)
	rest = rest[len(e.Signature):]
	e.Raw = data[: len(data)-len(rest) : len(data)-len(rest)]
	return e, rest, true
}

// Verify returns [reason.SignatureInvalid] unless key, accepted by
// [NewPublicKey], signed the payload for p.
func (e Envelope) Verify(p Purpose, key PublicKey) error {
	if key.KeyID() != e.KeyID || !verify(key, toBeSigned(e.KeyID, p, e.Payload), e.Signature) {
		return reason.New(reason.SignatureInvalid, "signature does not verify")
	}
	return nil
}

// verify reports whether signature is key's over message.
func verify(key PublicKey, message []byte, signature [64]byte) bool {
	return ed25519.Verify(key[:], message, signature[:])
}

// toBeSigned is what key signs: the Sig_structure over our protected header.
func toBeSigned(kid KeyID, p Purpose, payload []byte) []byte {
	protected := append([]byte(protectedHead), kid[:]...)
	return sigStructure(protected, []byte(p), payload)
}

// sigStructure is the Sig_structure of a COSE_Sign1 (RFC 9052 section 4.4):
// ["Signature1", protected, external_aad, payload].
func sigStructure(protected, aad, payload []byte) []byte {
	const context = "\x6aSignature1"
	out := make([]byte, 0, len(context)+len(protected)+len(aad)+len(payload)+24)
	out = append(wire.AppendArray(out, 4), context...)
	out = wire.AppendBytes(out, protected)
	out = wire.AppendBytes(out, aad)
	return wire.AppendBytes(out, payload)
}
