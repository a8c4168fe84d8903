package postgres

import (
	"cmp"
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
)

// Embedded is an item, and the embedding of what founded it.
type Embedded struct {
	Item   int64  // its number
	Text   bool   // a text founded it, which was not erased since
	Vector []int8 // nil if none is kept under the model asked for
}

// manyEmbedded is the limit from which on [Store.Embedded] reads all embeddings once
// and keeps those of the items: a look-up for each of so many takes longer.
const manyEmbedded = 16_384

// Embedded returns the items of a space after one, by number, at most limit, with
// the embeddings of their founding texts under a model.
func (s *Store) Embedded(ctx context.Context, space int32, model string, after int64, limit int) ([]Embedded, error) {
	if limit < manyEmbedded {
		return collect(ctx, s.pool, "recall_embedded", scanEmbedded, space, model, after, limit)
	}
	var found []Embedded
	err := pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) (err error) {
		for _, settings := range []string{"read_settings", "recall_embedded_settings"} {
			if _, err := tx.Exec(ctx, query(settings), pgx.QueryExecModeSimpleProtocol); err != nil {
				return err
			}
		}
		found, err = collect(ctx, tx, "recall_embedded_many", scanEmbedded, space, model, after, limit)
		return err
	})
	slices.SortFunc(found, func(a, b Embedded) int { return cmp.Compare(a.Item, b.Item) })
	return found, err
}

// ErasedOf returns those of items whose founding contents were erased.
func (s *Store) ErasedOf(ctx context.Context, space int32, items []int64) ([]int64, error) {
	return collect(ctx, s.pool, "recall_erased", pgx.RowTo[int64], space, items)
}

func scanEmbedded(row pgx.CollectableRow) (Embedded, error) {
	var e Embedded
	var raw pgtype.DriverBytes
	if err := row.Scan(&e.Item, &e.Text, &raw); err != nil || raw == nil {
		return e, err
	}
	e.Vector = signed(raw)
	return e, nil
}
