package postgres

import (
	"context"
	"strconv"

	"github.com/jackc/pgx/v5"

	"consilience/lineage"
	"consilience/merge"
)

// DefaultChunk is how many items a sweep holds in memory at once.
const DefaultChunk = 10_000

// Sweep calls each with the items that a sweep touches, in ascending number and at
// most chunk at a time ([DefaultChunk] if chunk is 0). They are loaded with what a
// recomputation looks at: all but their holders and the contents of items without a
// judgement. each may Write. The items are those at the call: what each writes
// moves none in or out. Readers are not blocked: rows are locked, tables never.
//
// Items of a space to which the transaction has written nothing yet are read ahead,
// by a second connection, while each works.
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
	c := &cursor{tx: t.tx, space: space, sweep: s, chunk: chunk}
	if second := t.second(ctx, space); second != nil {
		defer second.Rollback(context.WithoutCancel(ctx))
		c.tx, t.fresh = second, true
		defer func() { t.fresh = false }()
		return t.readAhead(ctx, c, each)
	}
	for {
		items, err := c.next(ctx)
		if err != nil {
			return err
		}
		if len(items) == 0 {
			_, err := t.tx.Exec(ctx, query("sweep_close"))
			return err
		}
		if err := each(items); err != nil {
			return err
		}
	}
}

// cursor reads the items of a sweep.
type cursor struct {
	tx    pgx.Tx
	space int32
	sweep merge.Sweep
	chunk int
	open  bool
}

// declare opens the cursor. It sees the items as they are now, whatever is written
// while it is read.
func (c *cursor) declare(ctx context.Context) (err error) {
	if c.open {
		return nil
	}
	c.open = true
	if c.sweep.All {
		_, err = c.tx.Exec(ctx, query("sweep_all"), pgx.QueryExecModeExec, c.space)
	} else {
		_, err = c.tx.Exec(ctx, query("sweep_contributors"), pgx.QueryExecModeExec, c.space, column(c.sweep.Nodes, nodeNumber))
	}
	return err
}

// next returns the next items, none at the end.
func (c *cursor) next(ctx context.Context) ([]*merge.Item, error) {
	if err := c.declare(ctx); err != nil {
		return nil, err
	}
	a := newAssembly(c.chunk)
	// FETCH takes no parameter for its count.
	rows, err := c.tx.Query(ctx, query("sweep_fetch")+strconv.Itoa(c.chunk)+" FROM sweep", pgx.QueryExecModeCacheDescribe)
	if err != nil {
		return nil, err
	}
	if err := a.scanItems(rows); err != nil || len(a.order) == 0 {
		return nil, err
	}
	numbers := column(a.order, func(it *merge.Item) int64 { return int64(it.No) })
	judged := column(a.order, func(it *merge.Item) bool { return it.Verdict != merge.Unjudged })
	rows, err = c.tx.Query(ctx, query("load_statements"), c.space, numbers, judged)
	if err != nil {
		return nil, err
	}
	return a.order, a.scanStatements(rows)
}

// Taint brings the taint of records in line with the quarantines in force at seq:
// a record is tainted if it refers, at any depth, to one that a quarantine masks;
// the pair of a modification to what it corrects does not taint. Only records that
// refer to one of nodes, at any depth, are looked at: those whose mask changed.
func (t *Tx) Taint(ctx context.Context, space int32, nodes []lineage.Node, seq uint64) error {
	_, err := t.tx.Exec(ctx, query("taint"), space, column(nodes, nodeNumber), int64(seq))
	return err
}
