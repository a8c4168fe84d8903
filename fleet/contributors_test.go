package fleet

import (
	"reflect"
	"testing"

	"consilience/command"
	"consilience/identity"
	"consilience/lineage"
	"consilience/reason"
)

// Enrolling, and again: spaces, origin, vouching, and nothing else (Q20).
func TestEnroll(t *testing.T) {
	l := newLog(t, 1)
	l.must(l.say(command.KindSpace, command.Space{Name: "s", Policy: command.DefaultPolicy()}))
	again := func(c command.Enroll) func() (Effect, error) {
		return func() (Effect, error) { return l.say(command.KindEnroll, c) }
	}
	a := command.Enroll{Key: publicOf("a"), Name: "a", Reputation: 400_000}
	e := l.must(again(a)())
	if e.Node != 1 || e.Target != idOf("a").String() || l.view().Admitted(1, "s") {
		t.Errorf("effect is %+v", e)
	}
	l.refused(reason.NameTaken, again(command.Enroll{Key: publicOf("b"), Name: "a"}))
	l.refused(reason.AlreadyKnown, again(command.Enroll{Key: publicOf("a"), Name: "z"}))
	l.refused(reason.AlreadyKnown, again(command.Enroll{Key: publicOf("a"), Name: "a", Reputation: 1}))
	a.Spaces, a.Origin, a.Vouched, a.Reputation = []string{"s"}, "here", true, 0
	e = l.must(again(a)())
	if e.Vouched != 1 || !reflect.DeepEqual(e.Sweep.Nodes, []lineage.Node{1}) || !l.view().Admitted(1, "s") {
		t.Errorf("effect is %+v", e)
	}
	c, _ := l.view().ByName("a")
	if c.Reputation != 400_000 || c.Origin != "here" || !c.Vouched || l.state.At(e.Seq).ByNode(1).Vouched {
		t.Errorf("contributor is %+v", c)
	}
	l.must(l.derive("b", "a"))
	l.refused(reason.AlreadyKnown, again(command.Enroll{Key: publicOf("b"), Name: "b"}))
	if b, _ := l.view().Contributor(idOf("b")); b.Origin != "here" || b.Vouched || !l.view().Admitted(b.Node, "s") {
		t.Errorf("a child is %+v", b)
	}
	l.must(l.say(command.KindRetire, command.Retire{Contributor: idOf("a")}))
	l.refused(reason.ContributorRetired, again(a))
}

// N-57, Q20: derive needs the signature of every parent and of the child.
func TestDerive(t *testing.T) {
	l := newLog(t, 1)
	for _, name := range []string{"a", "b"} {
		l.must(l.enroll(name))
	}
	l.must(l.derive("a1", "a"))
	try := func(child string, parents []string, signers ...string) func() (Effect, error) {
		d := command.Derive{Child: publicOf(child), Name: child}
		for _, p := range parents {
			d.Parents = append(d.Parents, idOf(p))
		}
		return func() (Effect, error) { return l.say(command.KindDerive, d, signers...) }
	}
	l.refused(reason.ThresholdNotMet, try("c", []string{"a", "a1"}, "c", "a", "b"))
	l.refused(reason.ThresholdNotMet, try("c", []string{"a"}, "a", "a1"))
	l.refused(reason.ParentUnknown, try("c", []string{"x"}, "c", "x"))
	l.refused(reason.Lineages, try("c", []string{"a", "b"}, "c", "a", "b"))
	l.refused(reason.AlreadyKnown, try("b", []string{"a"}, "b", "a"))
	raw := l.seal(command.KindDerive, command.Derive{Child: publicOf("c"), Name: "c", Parents: []identity.ID{idOf("a")}}, "c", "a")
	l.refused(reason.SubjectMismatch, func() (Effect, error) { return l.put(raw, command.KindDerive, "b") })
	l.must(l.say(command.KindRotate, command.Rotate{Contributor: idOf("b"), Key: publicOf("b2")}))
	l.refused(reason.KeyNotCurrent, try("c", []string{"b"}, "c", "b"))
	l.must(l.say(command.KindQuarantine, command.Quarantine{Contributor: idOf("a")}))
	l.refused(reason.ParentQuarantined, try("c", []string{"a1"}, "c", "a1"))
	l.must(l.say(command.KindRelease, command.Release{Contributor: idOf("a")}))
	l.must(try("c", []string{"a", "a1"}, "a1", "a", "c")())
	c, _ := l.view().ByName("c")
	if len(c.Parents) != 2 || l.view().Lineage().Depth(c.Node) != 2 {
		t.Errorf("child is %+v", c)
	}
	l.must(l.say(command.KindRetire, command.Retire{Contributor: idOf("a1")}))
	l.refused(reason.ParentRetired, try("d", []string{"a1"}, "d", "a1"))
	l.refused(reason.NameTaken, func() (Effect, error) {
		return l.say(command.KindDerive, command.Derive{Child: publicOf("d"), Name: "c", Parents: []identity.ID{idOf("a")}}, "d", "a")
	})
}

// Keys rotate, the identity stays; a key id belongs to one for ever.
func TestRotate(t *testing.T) {
	l := newLog(t, 1)
	l.must(l.enroll("a"))
	l.must(l.enroll("b"))
	rotate := func(who, key string) func() (Effect, error) {
		return func() (Effect, error) {
			return l.say(command.KindRotate, command.Rotate{Contributor: idOf(who), Key: publicOf(key)})
		}
	}
	l.refused(reason.ContributorUnknown, rotate("x", "a'"))
	l.refused(reason.AlreadyKnown, rotate("a", "b"))
	l.refused(reason.AlreadyKnown, rotate("a", "a"))
	l.refused(reason.AlreadyKnown, rotate("a", "svc"))
	e := l.must(rotate("a", "a'")())
	_, owner, current, known := l.view().Key(publicOf("a").KeyID())
	if owner != idOf("a") || current || !known {
		t.Error("the old key is current, or forgotten")
	}
	if _, owner, current, _ := l.view().Key(publicOf("a'").KeyID()); owner != idOf("a") || !current {
		t.Error("the new key is not current")
	}
	if _, _, current, _ := l.state.At(e.Seq).Key(publicOf("a").KeyID()); !current {
		t.Error("the entry before sees the rotation")
	}
	l.refused(reason.AlreadyKnown, rotate("a", "a"))
	l.refused(reason.AlreadyKnown, func() (Effect, error) {
		return l.say(command.KindEnroll, command.Enroll{Key: publicOf("a'"), Name: "other"})
	})
	l.refused(reason.AlreadyKnown, func() (Effect, error) {
		return l.say(command.KindOperators, command.Operators{Role: command.RoleService, Add: []identity.PublicKey{publicOf("a'")}})
	})
	l.must(l.say(command.KindRetire, command.Retire{Contributor: idOf("a")}))
	l.refused(reason.ContributorRetired, rotate("a", "a''"))
	l.refused(reason.ContributorRetired, func() (Effect, error) {
		return l.say(command.KindRetire, command.Retire{Contributor: idOf("a")})
	})
}
