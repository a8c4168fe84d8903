package delta

import (
	"bytes"
	"encoding/binary"
	"slices"

	"consilience/identity"
	"consilience/reason"
	"consilience/record"
	"consilience/wire"
)

// PageEntries is the number of entries in every page of a slice but the last.
const PageEntries = 4096

// MaxConfidence is the largest stored confidence, ppm.
const MaxConfidence = 999_000

// sliceDomain separates the digest of a slice from other hashes.
const sliceDomain = "NHE-MEMORY-SLICE-v1"

// SliceEntry is one active item of a slice.
type SliceEntry struct {
	_           struct{} `cbor:",toarray"`
	Item        record.ItemID
	Head        record.ID   // the record that is shown for it
	ContentHash record.Hash // of the head
	Confidence  uint32      // ppm, 0 to 999000
}

// Slice is what a contributor derives from: the active items of a space at a
// revision, issued to that contributor alone.
type Slice struct {
	Store       [32]byte
	Space       string
	Contributor identity.ID
	Revision    uint64
	Entries     []SliceEntry // in bytewise order of Item, each once
}

// Body is the encoded entries.
func (s Slice) Body() []byte { return EncodeEntries(s.Entries) }

// Digest is HASH("NHE-MEMORY-SLICE-v1" || 0x00 || store || space || contributor
// || revision || HASH(body)), the revision as 8 bytes, big-endian. All parts but
// the space have a fixed length, so no two slices share the hashed bytes.
func (s Slice) Digest() [32]byte {
	body := wire.Hash(s.Body())
	revision := binary.BigEndian.AppendUint64(nil, s.Revision)
	return wire.DomainHash(sliceDomain, slices.Concat(s.Store[:], []byte(s.Space), s.Contributor[:], revision, body[:]))
}

// EncodeEntries is the encoding of entries: of a whole slice or of one page.
func EncodeEntries(entries []SliceEntry) []byte { return wire.Marshal(entries) }

// DecodeEntries reads what [EncodeEntries] wrote. It returns [reason.Malformed],
// [reason.NotCanonical], [reason.OutOfRange] for a confidence above
// [MaxConfidence], and [reason.NotCanonical] for entries out of order or an item
// twice.
func DecodeEntries(encoded []byte) ([]SliceEntry, error) {
	var entries []SliceEntry
	if err := wire.Unmarshal(encoded, &entries); err != nil {
		return nil, err
	}
	return entries, CheckEntries(entries)
}

// CheckEntries checks order and ranges as [DecodeEntries] does.
func CheckEntries(entries []SliceEntry) error {
	for i, e := range entries {
		if err := wire.CheckRange("confidence", uint64(e.Confidence), 0, MaxConfidence); err != nil {
			return err
		}
		if i > 0 && bytes.Compare(entries[i-1].Item[:], e.Item[:]) >= 0 {
			return reason.New(reason.NotCanonical, "slice entries are not in order of their items, each once")
		}
	}
	return nil
}

// SliceIssued is the service's statement that it issued a slice. It is on the
// log before the slice leaves.
type SliceIssued struct {
	Store       [32]byte    `cbor:"2,keyasint"`
	Space       string      `cbor:"3,keyasint"`
	Contributor identity.ID `cbor:"4,keyasint"`
	Revision    uint64      `cbor:"5,keyasint"`
	Digest      [32]byte    `cbor:"6,keyasint"`
}

// issued is the payload of a SliceIssued.
type issued struct {
	Version uint64 `cbor:"1,keyasint"`
	SliceIssued
}

// Issued is the statement about s.
func (s Slice) Issued() SliceIssued {
	return SliceIssued{Store: s.Store, Space: s.Space, Contributor: s.Contributor, Revision: s.Revision, Digest: s.Digest()}
}

// Encode is the payload that the service signs.
func (s SliceIssued) Encode() []byte { return wire.Marshal(issued{Version: version, SliceIssued: s}) }

// DecodeSliceIssued reads a payload. It returns [reason.Malformed],
// [reason.NotCanonical], [reason.VersionUnsupported], [reason.NameInvalid] for
// the space and [reason.OutOfRange] for the revision.
func DecodeSliceIssued(payload []byte) (SliceIssued, error) {
	if err := wire.CheckVersion(payload, version); err != nil {
		return SliceIssued{}, err
	}
	var p issued
	if err := wire.Unmarshal(payload, &p); err != nil {
		return SliceIssued{}, err
	}
	if err := wire.SpaceName(p.Space); err != nil {
		return SliceIssued{}, err
	}
	return p.SliceIssued, wire.CheckRange("revision", p.Revision, 0, wire.MaxUint)
}

// SealSlice signs s with the service's key: one envelope, the entry of the log.
func SealSlice(s SliceIssued, service identity.PrivateKey) []byte {
	return identity.Sign(identity.PurposeSlice, s.Encode(), service)
}

// OpenSlice reads what [SealSlice] made and verifies no signature.
func OpenSlice(raw []byte) (SliceIssued, identity.Envelope, error) {
	e, err := identity.OpenEnvelope(raw)
	if err != nil {
		return SliceIssued{}, identity.Envelope{}, err
	}
	s, err := DecodeSliceIssued(e.Payload)
	return s, e, err
}
