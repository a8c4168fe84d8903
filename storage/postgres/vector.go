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
		return Vector{Hash: record.Hash(hash), Vector: signed(raw)}, nil
	}, space, model, column(hashes, func(h record.Hash) []byte { return h[:] }))
}

// KeepVectors keeps embeddings durably, before they are used: replay takes them
// from here. The first one of a text stands, and a text that was erased gets none:
// an erasure waits for who keeps vectors at that moment, and takes theirs too.
func (s *Store) KeepVectors(ctx context.Context, space int32, model string, rows []Vector) error {
	if len(rows) == 0 {
		return nil
	}
	b := &pgx.Batch{}
	b.Queue(query("vectors_lock"), space)
	b.Queue(query("vectors_keep"), columnsOf(rows, space, model).
		bytes(func(v Vector) []byte { return v.Hash[:] }).
		bytes(func(v Vector) []byte { return unsigned(v.Vector) }).args...)
	return s.pool.SendBatch(ctx, b).Close() // one transaction
}

// Founding is an item that a text founded, which is what other texts are compared
// with.
type Founding struct {
	No     merge.ItemNo
	Item   record.ItemID
	Hash   record.Hash
	Text   string
	Vector []int8 // under the model asked for, nil if none is kept
}

// Foundings returns the items that texts founded, after an item, in the order of
// the log, at most limit, with their embeddings by a model. Erased ones are left
// out.
func (s *Store) Foundings(ctx context.Context, space int32, model string, after merge.ItemNo, limit int) ([]Founding, error) {
	return collect(ctx, s.pool, "foundings", scanFounding, space, model, int64(after), limit)
}

// Unembedded returns those of [Store.Foundings] that have no embedding by the model.
func (s *Store) Unembedded(ctx context.Context, space int32, model string, after merge.ItemNo, limit int) ([]Founding, error) {
	return collect(ctx, s.pool, "foundings_unembedded", scanFounding, space, model, int64(after), limit)
}

// CountUnembedded counts what [Store.Unembedded] would return in all.
func (s *Store) CountUnembedded(ctx context.Context, space int32, model string) (n int, err error) {
	err = s.pool.QueryRow(ctx, query("foundings_unembedded_count"), space, model).Scan(&n)
	return n, err
}

func scanFounding(row pgx.CollectableRow) (Founding, error) {
	var no int64
	var id, hash, text, vector []byte
	if err := row.Scan(&no, &id, &hash, &text, &vector); err != nil {
		return Founding{}, err
	}
	f := Founding{No: merge.ItemNo(no), Item: record.ItemID(id), Hash: record.Hash(hash), Text: string(text)}
	if vector != nil {
		f.Vector = signed(vector)
	}
	return f, nil
}

// signed is a vector as it is compared, unsigned as it is kept.
func signed(raw []byte) []int8 {
	v := make([]int8, len(raw))
	for i, b := range raw {
		v[i] = int8(b)
	}
	return v
}

func unsigned(v []int8) []byte {
	raw := make([]byte, len(v))
	for i, c := range v {
		raw[i] = byte(c)
	}
	return raw
}
