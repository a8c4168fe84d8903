package command

import (
	"bytes"
	"cmp"

	"consilience/identity"
	"consilience/reason"
	"consilience/record"
	"consilience/wire"
)

// Ways in which contents are emitted.
const (
	HowProjection = "projection" // in a projection
	HowRecord     = "record"     // in a reply to a request for records
)

// maxServed is the largest number of contents in one Served.
const maxServed = 16_384

// Served is the service's statement that it emitted contents to a contributor.
// It makes a later support of the same content by that lineage an echo.
type Served struct {
	Store       [32]byte
	Space       string
	Contributor identity.ID
	How         string           // [HowProjection] or [HowRecord]
	Contents    []record.Content // by kind, then hash, each once
}

// served is a Served as it is signed.
type served struct {
	Version     uint64          `cbor:"1,keyasint"`
	Store       [32]byte        `cbor:"2,keyasint"`
	Space       string          `cbor:"3,keyasint"`
	Contributor identity.ID     `cbor:"4,keyasint"`
	How         string          `cbor:"5,keyasint"`
	Contents    []servedContent `cbor:"6,keyasint"`
}

type servedContent struct {
	_    struct{} `cbor:",toarray"`
	Kind record.Kind
	Hash record.Hash
}

// SealServed signs s with the service's key: one envelope, the entry of the log.
func SealServed(s Served, service identity.PrivateKey) []byte {
	return identity.Sign(identity.PurposeServed, s.Encode(), service)
}

// OpenServed reads what [SealServed] made and verifies no signature. It returns
// what [identity.OpenEnvelope] and [DecodeServed] return.
func OpenServed(raw []byte) (Served, identity.Envelope, error) {
	e, err := identity.OpenEnvelope(raw)
	if err != nil {
		return Served{}, identity.Envelope{}, err
	}
	s, err := DecodeServed(e.Payload)
	return s, e, err
}

// Encode is the payload that the service signs.
func (s Served) Encode() []byte {
	contents := make([]servedContent, len(s.Contents))
	for i, c := range s.Contents {
		contents[i] = servedContent{Kind: c.Kind, Hash: c.Hash}
	}
	return wire.Marshal(served{Version: version, Store: s.Store, Space: s.Space, Contributor: s.Contributor, How: s.How, Contents: contents})
}

// DecodeServed reads a payload. It returns [reason.Malformed],
// [reason.NotCanonical] also for contents out of order, [reason.NamedTwice],
// [reason.VersionUnsupported], [reason.NameInvalid] for the space and
// [reason.OutOfRange] for a kind of content or their number.
func DecodeServed(payload []byte) (Served, error) {
	if err := wire.CheckVersion(payload, version); err != nil {
		return Served{}, err
	}
	var p served
	if err := wire.Unmarshal(payload, &p); err != nil {
		return Served{}, err
	}
	if err := p.check(); err != nil {
		return Served{}, err
	}
	contents := make([]record.Content, len(p.Contents))
	for i, c := range p.Contents {
		contents[i] = record.Content{Kind: c.Kind, Hash: c.Hash}
	}
	return Served{Store: p.Store, Space: p.Space, Contributor: p.Contributor, How: p.How, Contents: contents}, nil
}

func (p served) check() error {
	if err := wire.SpaceName(p.Space); err != nil {
		return err
	}
	if p.How != HowProjection && p.How != HowRecord {
		return reason.New(reason.Malformed, "contents are emitted by a projection or a record reply")
	}
	for _, c := range p.Contents {
		if err := wire.CheckRange("kind of content", uint64(c.Kind), 0, uint64(record.Binary)); err != nil {
			return err
		}
	}
	return checkSet("content", maxServed, p.Contents, compareContents)
}

func compareContents(a, b servedContent) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), bytes.Compare(a.Hash[:], b.Hash[:]))
}
