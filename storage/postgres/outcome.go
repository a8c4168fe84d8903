package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"consilience/delta"
	"consilience/identity"
)

// Outcome is what became of one delta message, as it is published.
type Outcome struct {
	Seq         uint64
	Contributor identity.ID
	Payload     []byte // the outcome's canonical JSON, wire.md "Not on the log"
	At          time.Time
}

// Unpublished returns the oldest outcomes of a partition that were not yet marked
// as published, at most limit.
func (s *Store) Unpublished(ctx context.Context, partition, limit int) ([]Outcome, error) {
	rows, err := s.pool.Query(ctx, query("outcomes_unpublished"), partition, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (Outcome, error) {
		var o Outcome
		var contributor []byte
		err := row.Scan(&o.Seq, &contributor, &o.Payload, &o.At)
		copy(o.Contributor[:], contributor)
		return o, err
	})
}

// MarkPublished marks outcomes as published. Marking twice does no harm.
func (s *Store) MarkPublished(ctx context.Context, done []Outcome) error {
	_, err := s.pool.Exec(ctx, query("outcomes_published"), column(done, func(o Outcome) int64 { return int64(o.Seq) }))
	return err
}

// Outcomes returns the documents of the contributor's outcomes among ids, for each
// the one that says it was merged; else the newest that is not a mere duplicate.
func (s *Store) Outcomes(ctx context.Context, space string, of identity.ID, ids []delta.ID) ([][]byte, error) {
	rows, err := s.pool.Query(ctx, query("outcomes_of"), space, of[:], column(ids, func(id delta.ID) []byte { return id[:] }))
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[[]byte])
}
