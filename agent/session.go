package agent

import (
	"context"
	"io"

	"consilience/command"
	"consilience/delta"
	"consilience/fleet"
	"consilience/identity"
	"consilience/reason"
)

// Session is a home that reaches its store. It is used by one goroutine.
type Session struct {
	home  *Home
	link  Link
	store [32]byte
	// keys are the store's service keys; nil until the store was asked for them.
	keys *fleet.View
}

// Connect opens a session of a home that is bound to a store (see [Home.Bind])
// over link. Nothing is sent yet. It returns [reason.NotFound] for a home that
// knows no store.
func (h *Home) Connect(link Link) (*Session, error) {
	store, err := h.Store()
	if err != nil {
		return nil, err
	}
	return &Session{home: h, link: link, store: store}, nil
}

// ask sends a request and returns the body of the reply, whose signature by a
// service key of the store it has checked. It returns the service's refusal,
// [reason.SignerNotService], [reason.SignatureInvalid], [reason.ReplyMismatch],
// and what [Link.Request] returns.
func (s *Session) ask(ctx context.Context, verb command.Verb, space string, body any) (any, error) {
	if err := s.trust(ctx); err != nil {
		return nil, err
	}
	reply, envelope, err := s.exchange(ctx, verb, space, body)
	if err != nil {
		return nil, err
	}
	if err := s.verify(envelope, identity.PurposeReply); err != nil {
		return nil, err
	}
	return reply.Body, inSpace(space, reply.Err())
}

// inSpace says what to do about a refusal of the service, and names the space that it is
// about.
func inSpace(space string, err error) error {
	if space == "" {
		return err
	}
	switch reason.Of(err) {
	case reason.KeyUnknown:
		return reason.New(reason.KeyUnknown, "the store does not know the contributor").
			Advise("an operator enrolls it with: reconciler enroll PUBLIC-KEY-FILE --name NAME --space %s", space)
	case reason.SpaceUnknown:
		return reason.New(reason.SpaceUnknown, "no such space").On(space).Advise("an operator makes it with: reconciler space create %s", space)
	case reason.NotAdmitted:
		return reason.New(reason.NotAdmitted, "the contributor is not enrolled for the space").On(space).
			Advise("an operator enrolls it with: reconciler enroll PUBLIC-KEY-FILE --name NAME --space %s", space)
	}
	return err
}

// CheckSpace returns [reason.SpaceUnknown] for a space that the service says there is
// not. What it does not answer, to a contributor that it does not know or because it
// is away, is no error here.
func (s *Session) CheckSpace(ctx context.Context, space string) error {
	_, err := s.ask(ctx, command.VerbOutcome, space, command.OutcomeRequest{Deltas: []delta.ID{{}}})
	if reason.Of(err) == reason.SpaceUnknown {
		return err
	}
	return nil
}

// exchange sends a request and reads the reply to it, whose signature is still to
// be checked.
func (s *Session) exchange(ctx context.Context, verb command.Verb, space string, body any) (command.Reply, identity.Envelope, error) {
	request := command.Request{
		Verb: verb, Store: s.store, Space: space, Contributor: s.home.ID(), Time: s.home.now(), Body: body,
	}
	if _, err := io.ReadFull(s.home.options.Rand, request.Nonce[:]); err != nil {
		return command.Reply{}, identity.Envelope{}, err
	}
	raw, err := s.link.Request(ctx, command.APISubject(verb, s.home.ID()), command.SealRequest(request, s.home.key))
	if err != nil {
		return command.Reply{}, identity.Envelope{}, err
	}
	reply, envelope, err := command.OpenReply(raw)
	if err == nil {
		err = reply.Answers(request)
	}
	return reply, envelope, err
}

// trust learns the store's service keys, once: the store id is the hash of the
// genesis, genesis names the first keys, and the operators of each moment sign
// the next ones. A service that is not of this store cannot make them up.
func (s *Session) trust(ctx context.Context) error {
	if s.keys != nil {
		return nil
	}
	reply, envelope, err := s.exchange(ctx, command.VerbHealth, "", command.HealthRequest{})
	if err != nil {
		return err
	}
	if err := reply.Err(); err != nil {
		return err
	}
	health := reply.Body.(command.HealthReply)
	state := fleet.New(s.store)
	for i, raw := range append([][]byte{health.Genesis}, health.Operators...) {
		if err := applyFact(state, uint64(i+1), raw); err != nil {
			return err
		}
	}
	view := state.At(state.LastSeq() + 1)
	s.keys = &view
	if err := s.verify(envelope, identity.PurposeReply); err != nil {
		s.keys = nil
		return err
	}
	return nil
}

// applyFact folds one fact that vouches for the service. Its place among the
// facts that are not shown does not matter to the keys; its order does.
func applyFact(state *fleet.State, seq uint64, raw []byte) error {
	m, err := command.Open(raw)
	if err != nil {
		return err
	}
	subject := command.Subject{
		Class: command.ClassFleet, Kind: string(m.Command.Kind), Signer: identity.ID(m.Envelopes[0].KeyID),
	}
	_, err = state.Apply(fleet.Fact{Seq: seq, Subject: subject, Raw: raw})
	return err
}

// verify checks that a service key of the store signed an envelope.
func (s *Session) verify(e identity.Envelope, p identity.Purpose) error {
	if s.keys == nil || !s.keys.Service(e.KeyID) {
		return reason.New(reason.SignerNotService, "not signed by a service of this store").
			Advise("check that the address is this store's")
	}
	key, _, _, _ := s.keys.Key(e.KeyID)
	return e.Verify(p, key)
}
