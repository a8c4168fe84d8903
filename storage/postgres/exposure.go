package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"consilience/identity"
	"consilience/lineage"
	"consilience/record"
)

// Emitted is one emission of a content that somebody stated.
type Emitted struct {
	Space   string
	By      identity.ID // who stated the content
	To      identity.ID // whom it was emitted to
	Item    record.ItemID
	Content record.Content
	How     string // projection or record
	Seq     uint64 // of the log entry that says so
	At      uint64 // time of that entry, Unix milliseconds
}

// Emissions returns every emission of a content that one of the contributors
// stated, in the order of space and log.
func (s *Store) Emissions(ctx context.Context, of []lineage.Node) ([]Emitted, error) {
	var out []Emitted
	err := s.readOnly(ctx, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, query("exposure_of"), column(of, nodeNumber))
		if err != nil {
			return err
		}
		out, err = pgx.CollectRows(rows, scanEmitted)
		return err
	})
	return out, err
}

func scanEmitted(row pgx.CollectableRow) (Emitted, error) {
	var e Emitted
	var by, to, hash, item []byte
	var kind int16
	if err := row.Scan(&e.Space, &by, &to, &kind, &hash, &item, &e.How, &e.Seq, &e.At); err != nil {
		return e, err
	}
	e.By, e.To, e.Item, e.Content = identity.ID(by), identity.ID(to), record.ItemID(item), contentOf(kind, hash)
	return e, nil
}
