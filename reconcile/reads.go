package reconcile

import (
	"context"

	"consilience/delta"
	"consilience/identity"
	"consilience/lineage"
	"consilience/record"
)

// Reads is what the service asks the store.
type Reads interface {
	// Snapshot reads the active items of a space and its revision in one snapshot.
	Snapshot(ctx context.Context, space int32) (Snapshot, error)
	// KeepSlice keeps the pages of a slice durably, at least one, for any worker to
	// answer from, until it was fetched or a day has passed.
	KeepSlice(ctx context.Context, space int32, issued delta.SliceIssued, pages [][]byte) error
	// KeptPage returns a page of a slice, nil past the last one, and to whom the
	// slice was issued, or reason.SliceUnknown.
	KeptPage(ctx context.Context, digest [32]byte, page int32) (body []byte, to identity.ID, err error)
	// Records returns those of the records that the space has, in any order.
	Records(ctx context.Context, space int32, ids []record.ID) ([]StoredRecord, error)
	// Exposed returns those of contents that were shown to the contributor already.
	Exposed(ctx context.Context, space int32, to lineage.Node, contents []record.Content) ([]record.Content, error)
	// Outcomes returns the documents of the contributor's outcomes among ids, the
	// newest of each.
	Outcomes(ctx context.Context, space string, of identity.ID, ids []delta.ID) ([][]byte, error)
	// Positions returns the position of every partition.
	Positions(ctx context.Context) ([]Position, error)
}

// Snapshot is what a slice is made of.
type Snapshot struct {
	Revision uint64
	Entries  []delta.SliceEntry // in bytewise order of the item
}

// StoredRecord is a record with where it came from.
type StoredRecord struct {
	Record      record.Record // Erased, and without content, where an erase covers it
	Contributor lineage.Node
	Seq         uint64 // of the delta that brought it
	Envelope    []byte // of that delta
}
