package postgres

import (
	"context"
	"math"

	"github.com/jackc/pgx/v5"

	"consilience/internal/failpoint"
	"consilience/merge"
	"consilience/record"
)

// Write writes a plan: one round trip, one statement for each kind of row. Writing
// the same plan twice leaves what writing it once does; nothing of it is there
// before [Tx.Commit].
func (t *Tx) Write(ctx context.Context, plan *merge.Plan) error {
	w := &writing{plan: plan, space: plan.Space.Num, partition: t.partition, fresh: t.fresh}
	w.index()
	if err := w.readSplitContents(ctx, t.tx); err != nil {
		return err
	}
	w.spaceState()
	alone := w.batch.Len()
	for _, part := range []func(){
		w.records, w.items, w.contents, w.statements, w.moves, w.holders, w.claims,
		w.reputations, w.histories, w.deltas, w.reads, w.judgements, w.similar, w.erasures, w.results,
	} {
		part()
	}
	if w.batch.Len() > alone {
		t.wrote[w.space] = true
	}
	failpoint.Hit("write")
	return t.tx.SendBatch(ctx, &w.batch).Close()
}

// Reject keeps rejections that belong to no space.
func (t *Tx) Reject(ctx context.Context, rows []merge.Rejection) error {
	w := &writing{plan: &merge.Plan{Rejections: rows}, partition: t.partition}
	w.results()
	return t.tx.SendBatch(ctx, &w.batch).Close()
}

// writing is one Write: the plan and the batch that it becomes.
type writing struct {
	plan      *merge.Plan
	space     int32
	partition int
	fresh     bool // each item changes once by these entries
	batch     pgx.Batch
	numbers   map[record.Content]merge.RecordNo // of contents that this plan makes
	bodies    map[merge.RecordNo][]byte         // contents of founding records, for their claims
}

// queue adds a statement unless it has no rows.
func queue[R any](w *writing, name string, t *table[R]) {
	if len(t.rows) > 0 {
		w.batch.Queue(query(name), t.args...)
	}
}

// index finds the number of each new content, which is that of its first record,
// and the bodies of founding records.
func (w *writing) index() {
	w.numbers = make(map[record.Content]merge.RecordNo, len(w.plan.NewContents))
	w.bodies = make(map[merge.RecordNo][]byte, len(w.plan.NewRecords))
	for _, c := range w.plan.NewContents {
		w.numbers[c.Content] = math.MaxInt64
	}
	for _, r := range w.plan.NewRecords {
		if first, ok := w.numbers[r.Record.Is()]; ok && r.No < first {
			w.numbers[r.Record.Is()] = r.No
		}
		w.bodies[r.No] = r.Record.Content
	}
}

// readSplitContents reads the content of items that a split founds on records
// which the store has already. There seldom are any.
func (w *writing) readSplitContents(ctx context.Context, tx pgx.Tx) error {
	var missing []int64
	for _, it := range w.plan.NewItems {
		if _, ok := w.bodies[merge.RecordNo(it.No)]; !ok && it.Content.Kind == record.Structured {
			missing = append(missing, int64(it.No))
		}
	}
	if len(missing) == 0 {
		return nil
	}
	rows, err := tx.Query(ctx, query("split_contents"), w.space, missing)
	if err != nil {
		return err
	}
	var no int64
	var content []byte
	_, err = pgx.ForEachRow(rows, []any{&no, &content}, func() error {
		w.bodies[merge.RecordNo(no)] = content
		return nil
	})
	return err
}

func (w *writing) spaceState() {
	if s := w.plan.Space; s.Num != 0 {
		w.batch.Queue(query("write_space_state"), s.Num, int64(s.LastSeq), int64(s.Time), s.FirstDelta, s.ReputationPolicy)
	}
}
