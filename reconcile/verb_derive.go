package reconcile

import (
	"context"
	"slices"

	"consilience/command"
	"consilience/fleet"
	"consilience/identity"
	"consilience/reason"
)

// derive publishes a derive command for contributors, who cannot write to the
// fleet's subjects, and answers with what the fold made of it.
func (s *Service) derive(ctx context.Context, q Asked) (any, error) {
	raw := q.Body.(command.DeriveRequest).Command
	m, err := command.Open(raw)
	if err != nil {
		return nil, err
	}
	if err := s.checkDerive(m, q); err != nil {
		return nil, err
	}
	seq, err := s.log.Publish(ctx, command.SubjectFor(command.KindDerive, "", q.Contributor), raw)
	if err != nil {
		return nil, err
	}
	if err := s.fleet.Wait(ctx, seq); err != nil {
		return nil, reason.Wrap(reason.TimedOut, err, "the command is on the log and not yet folded").Advise("ask for health, and look for the child")
	}
	if _, refusal, _ := s.fleet.Fact(seq); refusal != nil {
		return nil, refusal
	}
	return command.DeriveReply{Command: m.ID}, nil
}

// checkDerive keeps off the log what the fold would refuse for its form or its
// signatures: anybody may ask.
func (s *Service) checkDerive(m command.Message, q Asked) error {
	d := m.Command.Body.(command.Derive)
	switch {
	case m.Command.Store != s.store:
		return reason.New(reason.StoreMismatch, "signed for another store")
	case d.Child.ID() != q.Contributor:
		return reason.New(reason.AuthorMismatch, "a derive is asked for by its child")
	}
	for _, e := range m.Envelopes {
		key, err := s.deriveKey(d, e.KeyID)
		if err != nil {
			return err
		}
		if err := e.Verify(identity.PurposeCommand, key); err != nil {
			return err
		}
	}
	return nil
}

// deriveKey is the key of one who signs a derive: the child, or a parent whose
// key is current.
func (s *Service) deriveKey(d command.Derive, kid identity.KeyID) (key identity.PublicKey, err error) {
	if kid == d.Child.KeyID() {
		return d.Child, nil
	}
	s.fleet.Now(func(v fleet.View) {
		k, owner, current, known := v.Key(kid)
		switch {
		case !known || !slices.Contains(d.Parents, owner):
			err = reason.New(reason.ParentUnknown, "signed by a key that is no parent's")
		case !current:
			err = reason.New(reason.KeyNotCurrent, "signed by a key that was rotated away")
		}
		key = k
	})
	return key, err
}
