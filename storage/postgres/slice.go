package postgres

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"

	"consilience/delta"
	"consilience/identity"
	"consilience/reason"
	"consilience/record"
)

// Snapshot is what a slice is made of.
type Snapshot struct {
	Revision uint64
	Entries  []delta.SliceEntry // in bytewise order of the item
}

// Snapshot reads the active items of a space and its revision in one snapshot.
// Items that are quarantined, contradicted or erased are not active; nor are those
// of a quarantine that the partition has not reached.
func (s *Store) Snapshot(ctx context.Context, space int32) (Snapshot, error) {
	var snap Snapshot
	err := s.readOnly(ctx, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, query("space_revision"), space).Scan(&snap.Revision); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, query("slice_entries"), space)
		if err != nil {
			return err
		}
		var item, head, hash []byte
		var confidence uint32
		_, err = pgx.ForEachRow(rows, []any{&item, &head, &hash, &confidence}, func() error {
			snap.Entries = append(snap.Entries, delta.SliceEntry{
				Item: record.ItemID(item), Head: record.ID(head), ContentHash: record.Hash(hash), Confidence: confidence,
			})
			return nil
		})
		return err
	})
	slices.SortFunc(snap.Entries, func(a, b delta.SliceEntry) int { return bytes.Compare(a.Item[:], b.Item[:]) })
	return snap, err
}

// readOnly runs do in one snapshot of the database, with the planner as a reader
// of many rows needs it.
func (s *Store) readOnly(ctx context.Context, do func(pgx.Tx) error) error {
	return pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, query("read_settings"), pgx.QueryExecModeSimpleProtocol); err != nil {
			return err
		}
		return do(tx)
	})
}

// slicesKept is how many slices of a space one contributor can be fetching at once.
// A slice of a large space takes a hundred megabytes, and asking for it one request.
const slicesKept = 4

// KeepSlice keeps the pages of a slice durably, at least one, for any worker to
// answer from, until it was fetched ([Store.DropSlice]), a day has passed, or its
// contributor asked for four newer ones.
func (s *Store) KeepSlice(ctx context.Context, space int32, issued delta.SliceIssued, pages [][]byte) error {
	var b pgx.Batch
	b.Queue(query("slice_keep"), space, issued.Digest[:], issued.Contributor[:], int64(issued.Revision), pages)
	b.Queue(query("slice_expire"), space, issued.Contributor[:], slicesKept)
	return s.pool.SendBatch(ctx, &b).Close()
}

// KeptPage returns a page of a slice, nil past the last one, and to whom the slice
// was issued, or [reason.SliceUnknown] if it was never kept or was dropped.
func (s *Store) KeptPage(ctx context.Context, digest [32]byte, page int32) (body []byte, to identity.ID, err error) {
	var contributor []byte
	err = s.pool.QueryRow(ctx, query("slice_kept"), digest[:], page).Scan(&contributor, &body)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, to, reason.New(reason.SliceUnknown, "the slice is no longer kept").Advise("fetch a new one")
	}
	copy(to[:], contributor)
	return body, to, err
}

// DropSlice drops a slice that was fetched to its last page.
func (s *Store) DropSlice(ctx context.Context, digest [32]byte) error {
	_, err := s.pool.Exec(ctx, query("slice_drop"), digest[:])
	return err
}
