package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"consilience/internal/failpoint"
	"consilience/reason"
)

// Position is how far a partition is merged: everything up to Seq, and nothing
// above it, is in the store.
type Position struct {
	Partition int
	Seq       uint64    // last entry merged, 0 for none
	Hash      [32]byte  // of that entry as it stands on the log, zero for none
	Owner     string    // worker that reads the partition, a hint; "" for none
	SeenAt    time.Time // when the owner last said so, by the clock of Postgres
	Stopped   string    // why the partition stands still, "" while it does not
}

// Tx is the transaction of one batch of one partition. It is for one goroutine.
type Tx struct {
	tx        pgx.Tx
	pool      *pgxpool.Pool  // for reads besides; nil if tx sees a snapshot of its own
	wrote     map[int32]bool // spaces of which tx sees rows that are not committed
	beat      time.Duration  // at which it shows that its owner lives while another connection works
	fresh     bool           // a sweep is under way that began before any such row of its space
	partition int
	worker    string
}

// Begin opens the transaction of a batch. The first thing it does is to lock the
// partition's position row, without waiting: [reason.PartitionHeld] if another
// transaction has it. The position returned is the one under the lock. The server
// ends the transaction by itself if its owner falls silent
// ([Options.IdleInTransaction]).
func (s *Store) Begin(ctx context.Context, partition int, worker string) (*Tx, Position, error) {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return nil, Position{}, err
	}
	p, err := scanPosition(tx.QueryRow(ctx, query("position_lock"), partition))
	if err != nil {
		tx.Rollback(context.WithoutCancel(ctx))
		if errors.Is(err, pgx.ErrNoRows) {
			err = reason.New(reason.PartitionHeld, "partition %d is being merged by another worker", partition)
		}
		return nil, Position{}, err
	}
	return &Tx{tx: tx, pool: s.pool, wrote: map[int32]bool{}, beat: s.beat, partition: partition, worker: worker}, p, nil
}

// Peek opens a transaction that reads one snapshot and can write nothing. It holds
// no position.
func (s *Store) Peek(ctx context.Context) (*Tx, error) {
	tx, err := s.pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return nil, err
	}
	return &Tx{tx: tx}, nil
}

// Empty reports whether nothing was ever merged: no fact, and no position moved.
func (s *Store) Empty(ctx context.Context) (empty bool, err error) {
	err = s.pool.QueryRow(ctx, query("store_empty")).Scan(&empty)
	return empty, err
}

func scanPosition(row pgx.Row) (Position, error) {
	var p Position
	var hash []byte
	var seen *time.Time
	err := row.Scan(&p.Partition, &p.Seq, &hash, &p.Owner, &seen, &p.Stopped)
	copy(p.Hash[:], hash)
	if seen != nil {
		p.SeenAt = *seen
	}
	return p, err
}

// Commit moves the position from from to to, if it still is from, as the last
// statement, and commits. It returns [reason.PartitionHeld] if the position is not
// from: another worker merged meanwhile. If it returns any error the batch is in the store whole or not at all,
// and the position says which.
func (t *Tx) Commit(ctx context.Context, from, to Position) error {
	tag, err := t.tx.Exec(ctx, query("position_advance"), t.partition, int64(from.Seq), from.Hash[:], int64(to.Seq), to.Hash[:], t.worker)
	if err != nil {
		return err
	}
	if tag.RowsAffected() != 1 {
		return reason.New(reason.PartitionHeld, "partition %d is no longer at %d", t.partition, from.Seq)
	}
	failpoint.Hit("positioned")
	if err := t.tx.Commit(ctx); err != nil {
		return &commitError{err}
	}
	return nil
}

// Rollback gives the transaction up. It may be called after Commit, where it does
// nothing, and works when ctx has ended.
func (t *Tx) Rollback(ctx context.Context) { t.tx.Rollback(context.WithoutCancel(ctx)) }

// Position reads the position of a partition without a lock.
func (s *Store) Position(ctx context.Context, partition int) (Position, error) {
	return scanPosition(s.pool.QueryRow(ctx, query("position"), partition))
}

// Positions reads the positions of all partitions, in their order.
func (s *Store) Positions(ctx context.Context) ([]Position, error) {
	rows, err := s.pool.Query(ctx, query("positions"))
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (Position, error) { return scanPosition(row) })
}

// SetStopped keeps why a partition stands still, "" when it goes on.
func (s *Store) SetStopped(ctx context.Context, partition int, why string) error {
	_, err := s.pool.Exec(ctx, query("position_stop"), partition, why)
	return err
}
