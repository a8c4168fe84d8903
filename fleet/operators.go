package fleet

import (
	"consilience/command"
	"consilience/identity"
	"consilience/reason"
)

func (s *State) genesis(f Fact, e *Effect) error {
	g := e.Command.Command.Body.(command.Genesis)
	s.threshold = g.Threshold
	s.addKeys(command.RoleOperator, f.Seq, g.Operators)
	s.addKeys(command.RoleService, f.Seq, g.Services)
	e.Target, e.Summary = "store", "the store is founded"
	return nil
}

func (s *State) operators(f Fact, e *Effect) error {
	o := e.Command.Command.Body.(command.Operators)
	left := len(o.Add)
	for kid := range s.roles[o.Role] {
		if _, ok := s.inForce(o.Role, kid, f.Seq); ok {
			left++
		}
	}
	for _, k := range o.Remove {
		if _, ok := s.inForce(o.Role, k.KeyID(), f.Seq); !ok {
			return reason.New(reason.KeyUnknown, "a key to remove is not in force")
		}
		left--
	}
	for _, k := range o.Add {
		if err := s.checkRoleKey(o.Role, k, f.Seq); err != nil {
			return err
		}
	}
	if o.Role == command.RoleOperator && uint64(left) < s.threshold {
		return reason.New(reason.ThresholdNotMet, "would leave %d operators, genesis asks for %d signatures", left, s.threshold)
	}
	for _, k := range o.Remove {
		s.endTerm(o.Role, k.KeyID(), f.Seq)
	}
	s.addKeys(o.Role, f.Seq, o.Add)
	e.Target, e.Summary = o.Role, "the "+o.Role+" keys change"
	return nil
}

// checkRoleKey refuses a key that is in force already, or that another identity
// owns: a key id belongs to one for ever.
func (s *State) checkRoleKey(role string, k identity.PublicKey, seq uint64) error {
	if _, ok := s.inForce(role, k.KeyID(), seq); ok {
		return reason.New(reason.AlreadyKnown, "a key to add is in force already")
	}
	if ck, ok := s.keys[k.KeyID()]; ok && s.contributors[ck.owner-1].id != k.ID() {
		return reason.New(reason.AlreadyKnown, "a key to add is a contributor's later key")
	}
	return nil
}

func (s *State) addKeys(role string, seq uint64, keys []identity.PublicKey) {
	for _, k := range keys {
		s.roles[role][k.KeyID()] = append(s.roles[role][k.KeyID()], term{key: k, from: seq})
	}
}

func (s *State) endTerm(role string, kid identity.KeyID, seq uint64) {
	terms := s.roles[role][kid]
	terms[len(terms)-1].until = seq
}

// isRoleKey reports whether the key was ever an operator's or a service's.
func (s *State) isRoleKey(kid identity.KeyID) bool {
	return len(s.roles[command.RoleOperator][kid])+len(s.roles[command.RoleService][kid]) > 0
}

func (s *State) space(f Fact, e *Effect) error {
	b := e.Command.Command.Body.(command.Space)
	if _, ok := s.spaces[b.Name]; ok {
		return reason.New(reason.AlreadyKnown, "the space exists").On(b.Name)
	}
	s.spaceNames = append(s.spaceNames, b.Name)
	s.spaces[b.Name] = &space{
		num: int32(len(s.spaceNames)), seq: f.Seq, at: f.Time,
		policies: []policyAt{{f.Seq, b.Policy}},
	}
	e.Target, e.Summary = b.Name, "space "+b.Name+" is created"
	return nil
}

func (s *State) policy(f Fact, e *Effect) error {
	b := e.Command.Command.Body.(command.PolicyChange)
	sp, ok := s.spaces[b.Space]
	if !ok {
		return reason.New(reason.SpaceUnknown, "no such space").On(b.Space)
	}
	sp.policies = append(sp.policies, policyAt{f.Seq, b.Policy})
	e.Target, e.Summary = b.Space, "the policy of space "+b.Space+" changes"
	e.Sweep = Sweep{All: true, Space: b.Space}
	return nil
}
