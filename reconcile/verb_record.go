package reconcile

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"consilience/command"
	"consilience/fleet"
	"consilience/lineage"
	"consilience/record"
)

// record answers records with what proves who wrote them. That their contents
// were emitted is on the log before the reply leaves.
func (s *Service) record(ctx context.Context, q Asked) (any, error) {
	asked := q.Body.(command.RecordRequest).Records
	found, err := s.reads.Records(ctx, q.Space.Num, asked)
	if err != nil {
		return nil, err
	}
	found = s.unmasked(found)
	missing := absent(asked, found)
	r := carry(found)
	r.Missing = missing
	r.Authors = s.authors(found[:len(r.Records)])
	if err := s.Served(ctx, q, command.HowRecord, contentsOf(found[:len(r.Records)])); err != nil {
		return nil, err
	}
	return r, nil
}

// unmasked leaves out what a quarantine masks: it is shown to nobody.
func (s *Service) unmasked(found []StoredRecord) []StoredRecord {
	s.fleet.Now(func(v fleet.View) {
		found = slices.DeleteFunc(found, func(r StoredRecord) bool { return v.Lineage().Masked(r.Contributor, r.Seq) })
	})
	slices.SortFunc(found, func(a, b StoredRecord) int { return bytes.Compare(a.Record.ID[:], b.Record.ID[:]) })
	return found
}

// absent are the records asked for that were not found.
func absent(asked []record.ID, found []StoredRecord) []record.ID {
	has := make(map[record.ID]bool, len(found))
	for _, r := range found {
		has[r.Record.ID] = true
	}
	return slices.DeleteFunc(slices.Clone(asked), func(id record.ID) bool { return has[id] })
}

// carry puts as many records as fit into a reply, at least one, each delta's
// envelope once.
func carry(found []StoredRecord) command.RecordReply {
	var r command.RecordReply
	at := map[uint64]uint32{} // by the delta's sequence on the stream
	size := 0
	for _, f := range found {
		n, known := at[f.Seq]
		if !known {
			n = uint32(len(r.Envelopes))
			size += len(f.Envelope)
		}
		size += len(f.Record.Forward) + len(f.Record.Content) + 16
		if size > maxReply && len(r.Records) > 0 {
			break
		}
		if !known {
			at[f.Seq] = n
			r.Envelopes = append(r.Envelopes, f.Envelope)
		}
		r.Records = append(r.Records, command.CarriedRecord{Record: f.Record.Wire(), Envelope: n})
	}
	return r
}

// authors are the contributors of the records with all their keys.
func (s *Service) authors(found []StoredRecord) []command.Author {
	seen := map[lineage.Node]bool{}
	var out []command.Author
	for _, f := range found {
		if keys := s.fleet.keysOf(f.Contributor); !seen[f.Contributor] && len(keys) > 0 {
			seen[f.Contributor] = true
			out = append(out, command.Author{Contributor: keys[0].ID(), Keys: keys})
		}
	}
	return out
}

// contentsOf are the contents of records that carry one.
func contentsOf(found []StoredRecord) []record.Content {
	var out []record.Content
	for _, f := range found {
		if !f.Record.Erased {
			out = append(out, record.Content{Kind: f.Record.Kind, Hash: f.Record.ContentHash})
		}
	}
	return out
}

// maxServedContents is how many contents one statement on the log names; the
// statement stays far below the largest message.
const maxServedContents = 4096

// Served states on the log that contents are about to be emitted to whoever asked,
// those that were not stated before. A later support of one of them by that
// lineage is an echo. Served MUST return without an error before they leave.
func (s *Service) Served(ctx context.Context, q Asked, how string, contents []record.Content) error {
	slices.SortFunc(contents, func(a, b record.Content) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), bytes.Compare(a.Hash[:], b.Hash[:]))
	})
	contents = s.shown.unstated(q.Space.Num, q.Contributor, slices.Compact(contents))
	known, err := s.reads.Exposed(ctx, q.Space.Num, q.Node, contents)
	if err != nil {
		return err
	}
	contents = slices.DeleteFunc(contents, func(c record.Content) bool { return slices.Contains(known, c) })
	for chunk := range slices.Chunk(contents, maxServedContents) {
		served := command.Served{Store: s.store, Space: q.Space.Name, Contributor: q.Contributor, How: how, Contents: chunk}
		if _, err := s.log.Publish(ctx, command.ServedSubject(q.Space.Name, q.Contributor), command.SealServed(served, s.key)); err != nil {
			return err
		}
		s.shown.state(q.Space.Num, q.Contributor, chunk)
	}
	return nil
}
