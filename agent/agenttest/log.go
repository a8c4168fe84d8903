package agenttest

import (
	"os"

	"consilience/bus"
	"consilience/command"
	"consilience/delta"
	"consilience/fleet"
	"consilience/identity"
	"consilience/merge"
	"consilience/reason"
	"consilience/record"
)

// space is one space's state.
type space struct {
	state   *merge.State
	items   map[merge.ItemNo]*merge.Item
	records map[merge.RecordNo]carried
	numbers map[record.ID]merge.RecordNo
}

// carried is a record and the envelope that carried it.
type carried struct {
	record   record.Record
	envelope []byte
}

// take merges one entry of the log.
func (s *Store) take(e bus.Entry) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.changed.Broadcast()
	defer func() { s.last = e.Seq }()
	subject, err := command.ParseSubject(e.Subject)
	if err != nil {
		return err
	}
	if subject.Class == command.ClassFleet {
		return s.fact(e, subject)
	}
	sp := s.spaces[subject.Space]
	if sp == nil {
		return nil // a delta to a space that there is not; a reconciler rejects it
	}
	return s.apply(sp, e, s.body(e, subject))
}

// fact folds a fact of the fleet; every space sees it.
func (s *Store) fact(e bus.Entry, subject command.Subject) error {
	effect, err := s.fleet.Apply(fleet.Fact{Seq: e.Seq, Time: uint64(e.Time.UnixMilli()), Subject: subject, Raw: e.Data})
	if refused(err) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, sp := range s.fleet.At(e.Seq + 1).Spaces() {
		if s.spaces[sp.Name] == nil {
			state := merge.NewState(merge.SpaceState{Num: sp.Num, Name: sp.Name})
			state.Complete = true
			s.spaces[sp.Name] = &space{
				state: state, items: map[merge.ItemNo]*merge.Item{},
				records: map[merge.RecordNo]carried{}, numbers: map[record.ID]merge.RecordNo{},
			}
		}
		if err := s.apply(s.spaces[sp.Name], e, merge.Entry{Body: &merge.FactBody{Effect: effect}}); err != nil {
			return err
		}
	}
	return nil
}

// body opens and authenticates an entry of a space.
func (s *Store) body(e bus.Entry, subject command.Subject) merge.Entry {
	switch subject.Kind {
	case command.SubjectDelta:
		m, err := delta.Open(e.Data)
		if err == nil {
			err = s.signed(m, subject, e.Seq)
		}
		s.deltas, s.raw = append(s.deltas, m), append(s.raw, e.Data)
		return merge.Entry{Body: &merge.DeltaBody{Message: m}, Refused: err}
	case command.SubjectSlice:
		issued, _, err := delta.OpenSlice(e.Data)
		return merge.Entry{Body: &merge.SliceBody{SliceIssued: issued}, Refused: err}
	case command.SubjectServed:
		served, _, err := command.OpenServed(e.Data)
		return merge.Entry{Body: &merge.ServedBody{Served: served}, Refused: err}
	}
	m, err := command.Open(e.Data)
	return merge.Entry{Body: &merge.JudgementBody{Message: m, Signer: subject.Signer}, Refused: err}
}

// signed checks that a delta is its contributor's.
func (s *Store) signed(m delta.Message, subject command.Subject, seq uint64) error {
	view := s.fleet.At(seq)
	key, owner, current, known := view.Key(m.Envelope.KeyID)
	switch {
	case m.Delta.Store != s.ID:
		return reason.New(reason.StoreMismatch, "another store")
	case !known || !current:
		return reason.New(reason.KeyUnknown, "no key of this store")
	case owner != m.Delta.Contributor || subject.Signer != owner:
		return reason.New(reason.AuthorMismatch, "another contributor's key")
	}
	if err := m.Envelope.Verify(identity.PurposeDelta, key); err != nil {
		return err
	}
	policy, _ := view.Space(subject.Space)
	return m.CheckLimits(0, delta.Limits{
		MessageBytes: int(policy.Policy.MessageBytes), Entries: int(policy.Policy.Entries), Nesting: int(policy.Policy.Nesting),
	})
}

// apply merges an entry into a space and publishes what became of it.
func (s *Store) apply(sp *space, e bus.Entry, entry merge.Entry) error {
	entry.Seq, entry.Time, entry.Hash = e.Seq, uint64(e.Time.UnixMilli()), e.Hash
	entry.Subject, entry.Size = e.Subject, len(e.Data)
	at := e.Seq
	if _, isFact := entry.Body.(*merge.FactBody); isFact {
		at++
	}
	if _, err := sp.state.Apply(entry, s.fleet.At(at), nil); err != nil {
		return err
	}
	plan := sp.state.Drain()
	for _, item := range plan.NewItems {
		sp.items[item.No] = item
	}
	for _, r := range plan.NewRecords {
		c := carried{record: r.Record}
		if b, ok := entry.Body.(*merge.DeltaBody); ok {
			c.envelope = b.Envelope.Raw
		}
		sp.records[r.No], sp.numbers[r.ID] = c, r.No
	}
	for _, o := range plan.Outcomes {
		if _, known := s.outcomes[o.Outcome.DeltaID]; !known {
			s.outcomes[o.Outcome.DeltaID] = o.Outcome
		}
		if err := s.bus.PublishOutcome(o.Contributor, command.SealOutcome(o.Outcome, s.Service)); err != nil {
			return err
		}
	}
	return nil
}

func writePrivate(path string, key identity.PrivateKey) error {
	return os.WriteFile(path, identity.MarshalPrivate(key), 0o600)
}
