package postgres

import (
	"slices"
	"strings"
	"testing"

	"consilience/command"
	"consilience/record"
)

// What a refused fact was about is told too, with the reason given for it and the
// code of the refusal.
func TestRefusedFactsTellTheirTarget(t *testing.T) {
	w := newWorld(t)
	w.enroll("ann")
	w.quarantine("ghost", 0, false)
	w.release("ann")
	w.enroll("ann", func(e *command.Enroll) { e.Name = "another" })
	w.fact(command.KindRetire, command.Retire{Contributor: idOf("ann"), Reason: "mine"}, "ann")
	s, db := openStore(t)
	w.fill(s, 1000)
	got := ask(t, db, "SELECT kind, target, reason, signer, effect FROM memory.commands WHERE effect LIKE 'refused%' ORDER BY revision")
	ghost, ann, op := idOf("ghost").String(), idOf("ann").String(), idOf("op").String()
	want := []string{
		"kind=quarantine target=" + ghost + " reason=poisons signer=" + op + " effect=refused: contributor_unknown",
		"kind=release target=" + ann + " reason=cleared signer=" + op + " effect=refused: not_quarantined",
		"kind=enroll target=" + ann + " reason= signer=" + op + " effect=refused: already_known",
		"kind=retire target=" + ann + " reason=mine signer=" + ann + " effect=refused: signer_not_operator",
	}
	if !slices.Equal(got, want) {
		t.Errorf("commands:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if n := ask(t, db, "SELECT count(*) AS n FROM memory.commands WHERE command_id IS NULL"); !slices.Equal(n, []string{"n=0"}) {
		t.Errorf("commands without an id: %s", n)
	}
}

// What a judgement was about is told: a record, or two items.
func TestJudgementsTellTheirTarget(t *testing.T) {
	w := newWorld(t)
	w.enroll("ann")
	said := w.by("ann").says("the gate is open", 900_000).says("the gate is shut", 900_000).send()
	a, b := record.ItemID(said[0].ID), record.ItemID(said[1].ID)
	w.judge(command.KindRival, command.Rival{Space: spaceName, Item: a, Other: b, Reason: "one of them"})
	w.confirm(said[0].ID)
	s, db := openStore(t)
	w.fill(s, 1000)
	got := ask(t, db, "SELECT kind, target, reason FROM memory.commands WHERE space IS NOT NULL ORDER BY revision")
	want := []string{
		"kind=rival target=" + a.String() + " " + b.String() + " reason=one of them",
		"kind=confirm target=" + said[0].ID.String() + " reason=seen",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
