package agent

import (
	"context"
	"time"

	"consilience/agent/local"
	"consilience/command"
	"consilience/delta"
	"consilience/identity"
	"consilience/reason"
	"consilience/record"
)

// Pulled is what a pull did.
type Pulled struct {
	Space    string `json:"space"`
	Revision uint64 `json:"revision"`
	Items    int    `json:"items"`   // of the slice
	Fetched  int    `json:"fetched"` // records that were not here before
	Missing  int    `json:"missing"` // heads that the store does not show any more
	Pushed   Pushed `json:"pushed"`  // what was said first
}

// Pull fetches, checks and keeps a slice of a space, and the records it shows
// that are not here yet. It pushes first, waiting for outcomes at most wait long:
// what is said after contents were pulled counts as an echo of them.
//
// What is fetched is checked, not trusted: the service's signature over the
// digest, the digest over the pages, each record's id, content and author's
// signature. It returns [reason.Tampered] for pages with another digest and the
// reasons of [delta.OpenSlice] and of the records' checks.
func (s *Session) Pull(ctx context.Context, space string, wait time.Duration) (Pulled, error) {
	p := Pulled{Space: space}
	var err error
	if p.Pushed, err = s.Push(ctx, space, wait); err != nil {
		return p, err
	}
	slice, envelope, err := s.fetchSlice(ctx, space)
	if err != nil {
		return p, err
	}
	p.Revision, p.Items = slice.Revision, len(slice.Entries)
	err = s.home.update(ctx, func(tx *local.Tx) error {
		head := local.SliceHead{Revision: slice.Revision, Digest: slice.Digest(), Envelope: envelope}
		return tx.PutSlice(space, head, slice.Entries)
	})
	if err != nil {
		return p, err
	}
	p.Fetched, p.Missing, err = s.fetchHeads(ctx, space)
	return p, err
}

// fetchSlice asks for a slice and its pages and checks them.
func (s *Session) fetchSlice(ctx context.Context, space string) (delta.Slice, []byte, error) {
	body, err := s.ask(ctx, command.VerbSlice, space, command.SliceRequest{})
	if err != nil {
		return delta.Slice{}, nil, err
	}
	reply := body.(command.SliceReply)
	issued, err := s.checkIssued(reply.Issued, space)
	if err != nil {
		return delta.Slice{}, nil, err
	}
	slice := delta.Slice{Store: s.store, Space: space, Contributor: s.home.ID(), Revision: issued.Revision}
	if slice.Entries, err = s.fetchPages(ctx, space, issued.Digest, reply.Entries); err != nil {
		return delta.Slice{}, nil, err
	}
	if slice.Digest() != issued.Digest {
		return delta.Slice{}, nil, reason.New(reason.Tampered, "the pages of the slice do not have the digest that was signed").
			On("slice of " + space).Advise("pull again; if it stays so, the service is faulty")
	}
	return slice, reply.Issued, nil
}

// checkIssued checks the service's statement: its signature, and that it is about
// a slice of this store and space for this contributor.
func (s *Session) checkIssued(raw []byte, space string) (delta.SliceIssued, error) {
	issued, envelope, err := delta.OpenSlice(raw)
	if err != nil {
		return issued, err
	}
	if err := s.verify(envelope, identity.PurposeSlice); err != nil {
		return issued, err
	}
	switch {
	case issued.Store != s.store:
		err = reason.New(reason.StoreMismatch, "slice of another store")
	case issued.Space != space:
		err = reason.New(reason.SpaceMismatch, "slice of another space")
	case issued.Contributor != s.home.ID():
		err = reason.New(reason.SliceForeign, "slice issued to another contributor")
	}
	return issued, err
}

// fetchPages asks for entries, page by page, until all are here.
func (s *Session) fetchPages(ctx context.Context, space string, digest [32]byte, total uint64) ([]delta.SliceEntry, error) {
	entries := []delta.SliceEntry{}
	for page := uint64(0); uint64(len(entries)) < total; page++ {
		body, err := s.ask(ctx, command.VerbPage, space, command.PageRequest{Digest: digest, Page: page})
		if err != nil {
			return nil, err
		}
		more := body.(command.PageReply).Entries
		if len(more) == 0 {
			return nil, reason.New(reason.Tampered, "the slice ends after %d of %d entries", len(entries), total).On("slice of " + space)
		}
		entries = append(entries, more...)
	}
	return entries, nil
}

// recordsAtOnce is the number of records asked for in one request.
const recordsAtOnce = 512

// fetchHeads fetches the heads of a slice that are not here yet.
func (s *Session) fetchHeads(ctx context.Context, space string) (fetched, missing int, err error) {
	ids, hashes, err := s.wanted(ctx, space)
	for err == nil && len(ids) > 0 {
		var got fetchedRecords
		got, err = s.fetchRecords(ctx, space, ids[:min(recordsAtOnce, len(ids))], hashes)
		fetched, missing = fetched+got.kept, missing+got.missing
		ids = got.rest(ids)
	}
	return fetched, missing, err
}

// wanted lists the heads that are not here, each once, and the content hashes
// that the slice states for them.
func (s *Session) wanted(ctx context.Context, space string) ([]record.ID, map[record.ID]record.Hash, error) {
	var entries []delta.SliceEntry
	err := s.home.update(ctx, func(tx *local.Tx) (err error) {
		entries, err = tx.Missing(space)
		return err
	})
	hashes := make(map[record.ID]record.Hash, len(entries))
	ids := make([]record.ID, 0, len(entries))
	for _, e := range entries {
		if _, twice := hashes[e.Head]; !twice {
			ids = append(ids, e.Head)
		}
		hashes[e.Head] = e.ContentHash
	}
	return ids, hashes, err
}
