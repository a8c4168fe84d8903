package merge

import (
	"testing"

	"consilience/command"
	"consilience/delta"
	"consilience/reason"
	"consilience/record"
	"consilience/reputation"
)

// N-43, N-48, N-50: what a newcomer claims is bounded by its reputation, and
// nothing that was there is lost.
func TestSelfAssertionIsBounded(t *testing.T) {
	w := newWorld(t)
	w.enroll("a", enrolled{})
	w.enroll("b", enrolled{r0: 980_000})
	w.by("a").claims("port", 5432, 1_000_000).merged()
	w.by("b").claims("port", 5433, 1_000_000).merged()
	if it := w.of("port", 5432); it.Confidence != 300_000 {
		t.Errorf("confidence is %d, want the newcomer's reputation", it.Confidence)
	}
	if it := w.of("port", 5433); it.Confidence != 980_000 {
		t.Errorf("confidence is %d, want 980000", it.Confidence)
	}
	if len(w.state.items) != 2 {
		t.Errorf("%d items, want both values", len(w.state.items))
	}
}

// N-48: the bound holds for modified items too; N-49: depth lowers, never raises.
func TestModificationAndDepthAreBounded(t *testing.T) {
	w := newWorld(t)
	w.enroll("a", enrolled{})
	if err := w.derive("a2", "a"); err != nil {
		t.Fatal(err)
	}
	old := w.record("a", record.Structured, claim("port", 1))
	w.by("a").propose(old, 900_000).merged()
	next := w.record("a2", record.Structured, claim("port", 2), pairTo(old))
	w.by("a2").from().modify(record.ItemID(old.ID), next, 1_000_000).merged()
	st := w.stance(w.of("port", 2), "a2")
	if it := w.of("port", 2); it.Confidence != st.Reputation*9/10 || st.Depth != 1 {
		t.Errorf("confidence of the modification is %d at reputation %d", it.Confidence, st.Reputation)
	}
	if it := w.of("port", 1); it.Confidence >= 270_000 || it.Confidence == 0 {
		t.Errorf("confidence of the old item is %d, want lowered and not gone", it.Confidence)
	}
}

// N-44: what a delta may not name, each with its reason.
func TestDeltaRefusals(t *testing.T) {
	w := newWorld(t)
	w.enroll("a", enrolled{})
	w.enroll("b", enrolled{})
	w.enroll("stranger", enrolled{spaces: []string{"elsewhere"}})
	r := w.record("a", record.Structured, claim("port", 1))
	w.by("a").propose(r, 900_000).merged()
	item := record.ItemID(r.ID)
	early := w.slice("b", 1)
	foreign := w.slice("a", w.seq)
	old := w.record("b", record.Structured, claim("port", 2), pairTo(r))

	w.by("b").absent(item, 1).refused(reason.BaseSliceMissing)
	d := w.by("b").absent(item, 1)
	d.delta.Base = &early
	d.refused(reason.NotInSlice)
	d = w.by("b").absent(item, 1)
	d.delta.Base = &foreign
	d.refused(reason.SliceForeign)
	d = w.by("b").from().absent(item, 1)
	d.delta.Base.Digest[31] ^= 1
	d.refused(reason.SliceUnknown)
	d = w.by("b").from().absent(item, 1)
	d.delta.Base.Revision--
	d.refused(reason.SliceUnknown)
	w.by("b").from().absent(record.ItemID{1}, 1).refused(reason.NotInSlice)
	w.by("b").from().modify(item, w.record("b", record.Structured, claim("port", 3)), 1).refused(reason.PairMissing)
	w.by("b").propose(w.record("b", record.Structured, claim("x", 1), record.Pair{Record: r.ID}), 1).refused(reason.PairMismatch)
	w.by("b").propose(w.record("b", record.Structured, claim("x", 1), record.Pair{Record: record.ID{1}}), 1).refused(reason.PairMismatch)
	w.by("stranger").propose(old, 1).refused(reason.NotAdmitted)
	w.by("unknown").propose(old, 1).refused(reason.ContributorUnknown)
	d = w.by("b").propose(old, 1)
	d.delta.Space = "elsewhere"
	d.refused(reason.SpaceMismatch)
	w.by("b").sequence(1<<21).propose(old, 1).refused(reason.SequenceGap)
	w.by("a").sequence(1).claims("y", 1, 1).refused(reason.SequenceReused)
	w.retire("b")
	w.by("b").propose(old, 1).refused(reason.ContributorRetired)
}

