package reconcile

import (
	"consilience/command"
	"consilience/fleet"
	"consilience/identity"
	"consilience/reason"
)

// access says what a verb asks of whoever sends it.
type access struct {
	stranger bool // answered to those that the fleet does not know yet
	shown    bool // shows contents of a space: not to the retired or quarantined
}

var accesses = map[command.Verb]access{
	command.VerbSlice:   {shown: true},
	command.VerbPage:    {shown: true},
	command.VerbRecord:  {shown: true},
	command.VerbRecall:  {shown: true},
	command.VerbOutcome: {},
	command.VerbDerive:  {stranger: true},
	command.VerbHealth:  {stranger: true},
}

// authorise checks that the request came under its own subject, now, for this
// store, signed by the contributor's current key, and that the space is granted.
func (s *Service) authorise(subject string, q command.Request, e identity.Envelope) (Asked, error) {
	asked := Asked{Request: q}
	switch {
	case subject != command.APISubject(q.Verb, q.Contributor):
		return asked, reason.New(reason.SubjectMismatch, "the subject names another verb or contributor than the request")
	case q.Store != s.store:
		return asked, reason.New(reason.StoreMismatch, "signed for another store")
	}
	now := uint64(s.clock.Now().UnixMilli())
	if age := uint64(requestAge.Milliseconds()); q.Time+age < now || q.Time > now+age {
		return asked, reason.New(reason.RequestStale, "the request's time is over two minutes from the service's").Advise("set the clock and ask again")
	}
	if err := s.authenticate(q, e, &asked); err != nil {
		return asked, err
	}
	if q.Verb == command.VerbHealth { // it needs no signature, and its nonce is whatever anybody makes up
		return asked, nil
	}
	if !s.nonces.fresh(q.Contributor, q.Nonce, s.clock.Now()) {
		return asked, reason.New(reason.RequestStale, "the same request was answered already").Advise("ask again with a new nonce")
	}
	return asked, s.admit(&asked)
}

// authenticate checks the signature.
func (s *Service) authenticate(q command.Request, e identity.Envelope, asked *Asked) error {
	var key identity.PublicKey
	var owner identity.ID
	var current, known bool
	s.fleet.Now(func(v fleet.View) {
		key, owner, current, known = v.Key(e.KeyID)
		if c, ok := v.Contributor(q.Contributor); ok {
			asked.Node = c.Node
		}
	})
	if !known && accesses[q.Verb].stranger {
		return authenticateStranger(q, e)
	}
	switch {
	case !known:
		return reason.New(reason.KeyUnknown, "the key belongs to nobody")
	case !current:
		return reason.New(reason.KeyNotCurrent, "the key was rotated away")
	case owner != q.Contributor:
		return reason.New(reason.AuthorMismatch, "the request is signed by another contributor's key")
	}
	return e.Verify(identity.PurposeRequest, key)
}

// authenticateStranger checks a request from somebody whose key is on no log: a
// child that is being derived shows its key in the command, and whoever asks for
// health is told what everybody may know.
func authenticateStranger(q command.Request, e identity.Envelope) error {
	if q.Verb == command.VerbHealth {
		return nil
	}
	m, err := command.Open(q.Body.(command.DeriveRequest).Command)
	if err != nil {
		return err
	}
	child := m.Command.Body.(command.Derive).Child
	if child.ID() != q.Contributor {
		return reason.New(reason.AuthorMismatch, "a derive is asked for by its child")
	}
	return e.Verify(identity.PurposeRequest, child)
}

// admit checks that the contributor may have what it asks for, and names the space.
func (s *Service) admit(q *Asked) (err error) {
	a := accesses[q.Verb]
	if a.stranger {
		return nil
	}
	s.fleet.Now(func(v fleet.View) {
		var known bool
		if q.Space, known = v.Space(q.Request.Space); !known {
			err = reason.New(reason.SpaceUnknown, "no such space")
			return
		}
		if !v.Admitted(q.Node, q.Request.Space) {
			err = reason.New(reason.NotAdmitted, "the contributor is not enrolled for the space")
			return
		}
		if a.shown {
			err = mayBeShown(v, q)
		}
	})
	return err
}

// mayBeShown refuses those that a space shows nothing to.
func mayBeShown(v fleet.View, q *Asked) error {
	if v.Lineage().Retired(q.Node) {
		return reason.New(reason.ContributorRetired, "the contributor was retired")
	}
	if _, masked := v.Lineage().Mask(q.Node); masked {
		return reason.New(reason.ContributorQuarantined, "the contributor, or one that it derives from, is quarantined")
	}
	return nil
}
