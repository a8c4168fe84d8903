package merge

import (
	"errors"

	"consilience/cluster"
	"consilience/command"
	"consilience/delta"
	"consilience/fleet"
	"consilience/reason"
)

// Apply merges one entry. v is the fleet as the entry sees it, At(e.Seq), and for
// a [FactBody] the fleet with the fact, At(e.Seq+1). An entry at or below the
// space's last sequence is ignored. finder may be nil: then texts join exactly.
//
// Apply returns an error only for a fault of the caller, above all a [*Missing];
// the state is then unchanged. An entry that is refused becomes a rejection, and
// for a delta an outcome, in the plan.
func (s *State) Apply(e Entry, v fleet.View, finder cluster.Finder) (Sweep, error) {
	if e.Seq <= s.Space.LastSeq {
		return Sweep{}, nil
	}
	if s.policy == nil && s.Space.FirstDelta {
		return Sweep{}, reason.New(reason.PolicyInvalid, "no reputation policy of this name").On(s.Space.ReputationPolicy)
	}
	if need := s.Needs(e, v); !need.Empty() {
		return Sweep{}, &Missing{need}
	}
	before := s.Space
	s.Space.LastSeq = e.Seq
	s.Space.Time = max(s.Space.Time, e.Time)
	s.timed(e.Seq)
	w, err := s.dispatch(e, v, finder)
	var missing *Missing
	if errors.As(err, &missing) {
		s.Space = before
		return Sweep{}, err
	}
	if err != nil {
		s.reject(e, err)
		return Sweep{}, nil
	}
	return w, nil
}

// timed keeps the space's time at an entry, for the rows that name its sequence.
func (s *State) timed(seq uint64) {
	if s.changes.plan.Times == nil {
		s.changes.plan.Times = map[uint64]uint64{}
	}
	s.changes.plan.Times[seq] = s.Space.Time
}

// dispatch applies a body. It either returns an error and changes nothing, or
// changes what the entry changes.
func (s *State) dispatch(e Entry, v fleet.View, finder cluster.Finder) (Sweep, error) {
	if e.Refused != nil {
		return Sweep{}, s.refusal(e, v)
	}
	switch b := e.Body.(type) {
	case *DeltaBody:
		return s.applyDelta(e, b, v, finder)
	case *JudgementBody:
		return s.applyJudgement(e, b, v)
	case *ServedBody:
		return Sweep{}, s.applyServed(e, b, v)
	case *SliceBody:
		return Sweep{}, s.applySlice(e, b, v)
	case *FactBody:
		return s.applyFact(e, b, v), nil
	}
	return Sweep{}, reason.New(reason.Malformed, "an entry without a body")
}

// refusal is what an entry that was refused before the merge is answered. A delta
// that was merged stays merged: a key that was rotated away since, or limits that
// are lower now, make a copy of it a duplicate and nothing else.
func (s *State) refusal(e Entry, v fleet.View) error {
	if b, ok := e.Body.(*DeltaBody); ok {
		if n, known := v.Node(b.Delta.Contributor); known && s.merged(n, b) {
			return errDuplicate()
		}
	}
	return e.Refused
}

// reject keeps why an entry changed nothing and tells its contributor.
func (s *State) reject(e Entry, err error) {
	code := reason.Of(err)
	if code == "" {
		code = reason.Malformed
	}
	status := command.StatusRejected
	if code == reason.Duplicate {
		status = command.StatusDuplicate
	}
	if o, ok := s.outcome(e, status); ok {
		if status == command.StatusRejected {
			o.Outcome.Reason = code
		}
		s.changes.plan.Outcomes = append(s.changes.plan.Outcomes, o)
		if status == command.StatusDuplicate {
			return
		}
	}
	s.changes.plan.Rejections = append(s.changes.plan.Rejections, Rejection{
		Seq: e.Seq, Subject: e.Subject, Hash: e.Hash, Reason: string(code), Detail: detail(err), Time: s.Space.Time,
	})
}

// detail is what a refusal says, without its input: an input may be content.
func detail(err error) string {
	var r *reason.Error
	if errors.As(err, &r) {
		return r.Detail
	}
	return ""
}

// outcome begins the outcome of a delta; ok is false for any other entry. A
// message that could not be opened has its contributor from its subject.
func (s *State) outcome(e Entry, status command.Status) (Outcome, bool) {
	o := command.Outcome{Space: s.Space.Name, Status: status, Revision: e.Seq, Items: []command.OutcomeItem{}}
	if b, ok := e.Body.(*DeltaBody); ok && b.ID != (delta.ID{}) {
		o.DeltaID, o.Sequence = b.ID, b.Delta.Sequence
		return Outcome{e.Seq, b.Delta.Contributor, o}, true
	}
	subject, err := command.ParseSubject(e.Subject)
	if err != nil || subject.Kind != command.SubjectDelta {
		return Outcome{}, false
	}
	return Outcome{e.Seq, subject.Signer, o}, true
}
