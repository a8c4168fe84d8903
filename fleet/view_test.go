package fleet

import (
	"reflect"
	"testing"

	"consilience/command"
	"consilience/identity"
)

// A view shows what it showed, whatever was folded since; a replay folds to the
// same, with refused facts among the good ones.
func TestViewsAndReplay(t *testing.T) {
	l := newLog(t, 1)
	seen := map[uint64]shown{}
	step := func(e Effect, err error) {
		seen[l.seq+1] = show(l.state.At(l.seq + 1))
	}
	step(l.say(command.KindSpace, command.Space{Name: "s", Policy: command.DefaultPolicy()}))
	step(l.enroll("a"))
	step(l.enroll("a"))
	step(l.enroll("b"))
	step(l.derive("c", "a"))
	step(l.derive("d", "a", "b"))
	step(l.say(command.KindQuarantine, command.Quarantine{Contributor: idOf("a"), Since: 3}))
	step(l.say(command.KindRotate, command.Rotate{Contributor: idOf("b"), Key: publicOf("a'")}))
	step(l.say(command.KindEnroll, command.Enroll{Key: publicOf("a"), Name: "a", Origin: "here", Vouched: true}))
	step(l.say(command.KindRelease, command.Release{Contributor: idOf("a")}))
	step(l.say(command.KindRetire, command.Retire{Contributor: idOf("c")}))
	step(l.say(command.KindOperators, command.Operators{Role: command.RoleOperator, Add: []identity.PublicKey{publicOf("op3")}}))
	again := New(l.store)
	for _, f := range l.facts {
		again.Apply(f)
	}
	for seq, want := range seen {
		if !reflect.DeepEqual(show(l.state.At(seq)), want) {
			t.Errorf("the view at %d changed", seq)
		}
		if !reflect.DeepEqual(show(again.At(seq)), want) {
			t.Errorf("a replay shows something else at %d", seq)
		}
	}
	if again.LastSeq() != l.state.LastSeq() || again.Store() != l.store || l.view().Store() != l.store {
		t.Error("a replay ends elsewhere")
	}
}
