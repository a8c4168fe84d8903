package postgres

import (
	"consilience/command"
	"consilience/merge"
)

// change is one change of a number, of an item or of a contributor.
type change struct {
	of            int64
	seq, at       uint64
	before, after uint32
	cause, id     string
}

// histories writes what changed, one row for each (item or contributor, entry):
// an entry may change a number more than once, such as a judgement that locks.
func (w *writing) histories() {
	confidence := make([]change, len(w.plan.ConfidenceHistory))
	for i, h := range w.plan.ConfidenceHistory {
		confidence[i] = change{int64(h.Item), h.Seq, w.timeOf(h.Seq), h.Before, h.After, h.Cause, h.CauseID}
	}
	statement := "write_confidence_history"
	if w.fresh {
		statement = "append_confidence_history"
	}
	queue(w, statement, changes(columnsOf(collapse(confidence), w.space)))
	reputation := make([]change, len(w.plan.ReputationHistory))
	for i, h := range w.plan.ReputationHistory {
		reputation[i] = change{int64(h.Contributor), h.Seq, w.timeOf(h.Seq), h.Before, h.After, h.Cause, h.CauseID}
	}
	queue(w, "write_reputation_history", changes(columnsOf(collapse(reputation), w.space)))
}

// collapse joins the changes of one number by one entry, in order.
func collapse(rows []change) []change {
	type key struct {
		of  int64
		seq uint64
	}
	at := make(map[key]int, len(rows))
	out := rows[:0]
	for _, r := range rows {
		k := key{r.of, r.seq}
		if i, ok := at[k]; ok {
			out[i].after = r.after
			continue
		}
		at[k] = len(out)
		out = append(out, r)
	}
	return out
}

func changes(t *table[change]) *table[change] {
	return t.
		bigs(func(c change) int64 { return c.of }).
		bigs(func(c change) int64 { return int64(c.seq) }).
		ints(func(c change) int32 { return int32(c.before) }).
		ints(func(c change) int32 { return int32(c.after) }).
		texts(func(c change) string { return c.cause }).
		texts(func(c change) string { return c.id }).
		bigs(func(c change) int64 { return int64(c.at) })
}

// timeOf is the space's time at an entry of the plan, Unix milliseconds.
func (w *writing) timeOf(seq uint64) uint64 {
	if at, ok := w.plan.Times[seq]; ok {
		return at
	}
	return w.plan.Space.Time
}

func (w *writing) deltas() {
	queue(w, "insert_deltas", columnsOf(w.plan.Deltas, w.space).
		ints(func(d merge.AppliedDelta) int32 { return nodeNumber(d.Contributor) }).
		bigs(func(d merge.AppliedDelta) int64 { return int64(d.Sequence) }).
		bytes(func(d merge.AppliedDelta) []byte { return d.ID[:] }).
		bigs(func(d merge.AppliedDelta) int64 { return int64(d.Seq) }).
		bigs(func(d merge.AppliedDelta) int64 { return int64(w.timeOf(d.Seq)) }).
		bytes(func(d merge.AppliedDelta) []byte { return d.Envelope }))
}

// reads writes what was given to contributors: slices and contents.
func (w *writing) reads() {
	queue(w, "insert_exposures", columnsOf(w.plan.Exposures, w.space).
		ints(func(e merge.Exposure) int32 { return nodeNumber(e.Root) }).
		smalls(func(e merge.Exposure) int16 { return int16(e.Content.Kind) }).
		bytes(func(e merge.Exposure) []byte { return e.Content.Hash[:] }).
		ints(func(e merge.Exposure) int32 { return nodeNumber(e.Contributor) }).
		bigs(func(e merge.Exposure) int64 { return int64(e.Seq) }).
		texts(func(e merge.Exposure) string { return e.How }).
		bigs(func(e merge.Exposure) int64 { return int64(w.timeOf(e.Seq)) }))
	queue(w, "insert_slices", columnsOf(w.plan.Slices, w.space).
		bytes(func(s merge.IssuedSlice) []byte { return s.Digest[:] }).
		ints(func(s merge.IssuedSlice) int32 { return nodeNumber(s.Contributor) }).
		bigs(func(s merge.IssuedSlice) int64 { return int64(s.Revision) }).
		bigs(func(s merge.IssuedSlice) int64 { return int64(s.Seq) }))
}

