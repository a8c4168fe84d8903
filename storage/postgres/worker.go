package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// Partitions is the number of partitions of the log.
const Partitions = 16

// Roster is who lives, and who owns what.
type Roster struct {
	Workers []string           // names of the living, sorted
	Owners  [Partitions]string // living owner of each partition, "" for none
}

// Beat says that worker lives and returns who lives and who owns what now. A worker
// that was silent for 3 s, by the clock of Postgres, is dead, and so is its hold on
// partitions that it did not commit to since. Positions are not touched: their rows
// are for whoever merges.
func (s *Store) Beat(ctx context.Context, worker string) (Roster, error) {
	var b pgx.Batch
	b.Queue(query("worker_beat"), worker)
	b.Queue(query("worker_bury"))
	var r Roster
	b.Queue(query("worker_living")).Query(func(rows pgx.Rows) (err error) {
		r.Workers, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	})
	b.Queue(query("worker_owners")).Query(func(rows pgx.Rows) error {
		var k int
		var owner string
		_, err := pgx.ForEachRow(rows, []any{&k, &owner}, func() error {
			r.Owners[k] = owner
			return nil
		})
		return err
	})
	return r, s.pool.SendBatch(ctx, &b).Close()
}

// Claim takes a partition that nobody alive owns. It reports false if somebody
// does, or if its row is locked.
func (s *Store) Claim(ctx context.Context, worker string, partition int) (bool, error) {
	tag, err := s.pool.Exec(ctx, query("worker_claim"), partition, worker)
	return tag.RowsAffected() == 1, err
}

// Release gives a partition back, if worker owns it.
func (s *Store) Release(ctx context.Context, worker string, partition int) error {
	_, err := s.pool.Exec(ctx, query("worker_release"), partition, worker)
	return err
}

// Leave forgets the worker and gives back all that it owns.
func (s *Store) Leave(ctx context.Context, worker string) error {
	var b pgx.Batch
	b.Queue(query("worker_leave"), worker)
	b.Queue(query("worker_release_all"), worker)
	return s.pool.SendBatch(ctx, &b).Close()
}