// A refused sequence number is not used up, so that requeue can work; a lower
// unused one may come later (wire.md).
func TestSequences(t *testing.T) {
	w := newWorld(t)
	w.enroll("a", enrolled{})
	w.by("a").sequence(9).claims("x", 1, 1).merged()
	w.by("a").sequence(3).claims("x", 2, 1).merged()
	bad := w.record("a", record.Structured, claim("x", 3), record.Pair{Record: record.ID{1}})
	w.by("a").sequence(10).propose(bad, 1).refused(reason.PairMismatch)
	w.by("a").sequence(10).claims("x", 4, 1).merged()
	w.by("a").sequence(10+maxSequenceGap).claims("x", 5, 1).merged()
	w.by("a").sequence(11+2*maxSequenceGap).claims("x", 6, 1).refused(reason.SequenceGap)
}

// N-51: the same delta twice changes nothing; its outcome says so.
func TestDuplicateDelta(t *testing.T) {
	w := newWorld(t)
	w.enroll("a", enrolled{})
	body := w.by("a").claims("x", 1, 900_000).body()
	w.send(body)
	before := w.state.Digest(w.now())
	if o := w.send(body); o.Status != command.StatusDuplicate || o.Reason != "" {
		t.Errorf("outcome is %s %q", o.Status, o.Reason)
	}
	if w.state.Digest(w.now()) != before {
		t.Error("a delta that was merged before changed the space")
	}
	if n := len(w.state.changes.plan.Rejections); n != 0 {
		t.Errorf("%d rejections of a duplicate", n)
	}
}

// N-51: what was merged stays merged. The same delta again, found unfit before the
// merge because a key was rotated or limits were lowered since, is a duplicate; and
// another delta is refused for what was found, whatever sequence number it has.
func TestRefusedCopyOfAMergedDeltaIsADuplicate(t *testing.T) {
	w := newWorld(t)
	w.enroll("a", enrolled{})
	body := w.by("a").claims("x", 1, 900_000).body()
	w.send(body)
	before := w.state.Digest(w.now())
	peeked := &DeltaBody{Message: delta.Message{ID: body.ID, Delta: body.Delta}} // too large to be opened
	other := w.by("a").sequence(body.Delta.Sequence).claims("x", 2, 900_000).body()
	for _, c := range []struct {
		body   *DeltaBody
		status command.Status
		reason reason.Code
	}{
		{body, command.StatusDuplicate, ""},
		{peeked, command.StatusDuplicate, ""},
		{other, command.StatusRejected, reason.KeyNotCurrent},
	} {
		seq := w.next()
		e := Entry{Seq: seq, Time: seq * 1000, Body: c.body, Refused: reason.New(reason.KeyNotCurrent, "rotated away")}
		key := SequenceKey{w.node("a"), body.Delta.Sequence}
		if n := NewState(w.state.Space).Needs(e, w.now()); len(n.Sequences) != 1 || n.Sequences[0] != key || len(n.Records)+len(n.Contents) > 0 {
			t.Errorf("needs %+v", n)
		}
		w.apply(e)
		o := w.state.changes.plan.Outcomes[len(w.state.changes.plan.Outcomes)-1].Outcome
		if o.Status != c.status || o.Reason != c.reason || o.DeltaID != c.body.ID {
			t.Errorf("outcome %+v, want %s %q", o, c.status, c.reason)
		}
	}
	if w.state.Digest(w.now()) != before {
		t.Error("a refused copy changed the space")
	}
}

