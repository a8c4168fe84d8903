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
