package local

import (
	"database/sql"
	"errors"

	"consilience/delta"
	"consilience/record"
)

// SliceHead is a slice as it is kept, without its entries.
type SliceHead struct {
	Revision uint64
	Digest   [32]byte
	Envelope []byte // the service's signed statement
}

// PutSlice keeps a slice of a space in place of the one before.
func (t *Tx) PutSlice(space string, h SliceHead, entries []delta.SliceEntry) error {
	if _, _, err := t.exec("slice_put", space, int64(h.Revision), h.Digest[:], h.Envelope); err != nil {
		return err
	}
	if _, _, err := t.exec("slice_entry_clear", space); err != nil {
		return err
	}
	for _, e := range entries {
		_, _, err := t.exec("slice_entry_insert", space, e.Item[:], e.Head[:], e.ContentHash[:], int64(e.Confidence))
		if err != nil {
			return err
		}
	}
	return nil
}

// Slice returns the slice of a space without its entries.
func (t *Tx) Slice(space string) (h SliceHead, found bool, err error) {
	var digest []byte
	if found, err = t.row("slice_get", []any{space}, &h.Revision, &digest, &h.Envelope); err != nil || !found {
		return h, false, err
	}
	h.Digest, err = id(digest)
	return h, true, err
}

// Entries returns the entries of a space's slice, in their order.
func (t *Tx) Entries(space string) ([]delta.SliceEntry, error) {
	return rows(t, "slice_entries", []any{space}, scanEntry)
}

// Missing returns the entries of a space's slice whose head is not here yet.
func (t *Tx) Missing(space string) ([]delta.SliceEntry, error) {
	return rows(t, "slice_missing", []any{space}, scanEntry)
}

// InSlice is a slice that an item stands in.
type InSlice struct {
	Space string
	Head  record.Pair // record and content hash of the head
}

// InSlices returns the slices in which an item stands.
func (t *Tx) InSlices(item record.ItemID) ([]InSlice, error) {
	return rows(t, "slice_entry_spaces", []any{item[:]}, func(r *sql.Rows) (InSlice, error) {
		var s InSlice
		var head, hash []byte
		if err := r.Scan(&s.Space, &head, &hash); err != nil {
			return s, err
		}
		err := errors.Join(read(head, &s.Head.Record), read(hash, &s.Head.Hash))
		return s, err
	})
}

// ItemsWithPrefix returns at most two items of slices whose ids lie between low
// and high, for a prefix that a person typed.
func (t *Tx) ItemsWithPrefix(low, high [32]byte) ([]record.ItemID, error) {
	return rows(t, "slice_item_prefix", []any{low[:], high[:]}, func(r *sql.Rows) (record.ItemID, error) {
		b, err := scanID(r)
		return record.ItemID(b), err
	})
}

func scanEntry(r *sql.Rows) (delta.SliceEntry, error) {
	var e delta.SliceEntry
	var item, head, hash []byte
	if err := r.Scan(&item, &head, &hash, &e.Confidence); err != nil {
		return e, err
	}
	err := errors.Join(read(item, &e.Item), read(head, &e.Head), read(hash, &e.ContentHash))
	return e, err
}