// N-53: two reputation functions behind one interface; the bound holds for both,
// and for one that lies.
func TestReputationIsPluggable(t *testing.T) {
	for _, name := range []string{command.ReputationBeta, command.ReputationEMA} {
		w := newWorld(t, func(p *command.Policy) { p.Reputation = name })
		w.enroll("a", enrolled{})
		w.by("a").claims("x", 1, 1_000_000).merged()
		if it := w.of("x", 1); it.Confidence != 300_000 {
			t.Errorf("%s: confidence is %d, want 300000", name, it.Confidence)
		}
	}
	w := newWorld(t)
	w.enroll("a", enrolled{})
	w.by("a").claims("x", 1, 1_000_000).merged()
	w.state.policy = boastful{w.state.policy}
	w.by("a").claims("y", 1, 500_000).merged()
	if it := w.of("y", 1); it.Confidence > 500_000 {
		t.Errorf("confidence is %d, above its base", it.Confidence)
	}
}

type boastful struct{ reputation.Policy }

func (boastful) Value(reputation.Record) uint32 { return 1 << 31 }

// N-54: what a merge makes of a stance depends on the number recorded with it,
// not on the function that computed the number.
func TestResultFollowsTheRecordedNumber(t *testing.T) {
	numbersOf := func(policy string) []numbers {
		w := newWorld(t, func(p *command.Policy) { p.Reputation = policy })
		w.enroll("a", enrolled{r0: 400_000})
		w.enroll("b", enrolled{r0: 700_000})
		w.by("a").claims("x", 1, 900_000).merged()
		w.by("b").claims("x", 1, 900_000).merged()
		w.by("b").from().absent(w.of("x", 1).ID, 500_000).merged()
		for _, st := range w.of("x", 1).Statements {
			st.Reputation = 500_000 // as if both had computed the same
		}
		w.state.Recompute([]*Item{w.of("x", 1)}, w.now(), Sweep{Seq: w.seq})
		return []numbers{w.of("x", 1).numbers()}
	}
	if a, b := numbersOf(command.ReputationBeta), numbersOf(command.ReputationEMA); a[0] != b[0] {
		t.Errorf("%v and %v", a, b)
	}
}

// N-55, N-73: nothing enters without a contributor that the fleet knows.
func TestProvenanceIsRequired(t *testing.T) {
	w := newWorld(t)
	w.by("nobody").claims("x", 1, 1).refused(reason.ContributorUnknown)
	if len(w.state.items) != 0 {
		t.Error("an item without provenance")
	}
	w.enroll("a", enrolled{})
	w.by("a").claims("x", 1, 1).merged()
	for _, st := range w.of("x", 1).Statements {
		if st.Contributor != w.node("a") || w.now().ID(st.Contributor) != idOf("a") {
			t.Error("a statement of nobody")
		}
	}
}

// Q15: the reputation policy is fixed at the first delta; the rest of a policy
// acts on what is there.
func TestPolicyChange(t *testing.T) {
	w := newWorld(t)
	w.enroll("a", enrolled{})
	w.by("a").claims("x", 1, 900_000).merged()
	p := command.DefaultPolicy()
	p.Reputation, p.NearZero = command.ReputationEMA, 400_000
	w.must(w.fact(command.KindPolicy, command.PolicyChange{Space: spaceName, Policy: p}))
	if w.state.Space.ReputationPolicy != command.ReputationBeta {
		t.Error("the reputation policy changed")
	}
	rejections := w.state.changes.plan.Rejections
	if len(rejections) != 1 || rejections[0].Reason != string(reason.PolicyFixed) {
		t.Errorf("rejections are %+v", rejections)
	}
	if it := w.of("x", 1); it.Groups != 0 || w.stance(it, "a").Counted != NearZero {
		t.Error("the new near-zero threshold is not in force")
	}
}
