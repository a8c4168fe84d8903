package fleet

import (
	"consilience/command"
	"consilience/identity"
	"consilience/lineage"
	"consilience/reason"
)

func (s *State) enroll(f Fact, e *Effect) error {
	b := e.Command.Command.Body.(command.Enroll)
	if k, ok := s.keys[b.Key.KeyID()]; ok {
		return s.enrollAgain(f, e, k.owner, b)
	}
	if _, ok := s.names[b.Name]; ok {
		return reason.New(reason.NameTaken, "the name is in use").On(b.Name)
	}
	n := s.graph.Root(f.Seq, b.Origin)
	s.addContributor(f, n, b.Key, b.Name)
	s.contributors[n-1].enrolments = []enrolment{{f.Seq, b}}
	s.about(e, n, "is enrolled")
	return nil
}

// enrollAgain changes spaces, origin and vouching, and nothing else (rulings Q20).
func (s *State) enrollAgain(f Fact, e *Effect, n lineage.Node, b command.Enroll) error {
	c := &s.contributors[n-1]
	if len(c.enrolments) == 0 {
		return reason.New(reason.AlreadyKnown, "the contributor is a derived one: its root is what is enrolled")
	}
	before := c.enrolments[len(c.enrolments)-1]
	switch {
	case c.retired != 0:
		return reason.New(reason.ContributorRetired, "the contributor is retired")
	case b.Name != c.name:
		return reason.New(reason.AlreadyKnown, "the contributor is enrolled under another name").On(b.Name)
	case b.Reputation != 0 && b.Reputation != before.Reputation:
		return reason.New(reason.AlreadyKnown, "the contributor was enrolled with another reputation, which stays")
	}
	b.Reputation = before.Reputation
	c.enrolments = append(c.enrolments, enrolment{f.Seq, b})
	s.about(e, n, "is enrolled again")
	switch {
	case b.Vouched && !before.Vouched:
		e.Vouched = 1
	case !b.Vouched && before.Vouched:
		e.Vouched = -1
	}
	if b.Origin != before.Origin {
		s.graph.SetOrigin(f.Seq, n, b.Origin)
		e.Sweep.Nodes = s.graph.At(f.Seq + 1).Subtree(n)
	}
	return nil
}

func (s *State) derive(f Fact, e *Effect) error {
	b := e.Command.Command.Body.(command.Derive)
	if _, ok := s.keys[b.Child.KeyID()]; ok {
		return reason.New(reason.AlreadyKnown, "the child is known")
	}
	if _, ok := s.names[b.Name]; ok {
		return reason.New(reason.NameTaken, "the name is in use").On(b.Name)
	}
	parents := make([]lineage.Node, len(b.Parents))
	for i, p := range b.Parents {
		parents[i] = s.nodes[p]
	}
	n, err := s.graph.Derive(f.Seq, parents)
	if err != nil {
		return err
	}
	s.addContributor(f, n, b.Child, b.Name)
	s.about(e, n, "is derived")
	return nil
}

func (s *State) addContributor(f Fact, n lineage.Node, key identity.PublicKey, name string) {
	s.contributors = append(s.contributors, contributor{
		id: key.ID(), name: name, seq: f.Seq, at: f.Time, keys: []identity.KeyID{key.KeyID()},
	})
	s.nodes[key.ID()] = n
	s.names[name] = n
	s.keys[key.KeyID()] = &contributorKey{key: key, owner: n, from: f.Seq}
}

func (s *State) rotate(f Fact, e *Effect) error {
	b := e.Command.Command.Body.(command.Rotate)
	n, err := s.target(b.Contributor)
	if err != nil {
		return err
	}
	if s.contributors[n-1].retired != 0 {
		return reason.New(reason.ContributorRetired, "the contributor is retired")
	}
	kid := b.Key.KeyID()
	if _, ok := s.keys[kid]; ok || s.isRoleKey(kid) {
		return reason.New(reason.AlreadyKnown, "the key belongs to an identity already")
	}
	c := &s.contributors[n-1]
	s.keys[c.keys[len(c.keys)-1]].until = f.Seq
	s.keys[kid] = &contributorKey{key: b.Key, owner: n, from: f.Seq}
	c.keys = append(c.keys, kid)
	s.about(e, n, "gets its next key")
	return nil
}

func (s *State) retire(f Fact, e *Effect) error {
	n, err := s.target(e.Command.Command.Body.(command.Retire).Contributor)
	if err != nil {
		return err
	}
	c := &s.contributors[n-1]
	if c.retired != 0 {
		return reason.New(reason.ContributorRetired, "the contributor is retired already")
	}
	c.retired, c.retiredAt = f.Seq, f.Time
	s.graph.Retire(f.Seq, n)
	s.about(e, n, "is retired")
	return nil
}

func (s *State) quarantine(f Fact, e *Effect) error {
	b := e.Command.Command.Body.(command.Quarantine)
	n, err := s.target(b.Contributor)
	if err != nil {
		return err
	}
	s.graph.Quarantine(f.Seq, n, b.Since, b.All)
	s.about(e, n, "is quarantined with all that derives from it")
	e.Sweep.Nodes = s.graph.At(f.Seq + 1).Subtree(n)
	return nil
}

func (s *State) release(f Fact, e *Effect) error {
	n, err := s.target(e.Command.Command.Body.(command.Release).Contributor)
	if err != nil {
		return err
	}
	if !s.graph.At(f.Seq).Quarantined(n) {
		return reason.New(reason.NotQuarantined, "the contributor is not the target of a quarantine")
	}
	s.graph.Release(f.Seq, n)
	s.about(e, n, "is released")
	e.Sweep.Nodes = s.graph.At(f.Seq + 1).Subtree(n)
	return nil
}

// target returns the node of a contributor, or [reason.ContributorUnknown].
func (s *State) target(id identity.ID) (lineage.Node, error) {
	n, ok := s.nodes[id]
	if !ok {
		return 0, reason.New(reason.ContributorUnknown, "no such contributor").On(id.String())
	}
	return n, nil
}

// about fills in what a fact was about.
func (s *State) about(e *Effect, n lineage.Node, what string) {
	c := s.contributors[n-1]
	e.Node, e.Target, e.Summary = n, c.id.String(), c.name+" "+what
}
