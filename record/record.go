// Package record is the memory record of draft-ruvalcaba-nhe-memory-00, Part I.
//
// A record is a content in its canonical form and a forward part that commits to
// it: kind, content hash, relational pairs, contributor, time and the name of the
// canonical form. The [ID] is a hash of the forward part, so that any change of a
// forward field shows without a second digest; what refers to the record from
// later ones (back-references) is in no hash.
//
//   - [New] canonicalises a content and makes a record of it (the writer's side).
//   - [DecodeForward], [FromWire] and [Record.CheckContent] admit one that
//     arrived (the reader's side): nothing is repaired.
//   - [Canonical] and [CheckCanonical] are the canonical forms (section 4.2).
//   - [Validate] checks a stored record from itself and its direct references and
//     says where a fault lies (section 4.4).
//
// A content hash is integrity, not confidentiality: who holds it can confirm a
// guess of a short content (section 7), also after the content was erased.
// Content that is sensitive is encrypted before it becomes a record.
package record

import (
	"crypto/sha256"

	"consilience/identity"
	"consilience/reason"
	"consilience/wire"
)

// Content is what is told apart when contents are compared: a kind and the hash
// of the canonical form. The text "1" and the structured 1 share a hash and are
// two contents.
type Content struct {
	Kind Kind
	Hash Hash
}

// Pair is a relational hash pair: a version-specific record id and the content
// hash of that record when the pair was written (section 4.3).
type Pair struct {
	Record ID
	Hash   Hash
}

// Record is a memory record. All fields but Content and Erased are read from
// Forward and covered by ID; a Record is never changed after it was made.
type Record struct {
	// ID is HASH("NHE-MEMORY-RECORD-v1" || 0x00 || Forward).
	ID ID
	// Kind is the kind of the content.
	Kind Kind
	// ContentHash is HASH(CANON(content)).
	ContentHash Hash
	// Pairs are the direct references, in the writer's order.
	Pairs []Pair
	// Contributor is who wrote the record.
	Contributor identity.ID
	// WrittenAt is the writer's time in Unix milliseconds, at most 2^53-1.
	WrittenAt uint64
	// Form names the canonical form, as [FormText].
	Form string
	// Forward is the encoded forward part.
	Forward []byte
	// Content is the content in its canonical form; nil when Erased.
	Content []byte
	// Erased says that the content was erased and travels as null.
	Erased bool
}

// New canonicalises content and returns the record of it that by wrote at
// writtenAt (Unix milliseconds). It returns [reason.ContentInvalid] or
// [reason.NestingTooDeep] for a content that has no canonical form, and
// [reason.OutOfRange] for a kind or time outside its range. The record keeps no
// reference to content or pairs.
func New(kind Kind, content []byte, pairs []Pair, by identity.ID, writtenAt uint64) (Record, error) {
	canonical, err := Canonical(kind, content)
	if err != nil {
		return Record{}, err
	}
	if writtenAt > wire.MaxUint {
		return Record{}, reason.New(reason.OutOfRange, "written at %d is beyond 2^53-1", writtenAt)
	}
	r := Record{
		Kind: kind, ContentHash: HashOf(canonical), Pairs: append([]Pair{}, pairs...),
		Contributor: by, WrittenAt: writtenAt, Form: kind.Form(), Content: canonical,
	}
	r.Forward = r.encodeForward()
	r.ID = idOf(r.Forward)
	return r, nil
}

// HashOf is the content hash of a content in its canonical form: its SHA-256.
func HashOf(canonical []byte) Hash { return sha256.Sum256(canonical) }

// Is returns the content that the record states.
func (r Record) Is() Content { return Content{r.Kind, r.ContentHash} }

// CheckContent refuses a record whose content is not the one that its forward
// part states: [reason.FormUnsupported] for a form that this build does not know
// or that is not one of the kind, the refusals of [CheckCanonical], and
// [reason.ContentHashMismatch]. An erased record has nothing to check and is
// refused with [reason.ErasedContent].
func (r Record) CheckContent() error {
	if r.Erased {
		return reason.New(reason.ErasedContent, "the content was erased")
	}
	if err := checkForm(r.Kind, r.Form); err != nil {
		return err
	}
	if err := CheckCanonical(r.Kind, r.Content, Limits{}); err != nil {
		return err
	}
	if HashOf(r.Content) != r.ContentHash {
		return reason.New(reason.ContentHashMismatch, "the content does not have the stated hash")
	}
	return nil
}
