package agent_test

import (
	"context"
	"errors"
	"testing"

	"consilience/agent"
	"consilience/bus"
	"consilience/command"
	"consilience/reason"
	"consilience/record"
)

// A push that the server refuses leaves nothing in the outbox: what there is to say is
// unsent, can be taken back as what never left, and goes under a number of its own
// once the contributor is enrolled.
func TestARefusedPushLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	s := plant(t)
	s.Admit()
	h := stranger(t, s, "eve")
	slip := remember(t, h, "a slip of the tongue")
	remember(t, h, "the valve opens at 3 bar")
	if _, err := h.Seal(t.Context(), "plant"); err != nil { // offline, as it were
		t.Fatal(err)
	}
	for range 2 {
		if _, err := session(t, s, h).Push(t.Context(), "plant", wait); reason.Of(err) != reason.PermissionDenied {
			t.Fatalf("push of a stranger: %v", err)
		}
		wantWaiting(t, h, 0)
	}
	if _, err := h.Forget(t.Context(), record.ItemID(slip), 0, ""); err != nil {
		t.Errorf("what never left cannot be taken back: %v", err)
	}
	if c, err := h.Diff(t.Context(), "plant"); err != nil || len(c.New) != 1 {
		t.Fatalf("after the refusal there is %+v, %v", c, err)
	}
	s.Enroll(h.Key().Public(), "eve", "plant")
	s.Deltas() // the server knows of the enrolment
	p, err := session(t, s, h).Push(t.Context(), "plant", wait)
	if err != nil || len(p.Outcomes) != 1 || p.Outcomes[0].Status != command.StatusMerged {
		t.Fatalf("push after the enrolment: %+v, %v", p, err)
	}
	if o := p.Outcomes[0]; len(o.Items) != 1 || o.Sequence != 3 {
		t.Errorf("merged under %d, where two numbers were spent: %+v", o.Sequence, o.Items)
	}
}

func wantWaiting(t *testing.T, h *agent.Home, want int) {
	t.Helper()
	if n, err := h.Waiting(t.Context(), "plant"); err != nil || n != want {
		t.Errorf("%d messages wait, not %d, %v", n, want, err)
	}
}

// deafLink publishes, and never hears that the log has it.
type deafLink struct{ agent.Link }

func (l deafLink) Publish(ctx context.Context, m []bus.Msg) error {
	return errors.Join(l.Link.Publish(ctx, m), errCut)
}

// A message that the log may have is kept, whatever a later attempt is told: its
// bytes are the only ones that may go under its number.
func TestARefusalKeepsWhatTheLogMayHave(t *testing.T) {
	t.Parallel()
	s := plant(t)
	s.Admit()
	h := home(t, s, "alice")
	s.Deltas()
	remember(t, h, "one")
	deaf := func(l agent.Link) agent.Link { return deafLink{l} }
	if _, err := session(t, s, h, deaf).Push(t.Context(), "plant", wait); !errors.Is(err, errCut) {
		t.Fatalf("push: %v", err)
	}
	s.Enroll(h.Key().Public(), "alice") // for no space any more
	s.Deltas()
	remember(t, h, "two")
	if _, err := session(t, s, h).Push(t.Context(), "plant", wait); reason.Of(err) != reason.PermissionDenied {
		t.Fatalf("push after the enrolment ended: %v", err)
	}
	wantWaiting(t, h, 1)
	s.Enroll(h.Key().Public(), "alice", "plant")
	s.Deltas()
	remember(t, h, "three")
	if p, err := session(t, s, h).Push(t.Context(), "plant", wait); err != nil || p.Published != 2 || p.Rejected() != 0 {
		t.Fatalf("push after it began again: %+v, %v", p, err)
	}
	checkLog(t, s, h)
}
