package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"consilience/projection"
	"consilience/reason"
	"consilience/wire"
)

var _ projection.Registry = (*Store)(nil)

// Register makes a projection usable once for all verifiers on this database
// ([projection.Registry]). It returns after the use is on stable storage, whatever
// the connection's setting for that is. A record that was created before the instant
// up to which uses were forgotten is refused as a replay: its use may be among them.
func (s *Store) Register(ctx context.Context, use projection.Use) error {
	id := wire.Hash([]byte(use.ProjectionID))
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := commitDurably(ctx, tx); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, query("projection_use"), id[:], use.Until.UnixMilli(), use.Created.UnixMilli())
		if err == nil && tag.RowsAffected() == 0 {
			return reason.New(projection.ProjectionReplay, "the projection was used before")
		}
		return err
	})
}

// Prune forgets uses of records that were stale before at, and refuses records created
// before at from now on: neither a clock that runs backwards nor a longer limit revives
// what was forgotten. at lies at least the longest limit of any relying party in the
// past, or fresh records are refused.
func (s *Store) Prune(ctx context.Context, at time.Time) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := commitDurably(ctx, tx); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, query("projection_floor"), at.UnixMilli()); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, query("projection_forget"))
		return err
	})
}

// commitDurably makes the transaction wait for the disk.
func commitDurably(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, query("commit_durably"), pgx.QueryExecModeSimpleProtocol)
	return err
}
