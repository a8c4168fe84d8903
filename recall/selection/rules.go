package selection

import (
	"bytes"
	"cmp"

	"consilience/projection"
	"consilience/record"
)

// Statuses under which an item is never delivered, whatever a policy says.
const (
	Quarantined  = "quarantined"
	Contradicted = "contradicted"
)

// Standing is what the store says of a candidate beside its trust. It is the Note
// of a [projection.Candidate], and none of it is signed or leaves.
type Standing struct {
	Item       record.ItemID
	Score      int64  // how well it fits, in the matcher's own unit
	Confidence uint32 // ppm
	Belief     uint32 // ppm
	Status     string // as memory.items shows it
	Tainted    bool   // rests on quarantined records
	Updated    uint64 // Unix milliseconds
}

// Compile is the [projection.Compiler] of a [Policy].
func Compile(policy []byte) (projection.Rules, error) {
	p, err := ParsePolicy(policy)
	if err != nil {
		return nil, err
	}
	return rules{p}, nil
}

// rules are a policy at work.
type rules struct{ Policy }

// Admit implements [projection.Rules]. A candidate without a standing is one that
// nobody vouches for.
func (p rules) Admit(c projection.Candidate) bool {
	s, ok := c.Note.(Standing)
	return ok && s.Status != Quarantined && s.Status != Contradicted && s.Confidence >= p.MinConfidence &&
		s.Updated >= p.UpdatedSince && !(p.DropTainted && s.Tainted) &&
		(p.Authority == AnyTrust || c.Opened.Trust == projection.Trusted)
}

// Compare implements [projection.Rules]. Ties go to what is believed more, then to
// the lower item id, so that one state of the store gives one projection.
func (p rules) Compare(a, b projection.Candidate) int {
	x, y := a.Note.(Standing), b.Note.(Standing)
	first := 0
	switch p.Order {
	case ByRelevance:
		first = cmp.Compare(y.Score, x.Score)
	case ByTime:
		first = cmp.Compare(y.Updated, x.Updated)
	}
	return cmp.Or(first, cmp.Compare(y.Belief, x.Belief), bytes.Compare(x.Item[:], y.Item[:]))
}

// Limits implements [projection.Rules].
func (p rules) Limits() projection.Limits {
	return projection.Limits{
		MaxBytes: p.MaxBytes, MaxObjects: p.MaxObjects, DropDuplicates: p.DropDuplicates, DropImitations: p.DropImitations,
	}
}
