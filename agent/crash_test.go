package agent_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"consilience/agent"
	"consilience/bus"
	"consilience/command"
	"consilience/delta"
)

// errCut is a connection that breaks.
var errCut = errors.New("the connection broke")

// faultyLink is a real link on which one call goes wrong: it fails before it
// reached the server, or after, when only the answer is lost.
type faultyLink struct {
	agent.Link
	call  *int // counts the calls
	fails int  // the one that goes wrong, from 1
	after bool // it reached the server
}

func (l faultyLink) faulty(try func() error) error {
	*l.call++
	if *l.call != l.fails {
		return try()
	}
	if !l.after {
		return errCut
	}
	return errors.Join(try(), errCut)
}

func (l faultyLink) Publish(ctx context.Context, m []bus.Msg) error {
	return l.faulty(func() error { return l.Link.Publish(ctx, m) })
}

func (l faultyLink) Request(ctx context.Context, subject string, data []byte) (reply []byte, err error) {
	err = l.faulty(func() (err error) {
		reply, err = l.Link.Request(ctx, subject, data)
		return err
	})
	return reply, err
}

func (l faultyLink) Outcomes(ctx context.Context, hear func([]byte)) error {
	return l.faulty(func() error { return l.Link.Outcomes(ctx, hear) })
}

// A crash at any call to the store, before or after the call had its effect, and
// then another start of the program from what lies on disk: nothing is lost, the
// log never sees two messages under one sequence number, and in the end every
// delta is settled and nothing is left to say.
func TestCrashAtEveryCall(t *testing.T) {
	t.Parallel()
	s := plant(t)
	for fails := 1; ; fails++ {
		reached := false
		for _, after := range []bool{false, true} {
			reached = crashAt(t, s, fails, after) || reached
		}
		if !reached {
			if fails < 4 {
				t.Fatalf("a push makes only %d calls", fails-1)
			}
			return
		}
	}
}

// crashAt lets one call of a push go wrong, starts again, and reports whether the
// call was made.
func crashAt(t *testing.T, s *agenttestStore, fails int, after bool) bool {
	t.Helper()
	h := home(t, s, t.Name()+string(rune('a'+fails))+map[bool]string{true: "after", false: "before"}[after])
	first := remember(t, h, "one "+h.ID().String())
	remember(t, h, "two "+h.ID().String(), first)
	calls := 0
	cut := func(l agent.Link) agent.Link { return faultyLink{l, &calls, fails, after} }
	_, err := session(t, s, h, cut).Push(t.Context(), "plant", wait)
	if calls >= fails && err == nil && fails == 1 {
		t.Errorf("call %d went wrong and the push says nothing", fails)
	}
	again := restart(t, h)
	remember(t, again, "three "+h.ID().String())
	if _, err := session(t, s, again).Push(t.Context(), "plant", wait); err != nil {
		t.Fatalf("call %d, after %v: the next push fails: %v", fails, after, err)
	}
	if c, err := again.Diff(t.Context(), "plant"); err != nil || !c.Empty() {
		t.Errorf("call %d, after %v: left to say %+v, %v", fails, after, c, err)
	}
	checkLog(t, s, h)
	return calls >= fails
}

// restart opens the home again, as another process would.
func restart(t *testing.T, h *agent.Home) *agent.Home {
	t.Helper()
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := agent.Open(h.Dir(), agent.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { again.Close() })
	return again
}

// checkLog checks what the log holds of a contributor: three records, each named
// by one delta, and under one sequence number the same bytes only.
func checkLog(t *testing.T, s *agenttestStore, h *agent.Home) {
	t.Helper()
	messages, raw := s.Deltas()
	bySequence := map[uint64][]byte{}
	ids := map[delta.ID]int{}
	records := 0
	for i, m := range messages {
		if m.Delta.Contributor != h.ID() {
			continue
		}
		if known, twice := bySequence[m.Delta.Sequence]; twice && !bytes.Equal(known, raw[i]) {
			t.Errorf("two messages under sequence %d", m.Delta.Sequence)
		}
		bySequence[m.Delta.Sequence] = raw[i]
		if ids[m.ID]++; ids[m.ID] == 1 {
			records += len(m.Records)
		}
	}
	if records != 3 {
		t.Errorf("the log has %d records, 3 were written", records)
	}
}

// A rejected delta's statements are unsent again, and go under another number once
// what was wrong is mended.
func TestRejectionFreesWhatItCarried(t *testing.T) {
	t.Parallel()
	s := plant(t)
	h := stranger(t, s, "eve")
	remember(t, h, "one")
	link := session(t, s, h)
	p, err := link.Push(t.Context(), "plant", wait)
	if err != nil || p.Rejected() != 1 {
		t.Fatalf("push of a stranger: %+v, %v", p, err)
	}
	if c, err := h.Diff(t.Context(), "plant"); err != nil || len(c.New) != 1 {
		t.Fatalf("after the rejection there is %+v, %v", c, err)
	}
	s.Enroll(h.Key().Public(), "eve", "plant")
	p, err = link.Push(t.Context(), "plant", wait)
	if err != nil || len(p.Outcomes) != 1 || p.Outcomes[0].Status != command.StatusMerged {
		t.Fatalf("push after the enrolment: %+v, %v", p, err)
	}
}

// A delta too large for one message goes as several, in order, and all merge.
func TestLargeDeltaGoesAsSeveral(t *testing.T) {
	t.Parallel()
	s := plant(t)
	h, err := agent.Create(t.TempDir(), agent.Options{Name: "big", Limits: delta.Limits{MessageBytes: 4000, Entries: 5, Nesting: 8}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	if err := h.Bind(s.ID, s.URL); err != nil {
		t.Fatal(err)
	}
	s.Enroll(h.Key().Public(), "big", "plant")
	previous := remember(t, h, "record 0")
	for i := 1; i < 23; i++ {
		previous = remember(t, h, "record "+string(rune('a'+i)), previous)
	}
	p, err := session(t, s, h).Push(t.Context(), "plant", wait)
	if err != nil || p.Published != 5 || len(p.Outcomes) != 5 || p.Rejected() != 0 {
		t.Fatalf("push: %d published, %d outcomes, %d rejected, %v", p.Published, len(p.Outcomes), p.Rejected(), err)
	}
	for i, o := range p.Outcomes {
		if o.Sequence != uint64(i+1) {
			t.Errorf("outcome %d is of sequence %d", i, o.Sequence)
		}
	}
}