func (w *writing) judgements() {
	queue(w, "insert_judgements", columnsOf(w.plan.Judgements, w.space).
		bytes(func(j merge.JudgementRow) []byte { return j.ID[:] }).
		texts(func(j merge.JudgementRow) string { return string(j.Kind) }).
		bytes(func(j merge.JudgementRow) []byte { return j.Signer[:] }).
		bytes(func(j merge.JudgementRow) []byte {
			if j.Kind == command.KindRival {
				return j.Items[0][:]
			}
			return orNull(j.Record)
		}).
		bytes(func(j merge.JudgementRow) []byte { return orNull(j.Items[1]) }).
		texts(func(j merge.JudgementRow) string { return j.Reason }).
		bigs(func(j merge.JudgementRow) int64 { return int64(j.Seq) }).
		bigs(func(j merge.JudgementRow) int64 { return int64(j.Time) }).
		texts(func(j merge.JudgementRow) string { return j.Effect }).
		bytes(func(j merge.JudgementRow) []byte { return j.Envelope }))
}

// similar writes related items; what is a rival stands in both directions.
func (w *writing) similar() {
	var related, rivals []merge.RelatedRow
	for _, r := range w.plan.Related {
		if r.Why != merge.WhyPolarity && r.Why != merge.WhyDeclared {
			related = append(related, r)
			continue
		}
		rivals = append(rivals, r, merge.RelatedRow{Item: r.Other, Other: r.Item, Why: r.Why})
	}
	queue(w, "insert_related", pairs(columnsOf(related, w.space)))
	queue(w, "insert_rivals", pairs(columnsOf(rivals, w.space)))
}

func pairs(t *table[merge.RelatedRow]) *table[merge.RelatedRow] {
	return t.
		bigs(func(r merge.RelatedRow) int64 { return int64(r.Item) }).
		bigs(func(r merge.RelatedRow) int64 { return int64(r.Other) }).
		texts(func(r merge.RelatedRow) string { return r.Why })
}

// erasures takes contents out of every table that keeps them.
func (w *writing) erasures() {
	if len(w.plan.Erasures) > 0 {
		w.batch.Queue(query("vectors_lock_alone"), w.space)
	}
	erased := columnsOf(w.plan.Erasures, w.space).
		smalls(func(e merge.Erasure) int16 { return int16(e.Content.Kind) }).
		bytes(func(e merge.Erasure) []byte { return e.Content.Hash[:] })
	queue(w, "erase_records", erased)
	queue(w, "erase_claims", erased)
	queue(w, "erase_contents", erased)
	queue(w, "erase_vectors", erased)
}

// results writes what became of the entries.
func (w *writing) results() {
	queue(w, "insert_outcomes", columnsOf(w.plan.Outcomes, w.space, w.partition).
		bigs(func(o merge.Outcome) int64 { return int64(o.Seq) }).
		bytes(func(o merge.Outcome) []byte { return o.Contributor[:] }).
		bytes(func(o merge.Outcome) []byte { return o.Outcome.DeltaID[:] }).
		texts(func(o merge.Outcome) string { return string(o.Outcome.Status) }).
		bytes(func(o merge.Outcome) []byte { return o.Outcome.Encode() }))
	queue(w, "insert_rejections", columnsOf(w.plan.Rejections, w.space).
		bigs(func(r merge.Rejection) int64 { return int64(r.Seq) }).
		texts(func(r merge.Rejection) string { return storable(r.Subject) }).
		bytes(func(r merge.Rejection) []byte { return r.Hash[:] }).
		texts(func(r merge.Rejection) string { return r.Reason }).
		texts(func(r merge.Rejection) string { return storable(r.Detail) }).
		bigs(func(r merge.Rejection) int64 { return int64(r.Time) }))
}
