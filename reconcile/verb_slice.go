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
	snap, err := s.reads.Snapshot(ctx, q.Space.Num)
	if err != nil {
		return nil, err
	}
	made := delta.Slice{Store: s.store, Space: q.Space.Name, Contributor: q.Contributor, Revision: snap.Revision, Entries: snap.Entries}
	issued := made.Issued()
	if err := s.reads.KeepSlice(ctx, q.Space.Num, issued, made.Body()); err != nil {
		return nil, err
	}
	sealed := delta.SealSlice(issued, s.key)
	if _, err := s.log.Publish(ctx, command.SliceSubject(q.Space.Name, q.Contributor), sealed); err != nil {
		return nil, err
	}
	return command.SliceReply{Issued: sealed, Entries: uint64(len(snap.Entries))}, nil
}

// page answers one page of a slice from its kept body, whichever worker issued it.
func (s *Service) page(ctx context.Context, q Asked) (any, error) {
	body := q.Body.(command.PageRequest)
	kept, to, err := s.reads.KeptSlice(ctx, body.Digest)
	if err != nil {
		return nil, err
	}
	if to != q.Contributor {
		return nil, reason.New(reason.SliceForeign, "the slice was issued to another contributor")
	}
	entries, err := delta.DecodeEntries(kept)
	if err != nil {
		return nil, err
	}
	if body.Page > math.MaxInt64/delta.PageEntries {
		return command.PageReply{}, nil
	}
	first := min(int(body.Page)*delta.PageEntries, len(entries))
	after := min(first+delta.PageEntries, len(entries))
	return command.PageReply{Entries: entries[first:after]}, nil
}
