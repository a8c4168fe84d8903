package apertomemory

import (
	"bytes"
	"math"

	"github.com/fxamacker/cbor/v2"
)

// Payload is the signed map of a memory object. Its fields stay encoded, so that
// those that this version does not know survive a rewrite (S-16).
type Payload struct {
	fields map[uint64]cbor.RawMessage
}

// The payload's keys.
const (
	keyContent    = 2
	keyConfidence = 3
	keyProvenance = 4
	keyCustody    = 20
)

// loose reads what an authenticated producer wrote: the structure is checked, the
// encoding is not, since it is never hashed again. Everything that could be read
// in two ways is refused.
var loose = func() cbor.DecMode {
	m, err := cbor.DecOptions{
		DupMapKey:       cbor.DupMapKeyEnforcedAPF,
		IndefLength:     cbor.IndefLengthForbidden,
		MaxNestedLevels: 16,
		UTF8:            cbor.UTF8RejectInvalid,
	}.DecMode()
	if err != nil {
		panic(err)
	}
	return m
}()

var deterministic = func() cbor.EncMode {
	m, err := cbor.CoreDetEncOptions().EncMode()
	if err != nil {
		panic(err)
	}
	return m
}()

// ParsePayload reads a payload: a map with unsigned integer keys, none twice, whose
// fields are valid and not only well-formed: a tag for a big number before something
// else could not be written again.
func ParsePayload(data []byte) (Payload, bool) {
	var p Payload
	if loose.Unmarshal(data, &p.fields) != nil || p.fields == nil {
		return Payload{}, false
	}
	if _, err := deterministic.Marshal(p.fields); err != nil {
		return Payload{}, false
	}
	return p, true
}

// Bytes is the payload in deterministic order, every field as it was read.
func (p Payload) Bytes() []byte {
	b, err := deterministic.Marshal(p.fields)
	if err != nil {
		panic("apertomemory: " + err.Error()) // ParsePayload wrote them once
	}
	return b
}

// content is the text of the object; ok is false for content that is no text.
func (p Payload) content() (text string, ok bool) {
	raw := p.fields[keyContent]
	ok = major(raw) == majorText && loose.Unmarshal(raw, &text) == nil
	return text, ok
}

// author is the author key id that the payload states.
func (p Payload) author() (id KeyID, ok bool) {
	var provenance map[uint64]cbor.RawMessage
	if loose.Unmarshal(p.fields[keyProvenance], &provenance) != nil {
		return KeyID{}, false
	}
	return keyIDIn(provenance[2])
}

// confidence is the stated confidence, absent when it is no number in 0..1: the
// object is authentic, but a consumer that ranks must not see the value (S-13).
func (p Payload) confidence() (value *float64, violated bool) {
	raw := p.fields[keyConfidence]
	var v float64
	if !isFloat(raw) || loose.Unmarshal(raw, &v) != nil || math.IsNaN(v) || v < 0 || v > 1 {
		return nil, true
	}
	return &v, false
}

// isFloat tells a float of 16, 32 or 64 bits from null and the booleans, which share
// its major type and decode into a number as 0.
func isFloat(raw []byte) bool { return len(raw) > 0 && bytes.IndexByte(floats, raw[0]) >= 0 }

var floats = []byte{0xf9, 0xfa, 0xfb}

// The CBOR major types that decide how a field may be read.
const (
	majorUint  = 0
	majorBytes = 2
	majorText  = 3
	majorMap   = 5
)

// major is the major type of an encoded item, -1 of none.
func major(raw []byte) int {
	if len(raw) == 0 {
		return -1
	}
	return int(raw[0] >> 5)
}

// keyIDIn reads a byte string of exactly eight bytes.
func keyIDIn(raw []byte) (id KeyID, ok bool) {
	var b []byte
	if major(raw) != majorBytes || loose.Unmarshal(raw, &b) != nil || len(b) != len(id) {
		return KeyID{}, false
	}
	return KeyID(b), true
}

func uintIn(raw []byte) (n uint64, ok bool) {
	ok = major(raw) == majorUint && loose.Unmarshal(raw, &n) == nil
	return n, ok
}

// Custody is a custody record: the statement of whoever sealed the object anew
// about who wrote it.
type Custody struct {
	// Present is false for an object without a custody record and for one whose record
	// says nothing, an empty map for example. The source project's facts say so; the
	// partner project counts the empty map as present.
	Present     bool
	FromVersion *uint64 // format version it was sealed anew from
	Claimed     *KeyID  // author that the original object named
	Proven      *KeyID  // author that the custodian proved and the keyring accepts
}

// custody is a custody record as it was read, before anybody is believed.
type custody struct {
	Custody
	carried bool   // the object carries one, readable or not
	proven  *KeyID // what field 4 names, if every other required field has its type
}

// custody reads key 20. It never fails: a broken record lowers trust and must not
// stop whoever reads the objects around it (S-11).
func (p Payload) custody() (c custody) {
	raw, carried := p.fields[keyCustody]
	c.carried = carried
	var fields map[uint64]cbor.RawMessage
	if major(raw) != majorMap || loose.Unmarshal(raw, &fields) != nil || len(fields) == 0 {
		return c
	}
	c.Present = true
	from, fromOK := uintIn(fields[1])
	if fromOK {
		c.FromVersion = &from
	}
	claimed, claimedOK := keyIDIn(fields[2])
	if claimedOK {
		c.Claimed = &claimed
	}
	_, sealedOK := uintIn(fields[3])
	if proven, ok := keyIDIn(fields[4]); ok && fromOK && claimedOK && sealedOK {
		c.proven = &proven
	}
	return c
}
