package nhe

import (
	"consilience/projection"
	"consilience/wire"
)

// Packet is everything beside a record and its projection that a full verification
// needs, as it is kept in one file.
type Packet struct {
	Request  []byte   `cbor:"1,keyasint"` // the recall request
	Policy   []byte   `cbor:"2,keyasint"` // the selection policy
	Snapshot []byte   `cbor:"3,keyasint"` // the trust snapshot
	Objects  [][]byte `cbor:"4,keyasint"` // by position
	Evidence []byte   `cbor:"5,keyasint"` // a [Bundle]
}

// Encode is the packet's deterministic CBOR.
func (p Packet) Encode() []byte { return wire.Marshal(p) }

// DecodePacket reads a packet strictly. It returns [reason.Malformed] and
// [reason.NotCanonical].
func DecodePacket(data []byte) (p Packet, err error) {
	err = wire.Unmarshal(data, &p)
	return p, err
}

// Material is what [projection.Verifier.Full] takes. It returns what reading the
// record, the evidence or the frames returns; nothing is verified yet.
func (p Packet) Material(record, emitted []byte) (projection.Material, error) {
	m := projection.Material{
		RecallRequest: p.Request, SelectionPolicy: p.Policy, TrustSnapshot: p.Snapshot, Objects: p.Objects, Projection: emitted,
	}
	parsed, err := projection.Parse(record)
	if err != nil {
		return m, err
	}
	bundle, err := DecodeBundle(p.Evidence)
	if err != nil {
		return m, err
	}
	if m.Source, err = bundle.Source(p.Snapshot, p.Objects); err != nil {
		return m, err
	}
	m.Fragments, err = Split(parsed.Delivered, emitted)
	return m, err
}
