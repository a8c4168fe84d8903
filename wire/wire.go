// Package wire holds what all encodings of Consilience share: deterministic CBOR
// (RFC 8949 section 4.2.1), SHA-256 under a domain name, and the text form of
// 32-byte values. It decides no rule of its own; docs/wire.cddl is its contract.
package wire

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"sync"

	"github.com/fxamacker/cbor/v2"

	"consilience/reason"
)

// MaxUint is the largest unsigned integer on the wire, 2^53-1: the largest that
// every JSON implementation keeps exactly (RFC 7493).
const MaxUint = 1<<53 - 1

// Scale is one in parts per million: confidences, strengths and reputations are
// integers in millionths.
const Scale = 1_000_000

// Limits of a decoder. They bound what one message can make a receiver allocate.
const (
	maxNesting  = 16
	maxElements = 131_072
)

var (
	encMode = must(encOptions().UserBufferEncMode())
	decMode = must(cbor.DecOptions{
		DupMapKey:         cbor.DupMapKeyEnforcedAPF,
		IndefLength:       cbor.IndefLengthForbidden,
		TagsMd:            cbor.TagsForbidden,
		ExtraReturnErrors: cbor.ExtraDecErrorUnknownField,
		MaxNestedLevels:   maxNesting,
		MaxArrayElements:  maxElements,
		MaxMapPairs:       maxElements,
		FieldNameMatching: cbor.FieldNameMatchingCaseSensitive,
		UTF8:              cbor.UTF8RejectInvalid,
	}.DecMode())
)

func encOptions() cbor.EncOptions {
	o := cbor.CoreDetEncOptions()
	o.NilContainers = cbor.NilContainerAsEmpty
	o.TagsMd = cbor.TagsForbidden
	return o
}

func must[M any](m M, err error) M {
	if err != nil {
		panic(err)
	}
	return m
}

// Marshal returns the deterministic CBOR encoding of v. It panics on a type that
// has none, which is a fault of the caller and never of an input.
func Marshal(v any) []byte {
	b, err := encMode.Marshal(v)
	if err != nil {
		panic("wire: " + err.Error())
	}
	return b
}

// Unmarshal decodes exactly one deterministic CBOR item into v: it decodes,
// encodes again and compares, so that no value has two encodings. It returns
// [reason.NotCanonical] or [reason.Malformed], as [Refuse] tells them apart: a
// member too many, missing, of another type or of another length is malformed.
func Unmarshal(data []byte, v any) error {
	if err := decMode.Unmarshal(data, v); err != nil {
		return Refuse(data)
	}
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	if err := encMode.MarshalToBuffer(v, buf); err != nil || !bytes.Equal(buf.Bytes(), data) {
		return Refuse(data)
	}
	return nil
}

// buffers keeps the encodings that Unmarshal compares with.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Hash is SHA-256 over the concatenation of parts.
func Hash(parts ...[]byte) [32]byte {
	h := sha256.New()
	for _, p := range parts {
		h.Write(p)
	}
	return [32]byte(h.Sum(nil))
}

// DomainHash is HASH(domain || 0x00 || payload).
func DomainHash(domain string, payload []byte) [32]byte {
	return Hash([]byte(domain), []byte{0}, payload)
}

// Text is the text form of a 32-byte value: unpadded base64url, 43 characters.
func Text(b [32]byte) string { return base64.RawURLEncoding.EncodeToString(b[:]) }

// ParseText reads the text form of a 32-byte value. It decodes, encodes again and
// compares: encoding/base64 skips line breaks and accepts spare bits.
func ParseText(s string) ([32]byte, error) {
	b, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil || len(b) != 32 || base64.RawURLEncoding.EncodeToString(b) != s {
		return [32]byte{}, reason.New(reason.Malformed, "not 43 characters of unpadded base64url").On(clip(s))
	}
	return [32]byte(b), nil
}

// clip keeps an input short enough to stand in an error.
func clip(s string) string {
	if len(s) > 60 {
		return s[:60] + "…"
	}
	return s
}
