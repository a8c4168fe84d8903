package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
)

// RejectedRow is a message that was refused. It is still on the log.
type RejectedRow struct {
	Seq        uint64 // stream sequence of the message
	Space      string // "" if it names none that exists
	Subject    string
	Hash       [32]byte // of the message
	Reason     string   // stable code
	Detail     string
	At         time.Time // of the log entry
	RequeuedAs uint64    // stream sequence of the copy that was sent again; 0 if none was
}

// Rejections returns the newest rejections of a space, or of all where space is
// "", at most limit. It returns [reason.SpaceUnknown].
func (s *Store) Rejections(ctx context.Context, space string, limit int) ([]RejectedRow, error) {
	if space != "" {
		if _, err := spaceNumber(ctx, s.pool, space); err != nil {
			return nil, err
		}
	}
	rows, err := s.pool.Query(ctx, query("rejections"), storable(space), limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (RejectedRow, error) {
		var r RejectedRow
		var hash []byte
		err := row.Scan(&r.Seq, &r.Space, &r.Subject, &hash, &r.Reason, &r.Detail, &r.At, &r.RequeuedAs)
		copy(r.Hash[:], hash)
		return r, err
	})
}

// Refusal returns why the entry at seq was refused; refused is false if it was
// not, or was not merged yet.
func (s *Store) Refusal(ctx context.Context, seq uint64) (code, detail string, refused bool, err error) {
	err = s.pool.QueryRow(ctx, query("refusal"), int64(seq)).Scan(&code, &detail)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", "", false, nil
	}
	return code, detail, err == nil, err
}

// MarkRequeued keeps that the message at seq was sent again and is now at as.
func (s *Store) MarkRequeued(ctx context.Context, seq, as uint64) error {
	_, err := s.pool.Exec(ctx, query("rejection_requeued"), int64(seq), int64(as))
	return err
}
