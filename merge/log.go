package merge

import (
	"consilience/command"
	"consilience/fleet"
	"consilience/lineage"
	"consilience/reason"
	"consilience/reputation"
)

// applyServed keeps what was shown to a contributor, and with it to its lineage.
func (s *State) applyServed(e Entry, b *ServedBody, v fleet.View) error {
	n, ok := v.Node(b.Contributor)
	if !ok {
		return reason.New(reason.ContributorUnknown, "contents were emitted to an unknown contributor")
	}
	root := v.Lineage().Root(n)
	for _, c := range b.Contents {
		k := ExposureKey{root, c}
		if s.exposures[k] == 0 {
			s.exposures[k] = e.Seq
		}
		s.changes.plan.Exposures = append(s.changes.plan.Exposures, Exposure{
			Root: root, Contributor: n, Content: c, Seq: e.Seq, How: b.How,
		})
	}
	return nil
}

// applySlice keeps that a slice was issued.
func (s *State) applySlice(e Entry, b *SliceBody, v fleet.View) error {
	n, ok := v.Node(b.Contributor)
	if !ok {
		return reason.New(reason.ContributorUnknown, "a slice was issued to an unknown contributor")
	}
	k := SliceKey(b.Digest)
	if s.slices[k] != nil {
		return nil
	}
	issued := IssuedSlice{Contributor: n, Digest: k, Revision: b.Revision, Seq: e.Seq}
	s.slices[k] = &issued
	s.changes.plan.Slices = append(s.changes.plan.Slices, issued)
	return nil
}

// applyFact lets a fleet fact act on the space: a mask, an origin or the space's
// policy touches stances, a voucher an existing reputation.
func (s *State) applyFact(e Entry, b *FactBody, v fleet.View) Sweep {
	t := s.step(e.Seq, v, string(b.Kind), b.Command.ID.String())
	if b.Vouched != 0 && s.reps[b.Node] != nil {
		for range reputation.VouchedCredits {
			t.give(b.Node, reputation.Confirmed, int(b.Vouched))
		}
	}
	w := t.finish()
	if p, ok := b.Command.Command.Body.(command.PolicyChange); ok {
		w.All = p.Space == s.Space.Name
		s.keepReputationPolicy(e, p)
	}
	w.Nodes = append([]lineage.Node(nil), b.Sweep.Nodes...)
	return w
}

// keepReputationPolicy says so where a policy would change how reputation is
// computed: it is fixed at the space's first delta (rulings Q15). The rest of the
// policy is in force.
func (s *State) keepReputationPolicy(e Entry, p command.PolicyChange) {
	if p.Space == s.Space.Name && s.Space.FirstDelta && p.Policy.Reputation != s.Space.ReputationPolicy {
		s.reject(e, reason.New(reason.PolicyFixed, "the reputation policy stays %s", s.Space.ReputationPolicy))
	}
}
