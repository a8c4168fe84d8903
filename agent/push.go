package agent

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"consilience/agent/local"
	"consilience/command"
	"consilience/delta"
	"consilience/identity"
	"consilience/reason"
)

// Pushed is what a push did.
type Pushed struct {
	Space     string            `json:"space"`
	Published int               `json:"published"` // messages that the log took now
	Outcomes  []command.Outcome `json:"outcomes"`  // that became known now, by sequence
	Pending   int               `json:"pending"`   // published messages without an outcome yet
}

// Rejected counts the outcomes that are rejections.
func (p Pushed) Rejected() int {
	n := 0
	for _, o := range p.Outcomes {
		if o.Status == command.StatusRejected {
			n++
		}
	}
	return n
}

// pollEvery is how often outcomes that were not heard are asked for.
const pollEvery = 500 * time.Millisecond

// askedAtOnce is the number of outcomes asked for in one request.
const askedAtOnce = 256

// Push settles what is open, seals what changed, publishes the outbox of a space and waits for the
// outcomes, at most wait long. Messages that stay without one are settled by the
// next push: Pending counts them, and that is no error. It returns
// [reason.SpaceUnknown] for a space that nobody made and [reason.PermissionDenied] for
// one that the contributor may not propose to: nothing is in the outbox then, and what
// there is to say stays in the local state. It returns [reason.Unreachable] or
// [reason.TimedOut] if the log could not be reached; what was sealed is kept and sent
// by the next push.
func (s *Session) Push(ctx context.Context, space string, wait time.Duration) (Pushed, error) {
	p, err := s.Settle(ctx, space)
	if err != nil && reason.ClassOf(err) != reason.Unavailable {
		return p, err
	}
	if _, err := s.home.Seal(ctx, space); err != nil {
		return p, err
	}
	listening, stop := context.WithCancel(ctx)
	defer stop()
	heard := make(chan []byte, 64)
	err = s.link.Outcomes(listening, func(data []byte) {
		select {
		case heard <- data:
		case <-listening.Done():
		}
	})
	if err != nil {
		return p, err
	}
	sent, err := s.Publish(ctx, space)
	if err != nil {
		return p, s.denied(ctx, space, err)
	}
	p.Published = sent.Messages
	err = s.await(ctx, &p, wait, heard)
	slices.SortFunc(p.Outcomes, func(a, b command.Outcome) int { return cmp.Compare(a.Sequence, b.Sequence) })
	return p, err
}

// denied says of a publish that the server did not let through what space it is about,
// and whether there is one: the server knows no spaces, only who may publish where. A
// contributor that the service does not know is not told what spaces there are.
func (s *Session) denied(ctx context.Context, space string, err error) error {
	if reason.Of(err) != reason.PermissionDenied {
		return err
	}
	return cmp.Or(s.CheckSpace(ctx, space),
		error(reason.New(reason.PermissionDenied, "nothing was sent: the server does not let the contributor propose to the space").On(space).
			Advise("an operator enrolls it with: reconciler enroll PUBLIC-KEY-FILE --name NAME --space %s; then push again", space)))
}

// await settles the open messages of a space as their outcomes arrive. Not being
// able to ask is no error here: the messages are on the log. Being refused is one,
// once the wait is over: until then an outcome may still be heard.
func (s *Session) await(ctx context.Context, p *Pushed, wait time.Duration, heard <-chan []byte) error {
	deadline := time.NewTimer(wait)
	defer deadline.Stop()
	poll := time.NewTicker(pollEvery)
	defer poll.Stop()
	var refusal error
	for {
		open, err := s.open(ctx, p.Space)
		if p.Pending = len(open); err != nil || len(open) == 0 {
			return err
		}
		select {
		case data := <-heard:
			err = s.settleHeard(ctx, p, data)
		case <-poll.C:
			err = s.settleAsked(ctx, p, open)
		case <-deadline.C:
			return refusal
		case <-ctx.Done():
			return reason.Wrap(reason.TimedOut, ctx.Err(), "stopped while waiting for outcomes")
		}
		if refusal = err; reason.ClassOf(err) == reason.Unavailable {
			refusal = nil
		}
	}
}

// Settle asks for the outcomes of a space's open messages once.
func (s *Session) Settle(ctx context.Context, space string) (Pushed, error) {
	p := Pushed{Space: space, Outcomes: []command.Outcome{}}
	open, err := s.open(ctx, space)
	if err == nil && len(open) > 0 {
		err = s.settleAsked(ctx, &p, open)
	}
	p.Pending = len(open) - len(p.Outcomes)
	return p, err
}

func (s *Session) open(ctx context.Context, space string) ([]delta.ID, error) {
	var ids []delta.ID
	err := s.home.update(ctx, func(tx *local.Tx) error {
		open, err := tx.Open(space)
		for _, o := range open {
			ids = append(ids, o.Delta)
		}
		return err
	})
	return ids, err
}

// settleHeard takes in an outcome that was published. What is not signed by the
// service is dropped: anybody may publish. A "duplicate" is asked about, since the
// first outcome says more.
func (s *Session) settleHeard(ctx context.Context, p *Pushed, data []byte) error {
	if err := s.trust(ctx); err != nil {
		return err
	}
	o, envelope, err := command.OpenOutcome(data)
	if err != nil || s.verify(envelope, identity.PurposeReply) != nil || o.Status == command.StatusDuplicate {
		return nil
	}
	return s.settle(ctx, p, o)
}

// settleAsked asks for outcomes and takes them in.
func (s *Session) settleAsked(ctx context.Context, p *Pushed, open []delta.ID) error {
	for len(open) > 0 {
		n := min(askedAtOnce, len(open))
		body, err := s.ask(ctx, command.VerbOutcome, p.Space, command.OutcomeRequest{Deltas: open[:n]})
		if err != nil {
			return err
		}
		open = open[n:]
		for _, document := range body.(command.OutcomeReply).Outcomes {
			o, err := command.DecodeOutcome(document)
			if err != nil {
				return err
			}
			if err := s.settle(ctx, p, o); err != nil {
				return err
			}
		}
	}
	return nil
}

// settle keeps an outcome: where the records went, or, after a rejection, that
// what the message carried is unsent again. An outcome of a message that is
// settled or not ours changes nothing.
func (s *Session) settle(ctx context.Context, p *Pushed, o command.Outcome) error {
	if o.Space != p.Space {
		return nil
	}
	return s.home.update(ctx, func(tx *local.Tx) error {
		ours, err := tx.Settle(o.DeltaID, string(o.Status), string(o.Reason))
		if err != nil || !ours {
			return err
		}
		p.Outcomes = append(p.Outcomes, o)
		if o.Status == command.StatusRejected {
			return tx.Free(o.DeltaID)
		}
		var placed []error
		for _, item := range o.Items {
			if item.Action != command.ActionDoubted {
				placed = append(placed, tx.Place(o.Space, item.RecordID, item.ItemID))
			}
		}
		return errors.Join(placed...)
	})
}
