package merge

import (
	"fmt"
	"testing"

	"consilience/command"
	"consilience/record"
)

// N-59, N-60: a quarantine reaches 20 levels down, also what comes later from
// there, and nothing raises what it holds at 0.
func TestQuarantineReachesTheWholeSubtree(t *testing.T) {
	w := newWorld(t)
	w.enroll("g0", enrolled{vouched: true})
	for i := range 20 {
		if err := w.derive(fmt.Sprintf("g%d", i+1), fmt.Sprintf("g%d", i)); err != nil {
			t.Fatal(err)
		}
	}
	r := w.record("g20", record.Structured, claim("x", 1))
	w.by("g20").propose(r, 900_000).merged()
	w.quarantine("g0", 0, false)
	it := w.of("x", 1)
	if it.Status != Quarantined || it.Confidence != 0 {
		t.Errorf("%s at %d", it.Status, it.Confidence)
	}
	w.by("g20").claims("x", 2, 900_000).merged()
	if late := w.of("x", 2); late.Status != Quarantined || late.Confidence != 0 {
		t.Errorf("a later delta of the subtree: %s at %d", late.Status, late.Confidence)
	}
	w.by("g5").claims("x", 1, 900_000).merged()
	w.judge(command.KindConfirm, r.ID)
	if it.Status != Quarantined || it.Confidence != 0 {
		t.Errorf("after corroboration and a confirmation: %s at %d", it.Status, it.Confidence)
	}
	if r := w.state.reps[w.node("g20")]; r.Confirmed != 0 {
		t.Error("under a mask evidence was given")
	}
}

// N-61, AN-13: others' items are untouched; a shared one stays at what its clean
// support gives and shows a clean record.
func TestQuarantineLeavesTheRest(t *testing.T) {
	w := newWorld(t)
	w.enroll("bad", enrolled{r0: 900_000})
	w.enroll("good", enrolled{})
	w.by("good").claims("own", 1, 900_000).merged()
	own := w.of("own", 1).numbers()
	w.by("bad").claims("shared", 1, 900_000).merged()
	w.by("good").claims("shared", 1, 900_000).merged()
	w.quarantine("bad", 0, false)
	if w.of("own", 1).numbers() != own {
		t.Error("another's item changed")
	}
	it := w.of("shared", 1)
	clean := w.stance(it, "good")
	if it.Status != Active || it.Confidence != clean.Effective || it.Head != clean.Record {
		t.Errorf("shared item: %s at %d", it.Status, it.Confidence)
	}
	if w.stance(it, "bad").Counted != Masked {
		t.Error("the masked stance does not say so")
	}
}

// Q5: with --since the honest statement below it stands, restated or not.
func TestQuarantineSince(t *testing.T) {
	w := newWorld(t)
	w.enroll("v", enrolled{vouched: true})
	w.by("v").claims("honest", 1, 900_000).merged()
	before := w.of("honest", 1).Confidence
	theft := w.seq + 1
	w.by("v").claims("honest", 1, 1).claims("poison", 1, 1_000_000).merged()
	w.quarantine("v", theft, false)
	if it := w.of("honest", 1); it.Status != Active || it.Confidence != before {
		t.Errorf("honest: %s at %d, want %d", it.Status, it.Confidence, before)
	}
	if it := w.of("poison", 1); it.Status != Quarantined {
		t.Error("poison is active")
	}
}

// Q7: --all takes what was proposed before the command, shared or not, and lets
// nobody kill items by endorsing them afterwards.
func TestQuarantineAll(t *testing.T) {
	for name, c := range map[string]struct {
		after bool
		want  Status
	}{"before": {false, Quarantined}, "after": {true, Active}} {
		w := newWorld(t)
		w.enroll("m", enrolled{})
		w.enroll("g", enrolled{})
		w.by("g").claims("x", 1, 900_000).merged()
		if !c.after {
			w.by("m").claims("x", 1, 900_000).merged()
		}
		w.quarantine("m", 0, true)
		if c.after {
			w.by("m").claims("x", 1, 900_000).merged()
		}
		if it := w.of("x", 1); it.Status != c.want {
			t.Errorf("endorsed %s the command: %s", name, it.Status)
		}
	}
}

// Q14: a confirmation under a mask takes effect with a clean support.
func TestConfirmationUnderMask(t *testing.T) {
	w := newWorld(t)
	w.enroll("m", enrolled{vouched: true})
	w.enroll("g", enrolled{})
	r := w.record("m", record.Structured, claim("x", 1))
	w.by("m").propose(r, 900_000).merged()
	w.quarantine("m", 0, false)
	w.judge(command.KindConfirm, r.ID)
	it := w.of("x", 1)
	if Authoritative(command.AuthorityFleet, 50_000, it.Standing(), nil) {
		t.Error("a masked item is authoritative")
	}
	w.by("g").claims("x", 1, 900_000).merged()
	if it.Status != Active || !Authoritative(command.AuthorityFleet, 50_000, it.Standing(), nil) {
		t.Errorf("with a clean support: %s", it.Status)
	}
	if it.Head != w.stance(it, "g").Record {
		t.Error("a masked record is shown")
	}
}

