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
	bob := w.poisoned("the valve is shut", 300, "valve open now, number %d")
	got := bob.recall(text("valve open now"))
	if bodies := got.bodies(t); !slices.Equal(bodies, []string{"the valve is shut"}) {
		t.Errorf("%q", bodies)
	}
	if x := got.full.Statement.Exclusions; x.Total != 27 || x.ByReason[projection.PolicyFiltered] != 27 {
		t.Errorf("%+v", x)
	}
}

// poisoned lets alice say something, and mallory much that fits better and is
// quarantined for it. It returns somebody else.
func (w *world) poisoned(said string, n int, format string) (bob *author) {
	alice, bob, mallory := w.enroll("alice"), w.enroll("bob"), w.enroll("mallory")
	alice.say(said)
	var poison []string
	for i := range n {
		poison = append(poison, fmt.Sprintf(format, i))
	}
	mallory.say(poison...)
	w.settle()
	w.command(command.KindQuarantine, command.Quarantine{Contributor: mallory.id, Reason: "test"})
	w.settle()
	return bob
}
