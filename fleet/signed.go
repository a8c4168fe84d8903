package fleet

import (
	"consilience/command"
	"consilience/identity"
	"consilience/reason"
)

// signedByFounder: a genesis is signed by an operator that it lists.
func (s *State) signedByFounder(f Fact, m command.Message) error {
	e := m.Envelopes[0]
	for _, k := range m.Command.Body.(command.Genesis).Operators {
		if k.KeyID() == e.KeyID {
			return s.verify(f, e, k)
		}
	}
	return reason.New(reason.SignerNotOperator, "a genesis is signed by an operator that it lists")
}

// signedByOperator: by one operator, whose id the subject names.
func (s *State) signedByOperator(f Fact, m command.Message) error {
	e := m.Envelopes[0]
	key, ok := s.inForce(command.RoleOperator, e.KeyID, f.Seq)
	if !ok {
		return reason.New(reason.SignerNotOperator, "not signed by an operator key in force")
	}
	return s.verify(f, e, key)
}

// verify checks the only signature of a fact and that the subject names its signer.
func (s *State) verify(f Fact, e identity.Envelope, key identity.PublicKey) error {
	if key.ID() != f.Subject.Signer {
		return reason.New(reason.SubjectMismatch, "the subject names another signer than the key")
	}
	return e.Verify(identity.PurposeCommand, key)
}

// signedByThreshold: by as many operators as genesis asks for, one of whom the
// subject names.
func (s *State) signedByThreshold(f Fact, m command.Message) error {
	named := false
	for _, e := range m.Envelopes {
		key, ok := s.inForce(command.RoleOperator, e.KeyID, f.Seq)
		if !ok {
			return reason.New(reason.SignerNotOperator, "signed by what is no operator key in force")
		}
		if err := e.Verify(identity.PurposeCommand, key); err != nil {
			return err
		}
		named = named || key.ID() == f.Subject.Signer
	}
	if uint64(len(m.Envelopes)) < s.threshold {
		return reason.New(reason.ThresholdNotMet, "%d signatures, genesis asks for %d", len(m.Envelopes), s.threshold)
	}
	if !named {
		return reason.New(reason.SubjectMismatch, "the subject names none of the signers")
	}
	return nil
}

// signedByFamily: by every parent and the child, one of whom the subject names.
func (s *State) signedByFamily(f Fact, m command.Message) error {
	d := m.Command.Body.(command.Derive)
	view := s.At(f.Seq)
	signer, named := map[identity.ID]bool{}, false
	for _, e := range m.Envelopes {
		key, owner, err := view.signerOf(e.KeyID, d.Child)
		if err != nil {
			return err
		}
		if err := e.Verify(identity.PurposeCommand, key); err != nil {
			return err
		}
		signer[owner] = true
		named = named || owner == f.Subject.Signer
	}
	for _, p := range append([]identity.ID{d.Child.ID()}, d.Parents...) {
		if _, known := view.Contributor(p); !known && p != d.Child.ID() {
			return reason.New(reason.ParentUnknown, "a parent is unknown")
		}
		if !signer[p] {
			return reason.New(reason.ThresholdNotMet, "derive is signed by every parent and the child")
		}
	}
	if !named {
		return reason.New(reason.SubjectMismatch, "the subject names neither a parent nor the child")
	}
	return nil
}

// signerOf returns the key that signed a derive, and whose it is.
func (v View) signerOf(kid identity.KeyID, child identity.PublicKey) (identity.PublicKey, identity.ID, error) {
	if kid == child.KeyID() {
		return child, child.ID(), nil
	}
	key, owner, current, known := v.Key(kid)
	switch {
	case !known:
		return key, owner, reason.New(reason.ParentUnknown, "signed by a key that belongs to nobody")
	case !current:
		return key, owner, reason.New(reason.KeyNotCurrent, "signed by a key that was rotated away")
	}
	return key, owner, nil
}
