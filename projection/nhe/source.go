package nhe

import (
	"bytes"

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

// Source is t with the evidence for the records that it may be asked to open. Each
// envelope is read and verified once, here, however many records it carried.
func (t *Trust) Source(evidence map[record.ID]Evidence) projection.Source {
	s := source{t, make(map[record.ID]proposed, len(evidence))}
	read := map[string]*proposal{}
	for id, e := range evidence {
		p, ok := read[string(e.Envelope)]
		if !ok {
			p = t.readProposal(e.Envelope)
			read[string(e.Envelope)] = p
		}
		s.evidence[id] = proposed{p, e.Authoritative}
	}
	return s
}

type source struct {
	*Trust
	evidence map[record.ID]proposed
}

// proposed is the evidence for one record, read.
type proposed struct {
	by            *proposal
	authoritative bool
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
	if err := evidence.by.check(r); err != nil {
		return projection.Opened{}, err
	}
	if err := r.CheckContent(); err != nil || r.Kind == record.Binary {
		return projection.Opened{}, malformed("content is not text in a known canonical form")
	}
	return projection.Opened{
		FormatVersion: FormatVersion,
		Digest:        projection.DigestOf(object),
		Labels:        labels(evidence.by.signer, evidence.authoritative),
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

func malformed(detail string) error { return projection.Refuse(projection.SchemaInvalid, detail) }

func unauthentic(detail string) error {
	return projection.Refuse(projection.AuthenticationFailed, detail)
}
