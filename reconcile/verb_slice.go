package reconcile

import (
	"context"
	"math"

	"consilience/command"
	"consilience/delta"
	"consilience/reason"
)

// slice issues a slice of the space as it is now. The order matters: its body is
// kept before the log says that it was issued, and the log says so before the
// reply leaves, so that no delta can name a slice that a replay would not know.
func (s *Service) slice(ctx context.Context, q Asked) (any, error) {
	// A slice of a large space takes much of a worker's memory while it is made.
	s.slicing.Lock()
	defer s.slicing.Unlock()
	snap, err := s.reads.Snapshot(ctx, q.Space.Num)
	if err != nil {
		return nil, err
	}
	made := delta.Slice{Store: s.store, Space: q.Space.Name, Contributor: q.Contributor, Revision: snap.Revision, Entries: snap.Entries}
	issued := made.Issued()
	if err := s.reads.KeepSlice(ctx, q.Space.Num, issued, pages(made)); err != nil {
		return nil, err
	}
	sealed := delta.SealSlice(issued, s.key)
	if _, err := s.log.Publish(ctx, command.SliceSubject(q.Space.Name, q.Contributor), sealed); err != nil {
		return nil, err
	}
	return command.SliceReply{Issued: sealed, Entries: uint64(len(snap.Entries))}, nil
}

// pages are the bodies of a slice's pages, at least one.
func pages(made delta.Slice) [][]byte {
	all := [][]byte{}
	for rest := made.Entries; ; {
		n := min(delta.PageEntries, len(rest))
		all = append(all, delta.Slice{Entries: rest[:n]}.Body())
		if rest = rest[n:]; len(rest) == 0 {
			return all
		}
	}
}

// page answers one page of a slice as it was kept, whichever worker issued it.
func (s *Service) page(ctx context.Context, q Asked) (any, error) {
	body := q.Body.(command.PageRequest)
	kept, to, err := s.reads.KeptPage(ctx, body.Digest, int32(min(body.Page, math.MaxInt32)))
	if err != nil {
		return nil, err
	}
	if to != q.Contributor {
		return nil, reason.New(reason.SliceForeign, "the slice was issued to another contributor")
	}
	if kept == nil {
		return command.PageReply{}, nil
	}
	entries, err := delta.DecodeEntries(kept)
	if err != nil {
		return nil, err
	}
	return command.PageReply{Entries: entries}, nil
}
