package merge

import (
	"consilience/command"
	"consilience/identity"
	"consilience/lineage"
	"consilience/record"
	"consilience/reputation"
)

// Plan is everything that changed since the last [State.Drain], in an order that
// is a function of the log. It shares memory with its State: write it before the
// next entry is applied.
//
// A statement is identified by (contributor, sequence, index): a changed one may
// have moved to another item. A holder is identified by (content, contributor).
type Plan struct {
	Space SpaceState
	Times map[uint64]uint64 // the space's time at each entry, Unix milliseconds by sequence

	NewItems, ChangedItems           []*Item         // by number
	NewContents, ChangedContents     []*ContentState // by content
	NewRecords                       []NewRecord     // by number
	BackReferences                   []BackReference
	NewStatements, ChangedStatements []*Statement // by contributor, sequence, index
	NewHolders, ChangedHolders       []HolderRow  // by content, contributor
	Moves                            []Move       // records that a split took along, by content

	Reputations       []ReputationRow // by contributor; the record as it is now
	ReputationHistory []ReputationChange
	ConfidenceHistory []ConfidenceChange // not for the founding

	Deltas     []AppliedDelta
	Exposures  []Exposure // of contributors; the first of each (contributor, content) stands
	Slices     []IssuedSlice
	Judgements []JudgementRow
	Related    []RelatedRow
	Erasures   []Erasure

	Outcomes   []Outcome
	Rejections []Rejection
}

// NewRecord is a record that the log brought for the first time.
type NewRecord struct {
	RecordState
	Record record.Record
}

// BackReference says that a later record holds a pair naming an earlier one.
type BackReference struct {
	Record, Later RecordNo
	LaterHash     record.Hash // content hash of the later one
	Corrects      bool        // the pair of a modification to what it corrects: taints nothing
}

// HolderRow is a holder with its content.
type HolderRow struct {
	Content record.Content
	*Holder
}

// Move says that all records of a content went from one item to another. Their
// support statements are among the changed ones.
type Move struct {
	Content  record.Content
	From, To ItemNo
}

// ReputationRow is a contributor's state in the space, with the value that the
// policy gives, parents and lock included, at the time of the drain.
type ReputationRow struct {
	Contributor lineage.Node
	Record      reputation.Record
	Own         uint32 // ppm, before parents and lock
	Proven      bool
	Locked      bool
}

// ReputationChange is one change of a contributor's own reputation, lock
// included, with its cause. Before is 0 for the first.
type ReputationChange struct {
	Contributor   lineage.Node
	Seq           uint64
	Before, After uint32 // ppm
	Cause         string // "delta", "confirm", "contradict", "enroll"
	CauseID       string // id of the delta or command, as shown
}

// ConfidenceChange is one change of an item's confidence with its cause.
type ConfidenceChange struct {
	Item          ItemNo
	Seq           uint64
	Before, After uint32 // ppm
	Cause         string // kind of the entry
	CauseID       string // id of the delta or command, as shown
}

// Exposure says that a content was emitted to a contributor.
type Exposure struct {
	Root        lineage.Node // the contributor's lineage
	Contributor lineage.Node
	Content     record.Content
	Seq         uint64
	How         string
}

// JudgementRow is an operator's word and what it did.
type JudgementRow struct {
	ID     command.ID
	Kind   command.Kind
	Signer identity.ID
	Record record.ID        // zero for a rival
	Items  [2]record.ItemID // of a rival, else zero
	Reason string           // the operator's words
	Seq    uint64
	Time   uint64 // Unix milliseconds
	Effect string // "applied", or "in_force" for one equal to the judgement in force
	// Envelope is the command as its operator signed it: it proves the row.
	Envelope []byte
}

// RelatedRow says that an item looks like another one and did not join it. It
// stands on the younger item, at most [MaxRelated] found by similarity.
type RelatedRow struct {
	Item, Other ItemNo
	Why         string // check that refused, or one of the rival reasons
}

// MaxRelated is how many similar items are kept per item.
const MaxRelated = 8

// Reasons of a [RelatedRow] that make the two rivals; any other moves no number.
const (
	WhyPolarity = "polarity" // the texts differ in polarity and in nothing else
	WhyDeclared = "declared" // an operator said so
)

// WhySplit relates an item that a split made to the one it was made from.
const WhySplit = "split"

// Erasure says that a content's bytes go, in every place they are kept.
type Erasure struct {
	Content record.Content
	Seq     uint64
}

// Outcome is what became of a delta, as its contributor is told.
type Outcome struct {
	Seq         uint64
	Contributor identity.ID
	Outcome     command.Outcome
}

// Rejection is an entry that changed nothing, and why. The message stays on the log.
type Rejection struct {
	Seq     uint64
	Subject string
	Hash    [32]byte
	Reason  string // stable code, package reason
	Detail  string // never content
	Time    uint64 // Unix milliseconds
}
