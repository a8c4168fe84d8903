package merge

// changes tracks what changed since the last drain.
type changes struct{ plan Plan }

// Drain returns everything that changed since the last Drain and starts anew; the
// state stays usable.
func (s *State) Drain() *Plan {
	p := s.changes.plan
	s.changes = changes{}
	p.Space = s.Space
	return &p
}
