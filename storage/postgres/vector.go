package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"consilience/merge"
	"consilience/record"
)

// Vector is the embedding of a text.
type Vector struct {
	Hash   record.Hash // content hash of the text
	Vector []int8
}

// Vectors returns those of the texts' embeddings that are kept, in any order.
func (s *Store) Vectors(ctx context.Context, space int32, model string, hashes []record.Hash) ([]Vector, error) {
	return collect(ctx, s.pool, "vectors", func(row pgx.CollectableRow) (Vector, error) {
		var hash, raw []byte
		if err := row.Scan(&hash, &raw); err != nil {
			return Vector{}, err
		}
		v := Vector{Hash: record.Hash(hash), Vector: make([]int8, len(raw))}
		for i, b := range raw {
			v.Vector[i] = int8(b)
		}
		return v, nil
	}, space, model, column(hashes, func(h record.Hash) []byte { return h[:] }))
}

// KeepVectors keeps embeddings durably, before they are used: replay takes them
// from here. The first one of a text stands.
func (s *Store) KeepVectors(ctx context.Context, space int32, model string, rows []Vector) error {
	if len(rows) == 0 {
		return nil
	}
	args := columnsOf(rows, space, model).
		bytes(func(v Vector) []byte { return v.Hash[:] }).
		bytes(func(v Vector) []byte {
			raw := make([]byte, len(v.Vector))
			for i, c := range v.Vector {
				raw[i] = byte(c)
			}
			return raw
		}).args
	_, err := s.pool.Exec(ctx, query("vectors_keep"), args...)
	return err
}

// Founding is an item that a text founded, which is what other texts are compared
// with.
type Founding struct {
	No   merge.ItemNo
	Item record.ItemID
	Hash record.Hash
	Text string
}

// Foundings returns the items that texts founded, after an item, in the order of
// the log, at most limit. Erased ones are left out.
func (s *Store) Foundings(ctx context.Context, space int32, after merge.ItemNo, limit int) ([]Founding, error) {
	return collect(ctx, s.pool, "foundings", func(row pgx.CollectableRow) (Founding, error) {
		var no int64
		var id, hash, text []byte
		if err := row.Scan(&no, &id, &hash, &text); err != nil {
			return Founding{}, err
		}
		return Founding{merge.ItemNo(no), record.ItemID(id), record.Hash(hash), string(text)}, nil
	}, space, int64(after), limit)
}
