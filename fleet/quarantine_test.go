package fleet

import (
	"reflect"
	"testing"

	"consilience/command"
	"consilience/lineage"
	"consilience/reason"
)

// Q6: one quarantine per target; release removes it, an ancestor's still masks.
func TestQuarantine(t *testing.T) {
	l := newLog(t, 1)
	l.must(l.enroll("a"))
	l.must(l.derive("b", "a"))
	l.must(l.derive("c", "b"))
	release := func(who string) func() (Effect, error) {
		return func() (Effect, error) {
			return l.say(command.KindRelease, command.Release{Contributor: idOf(who)})
		}
	}
	l.refused(reason.NotQuarantined, release("a"))
	l.refused(reason.ContributorUnknown, release("x"))
	e := l.must(l.say(command.KindQuarantine, command.Quarantine{Contributor: idOf("b"), Since: 2, All: true}))
	if !reflect.DeepEqual(e.Sweep.Nodes, []lineage.Node{2, 3}) {
		t.Errorf("sweep is %+v", e.Sweep)
	}
	l.must(l.say(command.KindQuarantine, command.Quarantine{Contributor: idOf("b")}))
	l.must(l.say(command.KindQuarantine, command.Quarantine{Contributor: idOf("a")}))
	if qs := l.view().Lineage().Quarantines(); len(qs) != 2 || qs[1].Since != 0 || qs[1].All {
		t.Errorf("quarantines are %+v", qs)
	}
	l.must(release("b")())
	l.refused(reason.NotQuarantined, release("b"))
	if !l.view().Lineage().Masked(3, 1) {
		t.Error("the ancestor's quarantine is gone")
	}
	l.must(release("a")())
	if l.view().Lineage().Masked(3, 1) {
		t.Error("a released subtree is masked")
	}
}
