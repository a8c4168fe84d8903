package merge

import (
	"consilience/lineage"
	"consilience/record"
)

// ItemNo and RecordNo are surrogates that the merge gives, functions of the log:
// the sequence of the entry, shifted left by [NumberBits], plus the index of the
// statement in its delta, from 1. A founding record has its item's number.
type (
	ItemNo   int64
	RecordNo int64
)

// NumberBits is the room for a statement's index in a surrogate.
const NumberBits = 14

func number(seq uint64, index int) int64 { return int64(seq)<<NumberBits | int64(index) }

// Item is what a space holds to be one piece of knowledge, loaded whole.
type Item struct {
	No      ItemNo
	ID      record.ItemID  // the id of its founding record
	Founded uint64         // sequence of the entry that founded it
	Content record.Content // of the founding record
	Claim   *ClaimHashes   // nil: no claim, or a many-valued predicate when it was founded

	Confidence uint32 // ppm, at most 999000
	Support    uint32 // S, ppm
	Doubt      uint32 // D, ppm
	Groups     uint32 // counted groups: support of at least near_zero
	Status     Status
	Verdict    Verdict  // newest judgement of any content of it
	Head       RecordNo // what is shown, recalled, exported
	Supporters uint32   // contributors whose unmasked stance is a first-hand support
	Doubters   uint32   // contributors whose unmasked stance is a doubt
	Created    uint64   // Unix milliseconds, by the space's time
	Updated    uint64   // Unix milliseconds, by the space's time
	Revision   uint64   // sequence of the last entry that changed it

	Statements []*Statement    // every one ever made, in any order
	Contents   []*ContentState // those that join here, in any order

	mark    mark
	touched uint64 // sequence of the last entry that touched it here
}

// ClaimHashes are the digests of a claim's key and value (rulings Q18).
type ClaimHashes struct{ Key, Value [32]byte }

// Status says whether an item is masked.
type Status uint8

// Statuses.
const (
	Active Status = iota
	Quarantined
)

// String is the status as readers see it.
func (s Status) String() string { return [...]string{"active", "quarantined"}[s&1] }

// Verdict is an operator's newest judgement.
type Verdict uint8

// Verdicts.
const (
	Unjudged Verdict = iota
	Confirmed
	Contradicted
)

// String is the verdict as readers see it, "" for none.
func (v Verdict) String() string { return [...]string{"", "confirmed", "contradicted", ""}[v&3] }

// Side is which way a statement speaks.
type Side uint8

// Sides.
const (
	Support Side = iota
	Doubt
)

// String is the side as readers see it.
func (s Side) String() string { return [...]string{"support", "doubt"}[s&1] }

// Statement is one contributor's word on one item. (Contributor, Sequence, Index)
// is unique in a space. A contributor's newest unmasked one is its stance.
type Statement struct {
	Item        ItemNo
	Contributor lineage.Node
	Sequence    uint64 // the contributor's own
	Index       uint16 // in its delta, from 1: new, then modified, then absent
	Seq         uint64 // of the log
	Side        Side
	Value       uint32 // base confidence or strength, ppm
	Reputation  uint32 // as at the merge, ppm
	Depth       uint8  // as at the merge
	Proven      bool   // as at the merge
	Echo        bool   // repeats what its lineage was shown
	Record      RecordNo
	RecordID    record.ID
	Content     record.Content // of a support

	Effective uint32 // what it weighs or would weigh, ppm; derived
	Counted   Reason // why it does not count; derived

	mark mark
}

// Reason says why a statement does not count.
type Reason uint8

// Reasons (rulings "why_not_counted"). A locked or near-zero stance still adds
// its small weight; it is no counted group.
const (
	Counts    Reason = iota
	Echo             // repeats what a projection showed its lineage
	SameGroup        // a stronger one of its group counts, or 64 groups do
	InPool           // a stronger one of the newcomer pool counts
	Masked           // under a quarantine
	Locked           // its contributor is locked
	NearZero         // below the near-zero threshold
	Withdrawn        // a newer statement of its contributor stands
)

var reasonNames = [...]string{"", "echo", "same_group", "pool", "masked", "locked", "near_zero", "withdrawn"}

// String is the reason as readers see it, "" where it counts.
func (r Reason) String() string {
	if int(r) < len(reasonNames) {
		return reasonNames[r]
	}
	return ""
}

// Weighs reports whether a stance with this reason enters its item's numbers.
func (r Reason) Weighs() bool { return r == Counts || r == Locked || r == NearZero }
