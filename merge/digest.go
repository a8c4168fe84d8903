package merge

import (
	"bytes"
	"crypto/sha256"
	"hash"

	"consilience/fleet"
	"consilience/identity"
	"consilience/lineage"
	"consilience/reason"
	"consilience/record"
	"consilience/wire"
)

// The digest of a space is SHA-256 over its lines, each the deterministic CBOR of
// [tag, fields], in bytewise order (rulings Q23). It covers all that later entries
// or readers can see: items, statements, holders, reputations, judgements,
// exposures and used sequences. It covers no contents, surrogates, history or
// outcomes; contributors are named by their ids. Storage feeds the lines of its
// tables, tests those of an in-memory state, through the one [Digester].
//
// Within a tag the order of lines is that of their first fields, which are named
// in each type's comment.

// Line is one row of a digest.
type Line interface{ tag() uint64 }

// ItemLine is an item, by ID.
type ItemLine struct {
	_          struct{} `cbor:",toarray"`
	ID         record.ItemID
	Founded    uint64
	Kind       record.Kind // of its founding content
	Hash       record.Hash
	ClaimKey   []byte // 32 bytes, or none
	ClaimValue []byte
	Confidence uint32
	Support    uint32
	Doubt      uint32
	Groups     uint32
	Status     Status
	Verdict    Verdict
	Head       record.ID
}

// StatementLine is a statement, by Item, Contributor, Sequence, Index.
type StatementLine struct {
	_           struct{} `cbor:",toarray"`
	Item        record.ItemID
	Contributor identity.ID
	Sequence    uint64
	Index       uint16
	Seq         uint64
	Side        Side
	Value       uint32
	Reputation  uint32
	Depth       uint8
	Proven      bool
	Echo        bool
	Record      []byte      // 32 bytes, or none for a doubt
	Kind        record.Kind // of the content; 0 for a doubt
	Hash        []byte      // 32 bytes, or none for a doubt
}

// HolderLine is a holder of a content, by Kind, Hash, Contributor. Its group is a
// lineage's root, or an origin, or with neither the newcomer pool.
type HolderLine struct {
	_            struct{} `cbor:",toarray"`
	Kind         record.Kind
	Hash         record.Hash
	Contributor  identity.ID
	Root         []byte // 32 bytes, or none
	Origin       string
	Credit       bool
	Corroborated bool
	Blamed       bool
}

// ReputationLine is a contributor's state in the space, by Contributor.
type ReputationLine struct {
	_            struct{} `cbor:",toarray"`
	Contributor  identity.ID
	R0           uint32
	Confirmed    uint32
	Contradicted uint32
	Corroborated uint32
	Accepted     uint32
	Window       []bool
	Locks        uint32
	Left         uint32
	Averages     [3]uint32
}

// JudgementLine is the judgement in force of a content, by Kind, Hash.
type JudgementLine struct {
	_       struct{} `cbor:",toarray"`
	Kind    record.Kind
	Hash    record.Hash
	Verdict Verdict
	Seq     uint64
	Record  record.ID
}

// ExposureLine says when a content was first shown to a lineage, by Root, Kind,
// Hash.
type ExposureLine struct {
	_    struct{} `cbor:",toarray"`
	Root identity.ID
	Kind record.Kind
	Hash record.Hash
	Seq  uint64
}

// SequenceLine is a used sequence number, by Contributor, Sequence.
type SequenceLine struct {
	_           struct{} `cbor:",toarray"`
	Contributor identity.ID
	Sequence    uint64
}

// The tags, which order the kinds of line.
func (ItemLine) tag() uint64       { return 1 }
func (StatementLine) tag() uint64  { return 2 }
func (HolderLine) tag() uint64     { return 3 }
func (ReputationLine) tag() uint64 { return 4 }
func (JudgementLine) tag() uint64  { return 5 }
func (ExposureLine) tag() uint64   { return 6 }
func (SequenceLine) tag() uint64   { return 7 }

// EncodeLine is the bytes of a line.
func EncodeLine(l Line) []byte {
	return wire.Marshal(struct {
		_    struct{} `cbor:",toarray"`
		Tag  uint64
		Line Line
	}{Tag: l.tag(), Line: l})
}

// Digester computes a digest from lines in order. The zero value is ready.
type Digester struct {
	sum  hash.Hash
	last []byte
}

// Add adds the next line. It returns [reason.NotCanonical] for one that does not
// come after the line before it.
func (d *Digester) Add(l Line) error { return d.add(EncodeLine(l)) }

func (d *Digester) add(encoded []byte) error {
	if bytes.Compare(encoded, d.last) <= 0 {
		return reason.New(reason.NotCanonical, "digest lines are not in bytewise order, each once")
	}
	if d.sum == nil {
		d.sum = sha256.New()
	}
	d.sum.Write(encoded)
	d.last = encoded
	return nil
}

// Sum returns the digest of the lines added.
func (d *Digester) Sum() [32]byte {
	if d.sum == nil {
		return wire.Hash()
	}
	return [32]byte(d.sum.Sum(nil))
}

// GroupLine names a holder's group as a [HolderLine] does.
func GroupLine(v fleet.View, g lineage.Group) (root []byte, origin string) {
	switch {
	case g > 0:
		id := v.ID(lineage.Node(g))
		return id[:], ""
	case g < 0:
		return nil, v.Lineage().Origin(g)
	}
	return nil, ""
}
