package agenttest

import (
	"bytes"
	"context"
	"slices"

	"consilience/bus"
	"consilience/command"
	"consilience/delta"
	"consilience/identity"
	"consilience/merge"
	"consilience/reason"
	"consilience/record"
)

// handlers answer the verbs that the contributor's side uses.
func (s *Store) handlers() map[string]bus.Handler {
	verbs := map[command.Verb]func(command.Request) (any, error){
		command.VerbHealth: s.health, command.VerbOutcome: s.outcome, command.VerbDerive: s.derive,
		command.VerbSlice: s.slice, command.VerbPage: s.page, command.VerbRecord: s.record,
	}
	out := map[string]bus.Handler{}
	for verb, answer := range verbs {
		out[string(verb)] = func(_ context.Context, r bus.Request) ([]byte, error) {
			q, _, err := command.OpenRequest(r.Data)
			if err != nil {
				return nil, err
			}
			body, err := answer(q)
			if err != nil {
				return command.SealReply(q.Refuse(err), s.Service), nil
			}
			return command.SealReply(q.Answer(s.altered(body)), s.Service), nil
		}
	}
	return out
}

// altered is body as a lying service sends it.
func (s *Store) altered(body any) any {
	s.mu.Lock()
	change := s.tamper
	s.mu.Unlock()
	if change == nil {
		return body
	}
	return change(body)
}

func (s *Store) health(command.Request) (any, error) {
	return command.HealthReply{Version: "test", Genesis: s.genesis, Operators: [][]byte{}}, nil
}

func (s *Store) outcome(q command.Request) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.spaces[q.Space]; !known {
		return nil, reason.New(reason.SpaceUnknown, "no such space")
	}
	reply := command.OutcomeReply{Outcomes: [][]byte{}}
	for _, id := range q.Body.(command.OutcomeRequest).Deltas {
		if o, known := s.outcomes[id]; known {
			reply.Outcomes = append(reply.Outcomes, o.Encode())
		}
	}
	return reply, nil
}

func (s *Store) derive(q command.Request) (any, error) {
	m, err := command.Open(q.Body.(command.DeriveRequest).Command)
	if err != nil {
		return nil, err
	}
	child := m.Command.Body.(command.Derive).Child.ID()
	seq, err := s.bus.Publish(s.t.Context(), command.SubjectFor(command.KindDerive, "", child), q.Body.(command.DeriveRequest).Command)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waitFor(seq)
	if _, known := s.fleet.At(seq + 1).Contributor(child); !known {
		return nil, reason.New(reason.ParentUnknown, "the derivation was refused")
	}
	return command.DeriveReply{Command: m.ID}, nil
}

// slice issues a slice of what the space holds now.
func (s *Store) slice(q command.Request) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sp, known := s.spaces[q.Space]
	if !known {
		return nil, reason.New(reason.SpaceUnknown, "no such space")
	}
	slice := delta.Slice{Store: s.ID, Space: q.Space, Contributor: q.Contributor, Revision: s.last, Entries: sp.entries()}
	s.slices[slice.Digest()] = slice
	issued := delta.SealSlice(slice.Issued(), s.Service)
	if _, err := s.bus.Publish(s.t.Context(), command.SliceSubject(q.Space, q.Contributor), issued); err != nil {
		return nil, err
	}
	return command.SliceReply{Issued: issued, Entries: uint64(len(slice.Entries))}, nil
}

// entries are the active items of a space.
func (sp *space) entries() []delta.SliceEntry {
	out := []delta.SliceEntry{}
	for _, item := range sp.items {
		if item.Status != merge.Active || item.Verdict == merge.Contradicted {
			continue
		}
		head := sp.records[item.Head].record
		out = append(out, delta.SliceEntry{Item: item.ID, Head: head.ID, ContentHash: head.ContentHash, Confidence: item.Confidence})
	}
	slices.SortFunc(out, func(a, b delta.SliceEntry) int { return bytes.Compare(a.Item[:], b.Item[:]) })
	return out
}

func (s *Store) page(q command.Request) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := q.Body.(command.PageRequest)
	entries := s.slices[p.Digest].Entries
	from := min(int(p.Page)*delta.PageEntries, len(entries))
	return command.PageReply{Entries: entries[from:min(from+delta.PageEntries, len(entries))]}, nil
}

// record gives records out, after the log knows that it does.
func (s *Store) record(q command.Request) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sp, known := s.spaces[q.Space]
	if !known {
		return nil, reason.New(reason.SpaceUnknown, "no such space")
	}
	reply := command.RecordReply{}
	served := command.Served{Store: s.ID, Space: q.Space, Contributor: q.Contributor, How: command.HowRecord}
	authors := map[identity.ID]bool{}
	for _, id := range q.Body.(command.RecordRequest).Records {
		no, known := sp.numbers[id]
		if !known {
			reply.Missing = append(reply.Missing, id)
			continue
		}
		c := sp.records[no]
		reply.Records = append(reply.Records, command.CarriedRecord{Record: c.record.Wire(), Envelope: uint32(len(reply.Envelopes))})
		reply.Envelopes = append(reply.Envelopes, c.envelope)
		served.Contents = append(served.Contents, c.record.Is())
		authors[c.record.Contributor] = true
	}
	for id := range authors {
		c, _ := s.fleet.At(s.last + 1).Contributor(id)
		reply.Authors = append(reply.Authors, command.Author{Contributor: id, Keys: []identity.PublicKey{c.Key}})
	}
	return reply, s.emit(served)
}

func (s *Store) emit(served command.Served) error {
	slices.SortFunc(served.Contents, func(a, b record.Content) int {
		if a.Kind != b.Kind {
			return int(a.Kind) - int(b.Kind)
		}
		return bytes.Compare(a.Hash[:], b.Hash[:])
	})
	served.Contents = slices.Compact(served.Contents)
	if len(served.Contents) == 0 {
		return nil
	}
	_, err := s.bus.Publish(s.t.Context(), command.ServedSubject(served.Space, served.Contributor), command.SealServed(served, s.Service))
	return err
}
