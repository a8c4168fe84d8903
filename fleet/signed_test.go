package fleet

import (
	"testing"

	"consilience/command"
	"consilience/reason"
)

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
