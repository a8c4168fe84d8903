package reconcile

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"consilience/internal/failpoint"
	"consilience/merge"
	"consilience/reason"
)

// merge merges entries that follow pos and returns the new position. An error
// that comes back with the same entries is narrowed down by halves, each its own
// transaction, so that all before the one that fails are merged; then the
// partition stops. It is never set aside: what failed there is our fault or the
// machine's, since a fault of the entry is an outcome and not an error.
func (p *partition) merge(ctx context.Context, pos Position, entries []merge.Entry) (Position, error) {
	next, err := p.transact(ctx, pos, entries)
	if err == nil || p.passes(ctx, err) {
		return next, err
	}
	if p.store.Fault(err) == FaultGround {
		return pos, reason.Wrap(reason.PartitionHalted, err, "the store cannot take sequence %d", entries[0].Seq).
			Advise("mend the database; the partition goes on by itself")
	}
	if len(entries) == 1 {
		return pos, reason.Wrap(reason.PartitionHalted, err, "sequence %d fails every time", entries[0].Seq).
			Advise("mend the cause; the partition goes on by itself")
	}
	half := len(entries) / 2
	if pos, err = p.merge(ctx, pos, entries[:half]); err != nil {
		return pos, err
	}
	return p.merge(ctx, pos, entries[half:])
}

// passes reports whether err says nothing about the entries.
func (p *partition) passes(ctx context.Context, err error) bool {
	switch reason.Of(err) {
	case reason.PartitionHeld, reason.Unreachable, reason.TimedOut:
		return true
	}
	return ctx.Err() != nil || err == errMoved || p.store.Fault(err) == FaultPassing
}

// transact merges entries in one transaction.
func (p *partition) transact(ctx context.Context, pos Position, entries []merge.Entry) (Position, error) {
	findings, err := p.findings(ctx, entries)
	committed := false
	defer func() {
		for _, f := range findings {
			f.End(committed)
		}
	}()
	if err != nil {
		return pos, err
	}
	began := time.Now()
	select {
	case p.gate <- struct{}{}:
		defer func() { <-p.gate }()
	case <-ctx.Done():
		return pos, ctx.Err()
	}
	tx, held, err := p.begin(ctx)
	if err != nil {
		return pos, err
	}
	defer tx.Rollback(context.WithoutCancel(ctx))
	failpoint.Hit("begun")
	if held.Seq != pos.Seq || held.Hash != pos.Hash {
		return held, errMoved
	}
	b := batch{Worker: p.Worker, tx: tx, partition: p.number, findings: findings}
	if err := b.run(ctx, entries); err != nil {
		return pos, err
	}
	failpoint.Hit("written")
	last := entries[len(entries)-1]
	to := Position{Partition: p.number, Seq: last.Seq, Hash: last.Hash}
	if err := tx.Commit(ctx, held, to); err != nil {
		return pos, err
	}
	committed = true
	p.merged = to.Seq
	failpoint.Hit("committed")
	p.report(ctx, &b, entries, time.Since(began))
	p.outcomes.wake(p.number)
	return to, nil
}

// heldTries is how often a position row that is locked is tried before the session
// ends: a heartbeat or a reader's update holds it for a moment, another worker for
// a whole batch.
const heldTries = 8

// begin opens the transaction of a batch.
func (p *partition) begin(ctx context.Context) (Tx, Position, error) {
	retry := backoff{first: 2 * time.Millisecond, most: 50 * time.Millisecond}
	for try := 1; ; try++ {
		tx, held, err := p.store.Begin(ctx, p.number, p.cfg.Name)
		if reason.Of(err) != reason.PartitionHeld || try == heldTries || ctx.Err() != nil {
			return tx, held, err
		}
		retry.wait(ctx)
	}
}

// report counts what a committed batch did and says it.
func (p *partition) report(ctx context.Context, b *batch, entries []merge.Entry, took time.Duration) {
	p.metrics.merged(b, entries, took, p.cfg.Clock.Now())
	for _, r := range b.rejections {
		p.logger.InfoContext(ctx, "rejected", "partition", p.number, "seq", r.Seq, "reason", r.Reason)
	}
	p.logger.LogAttrs(ctx, slog.LevelDebug, "merged", slog.Int("partition", p.number),
		slog.Uint64("seq", entries[len(entries)-1].Seq), slog.Int("entries", len(entries)),
		slog.Int64("duration_ms", took.Milliseconds()))
}

// guard turns a panic of the core into an error of the entry, so that it stops
// one partition and not the process.
func guard(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("merging panicked: %v", r)
	}
}

// batch is one transaction in the making.
type batch struct {
	*Worker
	tx         Tx
	partition  int
	outcomes   []merge.Outcome
	rejections []merge.Rejection
	statements int               // merged
	findings   map[int32]Finding // by space
}
