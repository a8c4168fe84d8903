package nhe

import (
	"consilience/identity"
	"consilience/projection"
	"consilience/reason"
	"consilience/record"
	"consilience/wire"
)

// Bundle is the evidence for the delivered records of one projection as it travels
// to whoever verifies it in full, beside record, projection, snapshot and objects.
// It is as good as who hands it over: authority and the owners of rotated keys are
// the store's word, and a relying party with a replay of the log needs no bundle.
type Bundle struct {
	Signers   []Signer   `cbor:"1,keyasint"` // of the envelopes, each once
	Envelopes [][]byte   `cbor:"2,keyasint"` // of deltas, each once
	Delivered []Position `cbor:"3,keyasint"` // by position
}

// Signer is a key that signed a delta, and its contributor.
type Signer struct {
	_     struct{} `cbor:",toarray"`
	Key   identity.PublicKey
	Owner identity.ID
}

// Position is the evidence for one delivered record.
type Position struct {
	_             struct{} `cbor:",toarray"`
	Envelope      uint64   // index in Envelopes
	Authoritative bool
}

// Bundle gathers the evidence for objects, in order of delivery. It returns
// [projection.MaterialMissing] for an object without usable evidence.
func (t *Trust) Bundle(objects [][]byte, evidence map[record.ID]Evidence) (Bundle, error) {
	var b Bundle
	envelopes, signers := map[string]uint64{}, map[identity.KeyID]bool{}
	for i, object := range objects {
		r, err := record.DecodeWire(object)
		if err != nil {
			return Bundle{}, err
		}
		e := evidence[r.ID]
		envelope, err := identity.OpenEnvelope(e.Envelope)
		key, known := t.keys.byID[envelope.KeyID]
		if err != nil || !known {
			return Bundle{}, reason.New(projection.MaterialMissing, "no evidence of who proposed record %d", i)
		}
		at, seen := envelopes[string(e.Envelope)]
		if !seen {
			at = uint64(len(b.Envelopes))
			envelopes[string(e.Envelope)] = at
			b.Envelopes = append(b.Envelopes, e.Envelope)
		}
		if !signers[envelope.KeyID] {
			signers[envelope.KeyID] = true
			b.Signers = append(b.Signers, Signer{Key: key.Key, Owner: key.Owner})
		}
		b.Delivered = append(b.Delivered, Position{Envelope: at, Authoritative: e.Authoritative})
	}
	return b, nil
}

// Encode is the bundle's deterministic CBOR.
func (b Bundle) Encode() []byte { return wire.Marshal(b) }

// DecodeBundle reads a bundle strictly. It returns [reason.Malformed] and
// [reason.NotCanonical].
func DecodeBundle(data []byte) (b Bundle, err error) {
	if err := wire.Unmarshal(data, &b); err != nil {
		return Bundle{}, err
	}
	for _, p := range b.Delivered {
		if p.Envelope >= uint64(len(b.Envelopes)) {
			return Bundle{}, reason.New(reason.Malformed, "evidence refers to an envelope that is not there")
		}
	}
	return b, nil
}

// Source makes a source of the bundle under a trust snapshot: a signer is accepted if
// the snapshot accepts its key. objects are the delivered ones, by position. It
// returns [projection.TrustSnapshotInvalid], [projection.MaterialMissing] and the
// reasons of [NewKeys].
func (b Bundle) Source(snapshot []byte, objects [][]byte) (projection.Source, error) {
	state, accepted, err := ParseSnapshot(snapshot)
	if err != nil {
		return nil, err
	}
	keys, err := b.keys(accepted)
	if err != nil {
		return nil, err
	}
	if len(objects) != len(b.Delivered) {
		return nil, reason.New(projection.MaterialMissing, "evidence for %d records, and %d objects", len(b.Delivered), len(objects))
	}
	evidence := make(map[record.ID]Evidence, len(objects))
	for i, object := range objects {
		// An object that is none is refused when it is opened.
		if r, err := record.DecodeWire(object); err == nil {
			p := b.Delivered[i]
			evidence[r.ID] = Evidence{b.Envelopes[p.Envelope], p.Authoritative}
		}
	}
	t := &Trust{state, keys, append([]byte{}, snapshot...)}
	return t.Source(evidence), nil
}

func (b Bundle) keys(accepted []identity.KeyID) (*Keys, error) {
	in := make(map[identity.KeyID]bool, len(accepted))
	for _, id := range accepted {
		in[id] = true
	}
	var keys []Key
	for _, s := range b.Signers {
		keys = append(keys, Key{s.Key, s.Owner, in[s.Key.KeyID()]})
	}
	return NewKeys(keys)
}
