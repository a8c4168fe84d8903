package merge

import (
	"bytes"

	"consilience/record"
)

// numbers is what a recompute may change of an item.
type numbers struct {
	confidence, support, doubt, groups uint32
	status                             Status
	verdict                            Verdict
	head                               RecordNo
	supporters, doubters               uint32
}

func (it *Item) numbers() numbers {
	return numbers{it.Confidence, it.Support, it.Doubt, it.Groups, it.Status,
		it.Verdict, it.Head, it.Supporters, it.Doubters}
}

// recompute derives an item's numbers from its statements, its contents'
// judgements, the masks and the policy. stated says that the entry spoke about
// the item, which changes it even where no number moves.
func (t *step) recompute(it *Item, stated bool) {
	before := it.numbers()
	standing := t.stances(it)
	supports, doubts := t.counted(standing, Support), t.counted(standing, Doubt)
	it.Support, it.Doubt = Combine(effectives(supports)), Combine(effectives(doubts))
	it.Confidence, it.Status = Confidence(it.Support, it.Doubt), Active
	if t.taken(it) || len(supports) == 0 && t.hidden(it) {
		it.Confidence, it.Status = 0, Quarantined
	}
	it.Groups = 0
	for _, st := range supports {
		if st.Effective >= t.policy.NearZero {
			it.Groups++
		}
	}
	it.Supporters, it.Doubters = sides(standing)
	judged := it.judged()
	it.Verdict = judged.Judgement
	it.Head = t.head(it, judged, supports)
	t.changedFrom(it, before, stated)
}

// changedFrom marks an item that is not what it was and keeps its history.
func (t *step) changedFrom(it *Item, before numbers, stated bool) {
	if !stated && it.numbers() == before {
		return
	}
	it.Updated, it.Revision = t.Space.Time, t.seq
	if it.Confidence != before.confidence && it.Founded != t.seq {
		t.changes.plan.ConfidenceHistory = append(t.changes.plan.ConfidenceHistory, ConfidenceChange{
			Item: it.No, Seq: t.seq, Before: before.confidence, After: it.Confidence, Cause: t.cause, CauseID: t.causeID,
		})
	}
	marked(&it.mark, &t.changes.plan.ChangedItems, it)
}

func effectives(of []*Statement) []uint32 {
	es := make([]uint32, len(of))
	for i, st := range of {
		es[i] = st.Effective
	}
	return es
}

// sides counts the contributors that stand on each side, echoes left out.
func sides(standing []*Statement) (supporters, doubters uint32) {
	for _, st := range standing {
		switch {
		case st.Side == Doubt:
			doubters++
		case !st.Echo:
			supporters++
		}
	}
	return supporters, doubters
}

// hidden reports whether a masked first-hand support carries the item: then, and
// not when all its supporters took back their word, it is quarantined (rulings Q4).
func (t *step) hidden(it *Item) bool {
	for _, st := range it.Statements {
		if st.Side == Support && !st.Echo && st.Counted == Masked {
			return true
		}
	}
	return false
}

// taken reports whether a quarantine by the letter of the draft takes the item:
// the subtree proposed it before the command (rulings Q7).
func (t *step) taken(it *Item) bool {
	for _, q := range t.all {
		for _, st := range it.Statements {
			if st.Side == Support && q.Since <= st.Seq && st.Seq < q.Seq && t.lineage.Descends(st.Contributor, q.Target) {
				return true
			}
		}
	}
	return false
}

// judged returns the content of the item with the newest judgement; an unjudged
// one if there is none.
func (it *Item) judged() *ContentState {
	newest := &ContentState{}
	for _, c := range it.Contents {
		if c.Judgement != Unjudged && c.JudgedSeq >= newest.JudgedSeq {
			newest = c
		}
	}
	return newest
}

// head chooses the record that is shown: of the newest judged content a clean
// record, the judged one if it is clean; else that of the strongest counted
// support; else the founding one.
func (t *step) head(it *Item, judged *ContentState, supports []*Statement) RecordNo {
	if judged.Judgement != Unjudged {
		if st := cleanest(it, judged); st != nil {
			return st.Record
		}
	}
	if len(supports) > 0 {
		return strongest(supports).Record
	}
	for _, st := range it.Statements {
		if st.Side == Support && record.ItemID(st.RecordID) == it.ID {
			return st.Record
		}
	}
	return RecordNo(it.No)
}

// cleanest returns an unmasked statement by the judged record, else by the lowest
// record id of the judged content, or nil.
func cleanest(it *Item, judged *ContentState) (best *Statement) {
	for _, st := range it.Statements {
		if st.Side != Support || st.Content != judged.Content || st.Counted == Masked {
			continue
		}
		if st.RecordID == judged.JudgedRecord {
			return st
		}
		if best == nil || bytes.Compare(st.RecordID[:], best.RecordID[:]) < 0 {
			best = st
		}
	}
	return best
}

// strongest returns the first of the strongest, by the lower record id.
func strongest(supports []*Statement) *Statement {
	best := supports[0]
	for _, st := range supports {
		if st.Effective == best.Effective && bytes.Compare(st.RecordID[:], best.RecordID[:]) < 0 {
			best = st
		}
	}
	return best
}
