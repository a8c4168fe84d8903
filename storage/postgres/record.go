package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"consilience/lineage"
	"consilience/record"
)

// StoredRecord is a record with where it came from.
type StoredRecord struct {
	Record      record.Record // Erased, and without content, where an erase covers it
	Contributor lineage.Node
	Seq         uint64 // of the delta that brought it
	Envelope    []byte // of that delta
}

// Records returns those of the records that the space has, in any order. What is
// returned is what is stored: nothing is verified here.
func (s *Store) Records(ctx context.Context, space int32, ids []record.ID) ([]StoredRecord, error) {
	rows, err := s.pool.Query(ctx, query("records_by_id"), space, column(ids, record.ID.String))
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (StoredRecord, error) {
		var r StoredRecord
		var id, forward, content []byte
		var erased bool
		var contributor int32
		if err := row.Scan(&id, &forward, &content, &erased, &contributor, &r.Seq, &r.Envelope); err != nil {
			return r, err
		}
		r.Contributor = lineage.Node(contributor)
		r.Record = restored(record.ID(id), forward, content, erased)
		return r, nil
	})
}

// restored is a record from its row. A forward part that does not decode was
// altered in the database: the record then has its id and bytes only, and
// validation says what is wrong with it.
func restored(id record.ID, forward, content []byte, erased bool) record.Record {
	r, err := record.DecodeForward(forward)
	if err != nil {
		r = record.Record{Forward: forward}
	}
	r.ID, r.Content, r.Erased = id, content, erased
	return r
}

// Exposed returns those of contents that were shown to the contributor already.
func (s *Store) Exposed(ctx context.Context, space int32, to lineage.Node, contents []record.Content) ([]record.Content, error) {
	args := columnsOf(contents, space, nodeNumber(to)).
		smalls(func(c record.Content) int16 { return int16(c.Kind) }).
		bytes(func(c record.Content) []byte { return c.Hash[:] }).args
	rows, err := s.pool.Query(ctx, query("exposed"), args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (record.Content, error) {
		var kind int16
		var hash []byte
		err := row.Scan(&kind, &hash)
		if err != nil {
			return record.Content{}, err
		}
		return contentOf(kind, hash), nil
	})
}
