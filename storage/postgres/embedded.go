package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// Embedded is an item, and the embedding of what founded it.
type Embedded struct {
	Item   int64  // its number
	Text   bool   // a text founded it, which was not erased since
	Vector []int8 // nil if none is kept under the model asked for
}

// Embedded returns the items of a space after one, by number, at most limit, with
// the embeddings of their founding texts under a model.
func (s *Store) Embedded(ctx context.Context, space int32, model string, after int64, limit int) ([]Embedded, error) {
	return collect(ctx, s.pool, "recall_embedded", scanEmbedded, space, model, after, limit)
}

// ErasedOf returns those of items whose founding contents were erased.
func (s *Store) ErasedOf(ctx context.Context, space int32, items []int64) ([]int64, error) {
	return collect(ctx, s.pool, "recall_erased", pgx.RowTo[int64], space, items)
}

func scanEmbedded(row pgx.CollectableRow) (Embedded, error) {
	var e Embedded
	var raw []byte
	if err := row.Scan(&e.Item, &e.Text, &raw); err != nil || raw == nil {
		return e, err
	}
	e.Vector = signed(raw)
	return e, nil
}
