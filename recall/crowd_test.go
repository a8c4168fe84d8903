package recall_test

import (
	"fmt"
	"slices"
	"testing"

	"consilience/command"
	"consilience/projection"
)

// Whoever says very much that fits a question, and is quarantined for it, hides nothing
// that others say: items that are shown come first, however many others fit better.
func TestPoisonHidesNothing(t *testing.T) {
	w := newWorld(t)
	alice, bob, mallory := w.enroll("alice"), w.enroll("bob"), w.enroll("mallory")
	alice.say("the valve is shut")
	var poison []string
	for i := range 300 {
		poison = append(poison, fmt.Sprint("valve open now, number ", i))
	}
	mallory.say(poison...)
	w.settle()
	w.command(command.KindQuarantine, command.Quarantine{Contributor: mallory.id, Reason: "test"})
	w.settle()
	got := bob.recall(text("valve open now"))
	if bodies := got.bodies(t); !slices.Equal(bodies, []string{"the valve is shut"}) {
		t.Errorf("%q", bodies)
	}
	if x := got.full.Statement.Exclusions; x.Total != 27 || x.ByReason[projection.PolicyFiltered] != 27 {
		t.Errorf("%+v", x)
	}
}
