package postgres

import (
	"context"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"

	"consilience/lineage"
	"consilience/merge"
)

// DefaultChunk is how many items a sweep holds in memory at once.
const DefaultChunk = 10_000

// Sweep calls each with the items, loaded with all but their holders, that a sweep
// touches, in ascending number and at most chunk at a time ([DefaultChunk] if chunk is 0).
// each may Write. The items are those at the call: what each writes moves none in
// or out. Readers are not blocked: rows are locked, tables never.
//
// A quarantine or a release also spreads or lifts the taint of records, see
// [Tx.Taint].
func (t *Tx) Sweep(ctx context.Context, space int32, s merge.Sweep, chunk int, each func([]*merge.Item) error) error {
	if chunk <= 0 {
		chunk = DefaultChunk
	}
	if s.Cause == "quarantine" || s.Cause == "release" {
		if err := t.Taint(ctx, space, s.Nodes, s.Seq); err != nil {
			return err
		}
	}
	if err := t.declare(ctx, space, s); err != nil {
		return err
	}
	for {
		numbers, err := t.fetch(ctx, chunk)
		if err != nil {
			return err
		}
		if len(numbers) == 0 {
			_, err := t.tx.Exec(ctx, query("sweep_close"))
			return err
		}
		if err := t.sweepChunk(ctx, space, numbers, each); err != nil {
			return err
		}
	}
}

// declare opens a cursor over the numbers of the items. It sees the store as it is
// now, whatever is written while it is read.
func (t *Tx) declare(ctx context.Context, space int32, s merge.Sweep) error {
	var err error
	if s.All {
		_, err = t.tx.Exec(ctx, query("sweep_all"), pgx.QueryExecModeExec, space)
	} else {
		_, err = t.tx.Exec(ctx, query("sweep_contributors"), pgx.QueryExecModeExec, space, column(s.Nodes, nodeNumber))
	}
	return err
}

func (t *Tx) fetch(ctx context.Context, chunk int) ([]int64, error) {
	// FETCH takes no parameter for its count.
	rows, err := t.tx.Query(ctx, query("sweep_fetch")+strconv.Itoa(chunk)+" FROM sweep", pgx.QueryExecModeExec)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}

func (t *Tx) sweepChunk(ctx context.Context, space int32, numbers []int64, each func([]*merge.Item) error) error {
	byNumber, err := loadItems(ctx, t.tx, space, numbers, false)
	if err != nil {
		return err
	}
	items := make([]*merge.Item, 0, len(byNumber))
	for _, it := range byNumber {
		items = append(items, it)
	}
	slices.SortFunc(items, func(a, b *merge.Item) int { return int(a.No - b.No) })
	return each(items)
}

// Taint brings the taint of records in line with the quarantines in force at seq:
// a record is tainted if it refers, at any depth, to one that a quarantine masks;
// the pair of a modification to what it corrects does not taint. Only records that
// refer to one of nodes, at any depth, are looked at: those whose mask changed.
func (t *Tx) Taint(ctx context.Context, space int32, nodes []lineage.Node, seq uint64) error {
	_, err := t.tx.Exec(ctx, query("taint"), space, column(nodes, nodeNumber), int64(seq))
	return err
}
