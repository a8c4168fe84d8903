package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"consilience/lineage"
	"consilience/record"
)

// verifyChunk is how many records are in memory at once while a space is read.
const verifyChunk = 4096

// EachRecord calls each with the records of a space in the order in which the log
// brought them, in chunks. Envelopes are those of the chunk's deltas, by stream
// sequence; a delta whose records lie in two chunks comes with both. The chunk is
// each's to keep.
func (s *Store) EachRecord(ctx context.Context, space string, each func([]StoredRecord) error) error {
	n, err := spaceNumber(ctx, s.pool, space)
	if err != nil {
		return err
	}
	return s.readOnly(ctx, func(tx pgx.Tx) error {
		// Pages by key need the index, however few rows a table has.
		if _, err := tx.Exec(ctx, "SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL enable_seqscan = off", pgx.QueryExecModeSimpleProtocol); err != nil {
			return err
		}
		for after := int64(0); ; {
			chunk, last, err := readChunk(ctx, tx, n, after)
			if err != nil || len(chunk) == 0 {
				return err
			}
			if err := each(chunk); err != nil {
				return err
			}
			after = last
		}
	})
}

// readChunk reads the records after a number, and their envelopes.
func readChunk(ctx context.Context, tx pgx.Tx, space int32, after int64) (chunk []StoredRecord, last int64, err error) {
	rows, err := tx.Query(ctx, query("verify_records"), space, after, verifyChunk)
	if err != nil {
		return nil, 0, err
	}
	var contributor int32
	var seq uint64
	var erased bool
	var id, forward, content []byte
	_, err = pgx.ForEachRow(rows, []any{&last, &id, &contributor, &seq, &erased, &forward, &content}, func() error {
		chunk = append(chunk, StoredRecord{
			Record:      record.Record{ID: record.ID(id), Forward: forward, Content: content, Erased: erased},
			Contributor: lineage.Node(contributor), Seq: seq,
		})
		return nil
	})
	if err != nil || len(chunk) == 0 {
		return nil, 0, err
	}
	return chunk, last, attachEnvelopes(ctx, tx, space, chunk)
}

func attachEnvelopes(ctx context.Context, tx pgx.Tx, space int32, chunk []StoredRecord) error {
	rows, err := tx.Query(ctx, query("verify_envelopes"), space, int64(chunk[0].Seq), int64(chunk[len(chunk)-1].Seq))
	if err != nil {
		return err
	}
	envelopes := map[uint64][]byte{}
	var seq uint64
	var envelope []byte
	_, err = pgx.ForEachRow(rows, []any{&seq, &envelope}, func() error {
		envelopes[seq] = envelope
		return nil
	})
	for i := range chunk {
		chunk[i].Envelope = envelopes[chunk[i].Seq]
	}
	return err
}

// Erase is an applied erase of a content, as its operator signed it.
type Erase struct {
	Seq      uint64
	Envelope []byte
}

// Erases returns the erases of a space, in the order of the log.
func (s *Store) Erases(ctx context.Context, space int32) ([]Erase, error) {
	return collect(ctx, s.pool, "verify_erases", pgx.RowToStructByPos[Erase], space)
}

// BackReferences returns the ids of records that refer to one, the oldest first,
// at most limit. They are a hint for tamper localization and prove nothing.
func (s *Store) BackReferences(ctx context.Context, space string, id record.ID, limit int) ([]record.ID, error) {
	return collect(ctx, s.pool, "back_references", func(row pgx.CollectableRow) (record.ID, error) {
		var later []byte
		err := row.Scan(&later)
		if err != nil {
			return record.ID{}, err
		}
		return record.ID(later), nil
	}, storable(space), id.String(), limit)
}
