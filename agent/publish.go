package agent

import (
	"cmp"
	"context"
	"time"

	"consilience/agent/local"
	"consilience/bus"
	"consilience/command"
	"consilience/reason"
)

// Published is what the log took.
type Published struct {
	Messages int // deltas
	Entries  int // statements in them
}

// PublishPatience is how long the log may take to accept what is published. It
// outlasts the election of a new leader; a link goes on trying until then.
const PublishPatience = 30 * time.Second

// Publish sends what the outbox holds for a space, in sequence, and notes that
// the log has it. If the note is lost, the same bytes go again. It waits for no
// outcome; see [Session.Settle] and [Session.Push]. After [reason.PermissionDenied],
// what was refused is unsent again, as if it had never been sealed.
func (s *Session) Publish(ctx context.Context, space string) (Published, error) {
	queue, err := s.home.queue(ctx, space)
	if err != nil || len(queue) == 0 {
		return Published{}, err
	}
	p := Published{Messages: len(queue)}
	messages := make([]bus.Msg, len(queue))
	for i, o := range queue {
		messages[i] = bus.Msg{Subject: command.DeltaSubject(space, s.home.ID()), Data: o.Message}
		p.Entries += o.Entries
	}
	bounded, cancel := context.WithTimeout(ctx, PublishPatience)
	defer cancel()
	if err := s.link.Publish(bounded, messages); err != nil {
		if reason.Of(err) == reason.PermissionDenied {
			err = cmp.Or(s.home.takeBack(ctx, queue), err)
		}
		return Published{}, err
	}
	return p, s.home.update(ctx, func(tx *local.Tx) error {
		for _, o := range queue {
			if err := tx.Published(o.Delta); err != nil {
				return err
			}
		}
		return nil
	})
}

// queue reads what the outbox holds for a space, in sequence, as it was before the
// attempt that it notes.
func (h *Home) queue(ctx context.Context, space string) ([]local.Outgoing, error) {
	var queue []local.Outgoing
	err := h.update(ctx, func(tx *local.Tx) (err error) {
		if queue, err = tx.Unpublished(space); err != nil {
			return err
		}
		for _, o := range queue {
			if err := tx.Tried(o.Delta); err != nil {
				return err
			}
		}
		return nil
	})
	return queue, err
}

// takeBack makes what the server did not let through unsent again: no space holds
// it, and a push after the enrolment, or a change of mind, shall find it among what
// there is to say. A message of an earlier attempt stays, since the log may have it.
func (h *Home) takeBack(ctx context.Context, queue []local.Outgoing) error {
	return h.update(ctx, func(tx *local.Tx) error {
		for _, o := range queue {
			if o.Tried {
				continue
			}
			if err := tx.TakeBack(o.Delta); err != nil {
				return err
			}
		}
		return nil
	})
}
