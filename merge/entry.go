package merge

import (
	"consilience/command"
	"consilience/delta"
	"consilience/fleet"
	"consilience/identity"
	"consilience/record"
)

// Entry is one entry of the log as a space sees it. What can be checked without
// the space's state was checked before: form, limits, that subject and signed
// fields agree, and that the key was in force at this place in the log. A caller
// that found a fault passes the entry all the same, with Refused set.
type Entry struct {
	Seq     uint64   // stream sequence
	Time    uint64   // the stream's timestamp, Unix milliseconds
	Hash    [32]byte // of the message's bytes, kept with a rejection
	Subject string   // as stored, kept with a rejection
	Size    int      // bytes of the message
	Body    Body     // nil where nothing could be decoded; then Refused says why
	Refused error    // what was found before the merge: form, signature, limits
}

// Body is what an entry says: [*DeltaBody], [*JudgementBody], [*ServedBody],
// [*SliceBody] or [*FactBody].
type Body interface{ body() }

// DeltaBody is a delta message that its contributor's current key signed.
type DeltaBody struct {
	delta.Message
	// Elided gives, for records that travel without their erased content, what
	// the merge took from it when it still was there.
	Elided map[record.ID]Elided
}

// Elided is what an elided copy on the log keeps of an erased record.
type Elided struct {
	Item  record.ItemID // the item that the record joined or founded
	Claim *ClaimHashes  // of a founding claim
}

// JudgementBody is an operator's word about one space: confirm, contradict,
// split, rival or erase, signed by an operator key in force.
type JudgementBody struct {
	command.Message
	Signer identity.ID
}

// signed is the command as its operator signed it; a judgement takes one signature.
func (b *JudgementBody) signed() []byte {
	if len(b.Envelopes) == 0 {
		return nil
	}
	return b.Envelopes[0].Raw
}

// ServedBody says what a projection or a record reply emitted to a contributor.
// The service's signature was verified.
type ServedBody struct{ command.Served }

// SliceBody says that a slice was issued. The service's signature was verified.
type SliceBody struct{ delta.SliceIssued }

// FactBody is a fleet fact that the fleet accepted. Facts are entries of every
// space; most change nothing there.
type FactBody struct{ fleet.Effect }

func (*DeltaBody) body()     {}
func (*JudgementBody) body() {}
func (*ServedBody) body()    {}
func (*SliceBody) body()     {}
func (*FactBody) body()      {}
