package fleet

import (
	"crypto/sha256"
	"encoding/binary"
	"reflect"
	"testing"

	"consilience/command"
	"consilience/identity"
	"consilience/lineage"
	"consilience/reason"
)

// log writes facts and folds them.
type log struct {
	t     testing.TB
	store [32]byte
	state *State
	seq   uint64
	nonce uint64
	facts []Fact
}

func keyOf(name string) identity.PrivateKey {
	seed := sha256.Sum256([]byte(name))
	k, err := identity.NewPrivateKey(seed[:])
	if err != nil {
		panic(err)
	}
	return k
}

func publicOf(name string) identity.PublicKey { return keyOf(name).Public() }
func idOf(name string) identity.ID            { return publicOf(name).ID() }

func genesis(threshold uint64) []byte {
	return command.Seal(command.Command{Kind: command.KindGenesis, Body: command.Genesis{
		Operators: []identity.PublicKey{publicOf("op"), publicOf("op2")},
		Services:  []identity.PublicKey{publicOf("svc")},
		Threshold: threshold,
	}}, keyOf("op"))
}

func newLog(t testing.TB, threshold uint64) *log {
	raw := genesis(threshold)
	m, err := command.Open(raw)
	if err != nil {
		t.Fatal(err)
	}
	l := &log{t: t, store: command.StoreID(m.Payload)}
	l.state = New(l.store)
	l.must(l.put(raw, command.KindGenesis, "op"))
	return l
}

// put appends a message under a subject.
func (l *log) put(raw []byte, kind command.Kind, signer string) (Effect, error) {
	l.seq++
	f := Fact{
		Seq: l.seq, Time: l.seq * 1000, Raw: raw,
		Subject: command.Subject{Class: command.ClassFleet, Kind: string(kind), Signer: idOf(signer)},
	}
	l.facts = append(l.facts, f)
	return l.state.Apply(f)
}

// say seals a command with the signers' keys, the first of whom the subject names.
func (l *log) say(kind command.Kind, body any, signers ...string) (Effect, error) {
	if len(signers) == 0 {
		signers = []string{"op"}
	}
	return l.put(l.seal(kind, body, signers...), kind, signers[0])
}

func (l *log) seal(kind command.Kind, body any, signers ...string) []byte {
	l.nonce++
	c := command.Command{Kind: kind, Store: l.store, Body: body}
	binary.BigEndian.PutUint64(c.Nonce[:], l.nonce)
	var ks []identity.PrivateKey
	for _, s := range signers {
		ks = append(ks, keyOf(s))
	}
	return command.Seal(c, ks...)
}

func (l *log) must(e Effect, err error) Effect {
	l.t.Helper()
	if err != nil {
		l.t.Fatal(err)
	}
	return e
}

// refused requires that a fact was refused for a reason and changed nothing.
func (l *log) refused(want reason.Code, try func() (Effect, error)) {
	l.t.Helper()
	before, last := l.now(), l.state.LastSeq()
	e, err := try()
	if reason.Of(err) != want {
		l.t.Errorf("refused with %v, want %s", err, want)
	}
	said := Effect{Seq: l.seq, Command: e.Command, Kind: e.Command.Command.Kind, Signer: e.Signer, Target: targetOf(e.Command.Command.Body)}
	if !reflect.DeepEqual(e, said) {
		l.t.Errorf("a refused fact has an effect: %+v", e)
	}
	if l.state.LastSeq() != last || !reflect.DeepEqual(before, l.now()) {
		l.t.Errorf("a fact refused for %s changed the fleet", want)
	}
}

// shown is everything a view shows.
type shown struct {
	Contributors []Contributor
	Spaces       []Space
	Groups       []lineage.Group
	Quarantines  []lineage.Quarantine
	Keys         [][2]bool
	Roles        [][2]bool
	LastFact     uint64
}

var people = []string{"op", "op2", "op3", "svc", "svc2", "a", "b", "c", "a'"}

func show(v View) shown {
	s := shown{Contributors: v.Contributors(), Spaces: v.Spaces(), Quarantines: v.Lineage().Quarantines(), LastFact: v.LastFact()}
	for _, c := range s.Contributors {
		s.Groups = append(s.Groups, v.Lineage().Group(c.Node))
	}
	for _, name := range people {
		kid := publicOf(name).KeyID()
		_, _, current, known := v.Key(kid)
		s.Keys = append(s.Keys, [2]bool{current, known})
		s.Roles = append(s.Roles, [2]bool{v.Operator(kid), v.Service(kid)})
	}
	return s
}

func (l *log) now() shown { return show(l.state.At(l.state.LastSeq() + 1)) }

func (l *log) view() View { return l.state.At(l.seq + 1) }

func (l *log) enroll(name string) (Effect, error) {
	return l.say(command.KindEnroll, command.Enroll{Key: publicOf(name), Name: name, Spaces: []string{"s"}})
}

func (l *log) derive(child string, parents ...string) (Effect, error) {
	d := command.Derive{Child: publicOf(child), Name: child}
	for _, p := range parents {
		d.Parents = append(d.Parents, idOf(p))
	}
	return l.say(command.KindDerive, d, append([]string{child}, parents...)...)
}

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

// N-56: who may say what: an operator key in force, under its own subject, for
// this store, with its own signature, each command once.
func TestSignatures(t *testing.T) {
	l := newLog(t, 1)
	body := command.Enroll{Key: publicOf("a"), Name: "a"}
	l.refused(reason.SignerNotOperator, func() (Effect, error) { return l.say(command.KindEnroll, body, "svc") })
	l.refused(reason.SubjectMismatch, func() (Effect, error) {
		return l.put(l.seal(command.KindEnroll, body, "op"), command.KindEnroll, "op2")
	})
	l.refused(reason.StoreMismatch, func() (Effect, error) {
		other := *l
		other.store = [32]byte{9}
		return l.put(other.seal(command.KindEnroll, body, "op"), command.KindEnroll, "op")
	})
	forged := l.seal(command.KindEnroll, body, "op")
	forged[len(forged)-1] ^= 1
	l.refused(reason.SignatureInvalid, func() (Effect, error) { return l.put(forged, command.KindEnroll, "op") })
	raw := l.seal(command.KindEnroll, body, "op")
	l.must(l.put(raw, command.KindEnroll, "op"))
	l.refused(reason.Duplicate, func() (Effect, error) { return l.put(raw, command.KindEnroll, "op") })
	if e, err := l.state.Apply(l.facts[len(l.facts)-2]); err != nil || !e.Known {
		t.Errorf("a fact that was folded: %+v, %v", e, err)
	}
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