// Tainted is what refers to a masked record, at any depth; the pair of a
// modification to what it corrects does not taint.
func TestTaint(t *testing.T) {
	w := newWorld(t)
	w.enroll("m", enrolled{})
	w.enroll("g", enrolled{})
	bad := w.record("m", record.Structured, claim("bad", 1))
	w.by("m").propose(bad, 900_000).merged()
	w.quarantine("m", 0, false)
	first := w.record("g", record.Structured, claim("first", 1), pairTo(bad))
	second := w.record("g", record.Structured, claim("second", 1), pairTo(first))
	w.by("g").propose(first, 1).propose(second, 1).merged()
	fix := w.record("g", record.Structured, claim("bad", 2), pairTo(bad))
	w.by("g").from().modify(record.ItemID(bad.ID), fix, 900_000).merged()
	for name, c := range map[string]struct {
		id   record.ID
		want bool
	}{"bad": {bad.ID, false}, "first": {first.ID, true}, "second": {second.ID, true}, "fix": {fix.ID, false}} {
		if got := w.state.records[c.id].Tainted; got != c.want {
			t.Errorf("%s is tainted: %t", name, got)
		}
	}
	refs := w.state.changes.plan.BackReferences
	if len(refs) != 3 || !refs[2].Corrects || refs[0].Corrects {
		t.Errorf("back-references are %+v", refs)
	}
}

// N-12: a record that is stated again is a new statement by the existing record.
func TestRestatedRecord(t *testing.T) {
	w := newWorld(t)
	w.enroll("a", enrolled{})
	r := w.record("a", record.Structured, claim("x", 1))
	w.by("a").propose(r, 900_000).merged()
	w.by("a").propose(r, 100_000).merged()
	it := w.of("x", 1)
	if len(w.state.changes.plan.NewRecords) != 1 || len(it.Statements) != 2 {
		t.Errorf("%d records, %d statements", len(w.state.changes.plan.NewRecords), len(it.Statements))
	}
	if st := w.stance(it, "a"); st.Value != 100_000 || st.Record != it.Head {
		t.Error("the newest statement does not stand")
	}
}

// Q20: enrolling again changes origin and vouching from there on.
func TestEnrollAgain(t *testing.T) {
	w := newWorld(t)
	w.enroll("a", enrolled{origin: "here"})
	w.enroll("b", enrolled{})
	w.by("a").claims("x", 1, 900_000).merged()
	w.by("b").claims("x", 1, 900_000).merged()
	it := w.of("x", 1)
	if it.Groups != 2 {
		t.Fatalf("%d groups", it.Groups)
	}
	w.enroll("b", enrolled{origin: "here", vouched: true})
	if it.Groups != 1 {
		t.Errorf("%d groups of one origin", it.Groups)
	}
	if r := w.state.reps[w.node("b")]; r.Confirmed != 2 {
		t.Errorf("vouching gave %d credits", r.Confirmed)
	}
	w.enroll("b", enrolled{})
	if r := w.state.reps[w.node("b")]; r.Confirmed != 0 || it.Groups != 2 {
		t.Errorf("%d credits, %d groups after taking both back", r.Confirmed, it.Groups)
	}
}

// History: every change of a number has a row with its cause, the founding none.
func TestHistoryRows(t *testing.T) {
	w := newWorld(t)
	w.enroll("a", enrolled{})
	w.enroll("b", enrolled{})
	w.by("a").claims("x", 1, 900_000).merged()
	w.by("b").claims("x", 1, 900_000).merged()
	w.quarantine("b", 0, false)
	plan := w.state.changes.plan
	var causes []string
	last := uint32(270_000)
	for _, c := range plan.ConfidenceHistory {
		if c.Before != last {
			t.Errorf("a change from %d follows one to %d", c.Before, last)
		}
		last = c.After
		causes = append(causes, c.Cause)
	}
	if fmt.Sprint(causes) != "[delta quarantine]" || last != w.of("x", 1).Confidence {
		t.Errorf("causes are %v, the last value %d", causes, last)
	}
	if rs := plan.ReputationHistory; len(rs) != 2 || rs[0].Before != 0 || rs[0].After != 301_745 || rs[0].Cause != "delta" {
		t.Errorf("reputation history is %+v", rs)
	}
}
