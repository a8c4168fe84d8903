package nhe

import (
	"bytes"
	"maps"

	"consilience/delta"
	"consilience/identity"
	"consilience/projection"
	"consilience/reason"
	"consilience/record"
)

// The names of the profile.
const (
	SourceProfile = "urn:x-consilience:source:nhe-memory:v1"
	FrameProfile  = "urn:x-consilience:context-frame:nhe-memory:v1"
)

// FormatVersion is that of the record's wire form.
const FormatVersion = 1

// Evidence is what stands beside a record: who proposed it, and whether the store
// stands behind it.
type Evidence struct {
	// Envelope is the signed envelope of the delta that carried the record.
	Envelope []byte
	// Authoritative says that the record is the head of an authoritative item at the
	// trust state's revision.
	Authoritative bool
}

// Source is t with the evidence for the records that it may be asked to open.
func (t *Trust) Source(evidence map[record.ID]Evidence) projection.Source {
	return source{t, maps.Clone(evidence)}
}

type source struct {
	*Trust
	evidence map[record.ID]Evidence
}

// Profile is the profile's pair of names.
func (source) Profile() projection.Profile {
	return projection.Profile{Source: SourceProfile, Frame: FrameProfile}
}

// Snapshot is the trust snapshot.
func (s source) Snapshot() []byte { return bytes.Clone(s.snapshot) }

// Frame is the context frame.
func (source) Frame() projection.Frame { return Frame{} }

// CheckSnapshot parses a snapshot and holds the entries against it.
func (source) CheckSnapshot(snapshot []byte, delivered []projection.Entry) error {
	return checkSnapshot(snapshot, delivered)
}

// Open opens a record in its wire form, in the order of the profile's table.
func (s source) Open(object []byte) (projection.Opened, error) {
	r, err := record.DecodeWire(object)
	if err != nil || r.Erased {
		return projection.Opened{}, malformed("not a record with content in its wire form")
	}
	if record.HashOf(r.Content) != r.ContentHash {
		return projection.Opened{}, unauthentic("content does not have the stated hash")
	}
	evidence, ok := s.evidence[r.ID]
	if !ok {
		return projection.Opened{}, reason.New(projection.MaterialMissing, "no evidence of who proposed a record")
	}
	signer, err := s.signer(r, evidence.Envelope)
	if err != nil {
		return projection.Opened{}, err
	}
	if err := r.CheckContent(); err != nil || r.Kind == record.Binary {
		return projection.Opened{}, malformed("content is not text in a known canonical form")
	}
	return projection.Opened{
		FormatVersion: FormatVersion,
		Digest:        projection.DigestOf(object),
		Labels:        labels(signer, evidence.Authoritative),
		Body:          append([]byte{}, r.Content...),
	}, nil
}

// labels are what a verified record is shown as.
func labels(signer Key, authoritative bool) projection.Labels {
	if !authoritative || !signer.Accepted {
		return unverified
	}
	short := signer.Key.KeyID().Short()
	return trustedBy(projection.KeyOf(short[:]))
}

// signer verifies that the key of a contributor of this store proposed r in this
// space, and returns the key.
func (s source) signer(r record.Record, raw []byte) (Key, error) {
	envelope, err := identity.OpenEnvelope(raw)
	if err != nil {
		return Key{}, unauthentic("evidence is not a signed envelope")
	}
	key, known := s.keys.byID[envelope.KeyID]
	if !known {
		return Key{}, unauthentic("signed by a key that no contributor has")
	}
	if envelope.Verify(identity.PurposeDelta, key.Key) != nil {
		return Key{}, unauthentic("the delta's signature does not verify")
	}
	d, err := delta.Decode(envelope.Payload)
	if err != nil {
		return Key{}, unauthentic("evidence is not a delta")
	}
	if d.Store != s.state.Store || d.Space != s.state.Space {
		return Key{}, unauthentic("the delta is meant for another store or space")
	}
	if d.Contributor != r.Contributor || d.Contributor != key.Owner || !names(d, r.ID) {
		return Key{}, unauthentic("the delta does not propose the record as its author")
	}
	return key, nil
}

// names reports whether d proposes the record.
func names(d delta.Delta, id record.ID) bool {
	for _, n := range d.New {
		if n.Record == id {
			return true
		}
	}
	for _, m := range d.Modified {
		if m.Record == id {
			return true
		}
	}
	return false
}

func malformed(detail string) error { return projection.Refuse(projection.SchemaInvalid, detail) }

func unauthentic(detail string) error {
	return projection.Refuse(projection.AuthenticationFailed, detail)
}
