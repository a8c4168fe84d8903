package fleet

import (
	"testing"

	"consilience/command"
	"consilience/reason"
)

// Spaces and policies act from their sequence on; names are unique.
func TestSpaces(t *testing.T) {
	l := newLog(t, 1)
	p := command.DefaultPolicy()
	l.must(l.say(command.KindSpace, command.Space{Name: "s", Policy: p}))
	l.refused(reason.AlreadyKnown, func() (Effect, error) {
		return l.say(command.KindSpace, command.Space{Name: "s", Policy: p})
	})
	p.R0 = 500_000
	l.refused(reason.SpaceUnknown, func() (Effect, error) {
		return l.say(command.KindPolicy, command.PolicyChange{Space: "t", Policy: p})
	})
	e := l.must(l.say(command.KindPolicy, command.PolicyChange{Space: "s", Policy: p}))
	if !e.Sweep.All || e.Sweep.Space != "s" {
		t.Errorf("sweep is %+v", e.Sweep)
	}
	l.must(l.say(command.KindSpace, command.Space{Name: "t", Policy: p}))
	was, _ := l.state.At(e.Seq).Space("s")
	is, _ := l.view().Space("s")
	if was.Policy.R0 != 300_000 || is.Policy.R0 != 500_000 || is.Num != 1 {
		t.Errorf("policies are %d and %d", was.Policy.R0, is.Policy.R0)
	}
	if _, known := l.state.At(2).Space("s"); known || len(l.view().Spaces()) != 2 {
		t.Error("a space is known before it is created")
	}
}
