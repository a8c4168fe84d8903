package merge

import (
	"slices"

	"consilience/record"
)

// keep makes a record known and returns its number. One that is there already is
// not rewritten (N-12).
func (p *proposal) keep(it *Item, r record.Record, corrects *Item) RecordNo {
	if known := p.records[r.ID]; known != nil {
		return known.No
	}
	kept := &RecordState{
		No: RecordNo(number(p.seq, p.index)), ID: r.ID, Content: r.Is(), Contributor: p.speaker.node,
		Seq: p.seq, Item: it.No, Erased: r.Erased,
	}
	p.records[r.ID] = kept
	if p.kept == nil {
		p.kept = map[record.ID]*Item{}
	}
	p.kept[r.ID] = corrects
	return kept.No
}

// refer keeps the pairs of the new records, in the order in which they travel: a
// pair names what stands earlier there.
func (p *proposal) refer() {
	plan := &p.changes.plan
	plan.NewRecords = slices.Grow(plan.NewRecords, len(p.kept))
	for _, id := range p.body.Order {
		corrects, isNew := p.kept[id]
		if !isNew {
			continue
		}
		r, kept := p.body.Records[id], p.records[id]
		for _, pair := range r.Pairs {
			kept.Tainted = p.referTo(p.records[pair.Record], kept, corrects) || kept.Tainted
		}
		plan.NewRecords = append(plan.NewRecords, NewRecord{RecordState: *kept, Record: r})
	}
}

// referTo keeps one pair as a back-reference and reports whether it taints: the
// earlier record is tainted itself or masked. The pair of a modification to what
// it corrects does not.
func (p *proposal) referTo(earlier, later *RecordState, corrects *Item) bool {
	corrected := corrects != nil && earlier.Item == corrects.No
	p.changes.plan.BackReferences = append(p.changes.plan.BackReferences, BackReference{
		Record: earlier.No, Later: later.No, LaterHash: later.Content.Hash, Corrects: corrected,
	})
	return !corrected && (earlier.Tainted || p.lineage.Masked(earlier.Contributor, earlier.Seq))
}
