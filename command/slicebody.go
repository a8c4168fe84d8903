package command

import (
	"consilience/delta"
	"consilience/wire"
)

// SliceRequest asks for a slice of the request's space as it is now.
type SliceRequest struct{}

func (SliceRequest) check() error { return nil }

// SliceReply says which slice was issued. It is on the log already.
type SliceReply struct {
	Issued  []byte `cbor:"1,keyasint"` // the signed statement, see [delta.OpenSlice]
	Entries uint64 `cbor:"2,keyasint"` // of the whole slice; its pages have [delta.PageEntries]
}

func (r SliceReply) check() error {
	if err := wire.CheckRange("entries", r.Entries, 0, wire.MaxUint); err != nil {
		return err
	}
	_, _, err := delta.OpenSlice(r.Issued)
	return err
}

// PageRequest asks for one page of a slice that was issued to the contributor.
type PageRequest struct {
	Digest [32]byte `cbor:"1,keyasint"` // of the slice
	Page   uint64   `cbor:"2,keyasint"` // from 0
}

func (r PageRequest) check() error { return wire.CheckRange("page", r.Page, 0, wire.MaxUint) }

// PageReply is a page: [delta.PageEntries] entries, fewer on the last page, none
// beyond it.
type PageReply struct {
	Entries []delta.SliceEntry `cbor:"1,keyasint"`
}

func (r PageReply) check() error {
	if err := wire.CheckRange("entries of a page", uint64(len(r.Entries)), 0, delta.PageEntries); err != nil {
		return err
	}
	return delta.CheckEntries(r.Entries)
}
