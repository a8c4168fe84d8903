package fleet

import (
	"testing"

	"consilience/command"
	"consilience/identity"
	"consilience/reason"
)

// The trust root: one genesis, at sequence 1, that hashes to the store id.
func TestGenesis(t *testing.T) {
	raw := genesis(1)
	m, err := command.Open(raw)
	if err != nil {
		t.Fatal(err)
	}
	fact := Fact{Seq: 1, Raw: raw, Subject: command.Subject{Class: command.ClassFleet, Kind: "genesis", Signer: idOf("op")}}
	store := command.StoreID(m.Payload)
	for name, c := range map[string]struct {
		store  [32]byte
		change func(*Fact)
		want   reason.Code
	}{
		"good":           {store, func(*Fact) {}, ""},
		"another store":  {[32]byte{1}, func(*Fact) {}, reason.StoreMismatch},
		"later":          {store, func(f *Fact) { f.Seq = 2 }, reason.StoreMismatch},
		"another signer": {store, func(f *Fact) { f.Subject.Signer = idOf("op2") }, reason.SubjectMismatch},
		"another kind":   {store, func(f *Fact) { f.Subject.Kind = "enroll" }, reason.SubjectMismatch},
		"not a fact":     {store, func(f *Fact) { f.Subject.Class = command.ClassSpace }, reason.SubjectMismatch},
		"not a message":  {store, func(f *Fact) { f.Raw = []byte("x") }, reason.Malformed},
	} {
		f := fact
		c.change(&f)
		if _, err := New(c.store).Apply(f); reason.Of(err) != c.want {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	l := newLog(t, 1)
	l.refused(reason.StoreMismatch, func() (Effect, error) { return l.put(genesis(1), command.KindGenesis, "op") })
	empty := &log{t: t, store: l.store, state: New(l.store)}
	empty.refused(reason.StoreMismatch, func() (Effect, error) { return empty.enroll("a") })
}

// operators needs genesis's threshold, and never leaves fewer than it.
func TestOperators(t *testing.T) {
	l := newLog(t, 2)
	change := func(role string, add, remove []string, signers ...string) func() (Effect, error) {
		o := command.Operators{Role: role}
		for _, name := range add {
			o.Add = append(o.Add, publicOf(name))
		}
		for _, name := range remove {
			o.Remove = append(o.Remove, publicOf(name))
		}
		return func() (Effect, error) { return l.say(command.KindOperators, o, signers...) }
	}
	const operator, service = command.RoleOperator, command.RoleService
	l.refused(reason.ThresholdNotMet, change(operator, []string{"op3"}, nil, "op"))
	l.refused(reason.SignerNotOperator, change(operator, []string{"op3"}, nil, "op", "svc"))
	l.refused(reason.ThresholdNotMet, change(operator, nil, []string{"op2"}, "op", "op2"))
	l.refused(reason.KeyUnknown, change(operator, nil, []string{"op3"}, "op", "op2"))
	l.refused(reason.AlreadyKnown, change(operator, []string{"op2"}, nil, "op", "op2"))
	raw := l.seal(command.KindOperators, command.Operators{Role: operator, Add: []identity.PublicKey{publicOf("op3")}}, "op", "op2")
	l.refused(reason.SubjectMismatch, func() (Effect, error) { return l.put(raw, command.KindOperators, "op3") })
	l.must(change(operator, []string{"op3"}, []string{"op2"}, "op2", "op")())
	before := l.state.At(l.seq)
	if !before.Operator(publicOf("op2").KeyID()) || before.Operator(publicOf("op3").KeyID()) {
		t.Error("the entry before sees the change")
	}
	l.refused(reason.SignerNotOperator, change(service, []string{"svc2"}, nil, "op", "op2"))
	l.must(change(service, []string{"svc2"}, []string{"svc"}, "op", "op3")())
	if v := l.view(); v.Service(publicOf("svc").KeyID()) || !v.Service(publicOf("svc2").KeyID()) {
		t.Error("the service keys did not change")
	}
	if _, _, current, known := l.view().Key(publicOf("op2").KeyID()); current || !known {
		t.Error("a removed key is in force, or forgotten")
	}
}
