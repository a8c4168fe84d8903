package merge

import (
	"fmt"
	"testing"

	"consilience/command"
	"consilience/reason"
	"consilience/record"
)

// contribute has a contributor claim n subjects, and returns the records.
func (w *world) contribute(by string, n int) []record.ID {
	var ids []record.ID
	for i := range n {
		r := w.record(by, record.Structured, claim(fmt.Sprintf("%s%d", by, i), 1))
		w.by(by).propose(r, 900_000).merged()
		ids = append(ids, r.ID)
	}
	return ids
}

// valueOf is a contributor's reputation now.
func (w *world) valueOf(name string) uint32 {
	return w.state.step(w.seq, w.now(), "", "").value(w.node(name))
}

// examples-merge.md R, through the machine.
func TestReputationExamples(t *testing.T) {
	for name, c := range map[string]struct {
		confirmed, contradicted, again int
		want                           uint32
	}{
		"two confirmations":             {2, 0, 0, 533_333},
		"20 confirmed 1 contradicted":   {20, 1, 0, 785_185},
		"20 confirmed, 3 contradicted":  {20, 3, 0, 50_000},
		"and after 5 more confirmed":    {20, 3, 5, 689_473},
		"and after only 4 more of them": {20, 3, 4, 50_000},
	} {
		w := newWorld(t)
		w.enroll("a", enrolled{})
		ids := w.contribute("a", c.confirmed+c.contradicted+c.again)
		for i, id := range ids {
			kind := command.KindConfirm
			if i >= c.confirmed && i < c.confirmed+c.contradicted {
				kind = command.KindContradict
			}
			w.judge(kind, id)
		}
		if v := w.valueOf("a"); v != c.want {
			t.Errorf("%s: %d, want %d", name, v, c.want)
		}
	}
}

// A child is capped by its parent, whatever it earns.
func TestChildIsCapped(t *testing.T) {
	w := newWorld(t)
	w.enroll("p", enrolled{r0: 450_000})
	if err := w.derive("c", "p"); err != nil {
		t.Fatal(err)
	}
	for _, id := range w.contribute("c", 6) {
		w.judge(command.KindConfirm, id)
	}
	if v := w.valueOf("c"); v != 450_000 {
		t.Errorf("value is %d, want the parent's 450000", v)
	}
}

// Locking lowers everything that the contributor stated to what 50000 gives;
// unlocking gives it back, and stored values never moved.
func TestLock(t *testing.T) {
	w := newWorld(t)
	w.enroll("a", enrolled{vouched: true})
	ids := w.contribute("a", 12)
	last := w.of("a11", 1)
	before := last.numbers()
	for _, id := range ids[:3] {
		w.judge(command.KindContradict, id)
	}
	if last.Confidence != 45_000 || w.stance(last, "a").Counted != Locked {
		t.Errorf("while locked: %d, %q", last.Confidence, w.stance(last, "a").Counted)
	}
	for _, id := range ids[3:8] {
		w.judge(command.KindConfirm, id)
	}
	if last.numbers() != before {
		t.Errorf("after the lock: %v, want %v", last.numbers(), before)
	}
}

// Q13: a judgement equal to the one in force is ignored; a reversed one is given
// back exactly.
func TestReversedJudgement(t *testing.T) {
	w := newWorld(t)
	w.enroll("a", enrolled{})
	id := w.contribute("a", 1)[0]
	w.judge(command.KindConfirm, id)
	once := *w.state.reps[w.node("a")]
	w.judge(command.KindConfirm, id)
	rows := w.state.changes.plan.Judgements
	if rows[len(rows)-1].Effect != EffectInForce {
		t.Error("an equal judgement is not marked as such")
	}
	w.judge(command.KindContradict, id)
	if r := w.state.reps[w.node("a")]; r.Confirmed != 0 || r.Contradicted != 1 {
		t.Errorf("after the reversal: %+v", r)
	}
	w.judge(command.KindConfirm, id)
	r := *w.state.reps[w.node("a")]
	if r.Confirmed != once.Confirmed || r.Contradicted != once.Contradicted || r.Accepted != once.Accepted || len(r.Window) != 3 {
		t.Errorf("after two reversals: %+v, want %+v", r, once)
	}
}

// Q10: restating what was confirmed earns no credit; N-46 of reputation: the
// blame is for those who supported it.
func TestCreditIsFixedAtTheStatement(t *testing.T) {
	w := newWorld(t)
	w.enroll("a", enrolled{})
	w.enroll("sybil", enrolled{})
	for _, id := range w.contribute("a", 2) {
		w.judge(command.KindConfirm, id)
	}
	for i := range 2 {
		w.by("sybil").claims(fmt.Sprintf("a%d", i), 1, 900_000).merged()
	}
	if r := w.state.reps[w.node("sybil")]; r.Confirmed != 0 {
		t.Errorf("restating gave %d credits", r.Confirmed)
	}
	w.enroll("c", enrolled{})
	w.enroll("d", enrolled{})
	w.enroll("e", enrolled{})
	r := w.record("c", record.Structured, claim("z", 1))
	w.by("c").propose(r, 900_000).merged()
	w.by("d").claims("z", 1, 900_000).merged()
	w.by("e").claims("z", 1, 900_000).merged()
	w.judge(command.KindConfirm, r.ID)
	for name, want := range map[string]uint32{"c": 1, "d": 1, "e": 0} {
		if got := w.state.reps[w.node(name)].Confirmed; got != want {
			t.Errorf("%s has %d credits, want %d: the first two groups earn", name, got, want)
		}
	}
}

// AN-20: a judgement is a status and evidence; it sets no number of the item.
func TestJudgementMovesNoNumber(t *testing.T) {
	w := newWorld(t)
	w.enroll("a", enrolled{})
	id := w.contribute("a", 1)[0]
	it := w.of("a0", 1)
	before := it.Confidence
	w.judge(command.KindContradict, id)
	if it.Confidence != before || it.Verdict != Contradicted {
		t.Errorf("%d and %q", it.Confidence, it.Verdict)
	}
	w.judge(command.KindConfirm, id)
	if it.Confidence != before || it.Verdict != Confirmed {
		t.Errorf("%d and %q", it.Confidence, it.Verdict)
	}
}

// The head is the confirmed record while it is clean, and it is what readers see.
func TestHead(t *testing.T) {
	w := newWorld(t)
	w.enroll("weak", enrolled{})
	w.enroll("strong", enrolled{r0: 900_000})
	a := w.record("weak", record.Structured, claim("x", 1))
	b := w.record("strong", record.Structured, claim("x", 1))
	w.by("weak").propose(a, 900_000).merged()
	w.by("strong").propose(b, 900_000).merged()
	it := w.of("x", 1)
	if it.recordID(it.Head) != b.ID {
		t.Error("the head is not the strongest counted support's record")
	}
	w.judge(command.KindConfirm, a.ID)
	if it.recordID(it.Head) != a.ID {
		t.Error("the head is not the confirmed record")
	}
	w.quarantine("weak", 0, false)
	if it.recordID(it.Head) != b.ID {
		t.Error("the head is a masked record")
	}
}

// A judgement of what does not exist, or given twice, changes nothing.
func TestJudgementRefusals(t *testing.T) {
	w := newWorld(t)
	w.enroll("a", enrolled{})
	id := w.contribute("a", 1)[0]
	last := func() string {
		rs := w.state.changes.plan.Rejections
		if len(rs) == 0 {
			return ""
		}
		return rs[len(rs)-1].Reason
	}
	w.judge(command.KindConfirm, record.ID{1})
	if got := last(); got != string(reason.RecordUnknown) {
		t.Errorf("unknown record: %q", got)
	}
	w.command(command.KindRival, command.Rival{Space: spaceName, Item: record.ItemID(id), Other: record.ItemID{1}})
	if got := last(); got != string(reason.ItemUnknown) {
		t.Errorf("unknown item: %q", got)
	}
	w.command(command.KindConfirm, command.Judgement{Space: "elsewhere", Record: id})
	if got := last(); got != string(reason.SpaceMismatch) {
		t.Errorf("another space: %q", got)
	}
	w.judge(command.KindSplit, id)
	if got := last(); got != string(reason.AlreadyKnown) {
		t.Errorf("splitting off the founding content: %q", got)
	}
	e := w.command(command.KindConfirm, command.Judgement{Space: spaceName, Record: id})
	w.judge(command.KindContradict, id)
	e.Seq = w.next()
	w.apply(e)
	if got := last(); got != string(reason.Duplicate) || w.of("a0", 1).Verdict != Contradicted {
		t.Errorf("a command given again: %q", got)
	}
}

// Declared rivals are kept as related, for the views to count.
func TestDeclaredRivals(t *testing.T) {
	w := newWorld(t)
	w.enroll("a", enrolled{})
	ids := w.contribute("a", 2)
	w.command(command.KindRival, command.Rival{Space: spaceName, Item: record.ItemID(ids[0]), Other: record.ItemID(ids[1])})
	rows := w.state.changes.plan.Related
	if len(rows) != 1 || rows[0].Item != w.of("a0", 1).No || rows[0].Other != w.of("a1", 1).No || rows[0].Why != WhyDeclared {
		t.Errorf("related are %+v", rows)
	}
}

// An erased content keeps its numbers and may not come back; a replay over the
// elided copy gives the same digest.
func TestErase(t *testing.T) {
	w := newWorld(t)
	w.enroll("a", enrolled{})
	w.enroll("b", enrolled{})
	r := w.record("a", record.Structured, claim("secret", 1))
	w.by("a").propose(r, 900_000).merged()
	before := w.of("secret", 1).numbers()
	w.judge(command.KindErase, r.ID)
	if it := w.of("secret", 1); it.numbers() != before || !w.state.records[r.ID].Erased {
		t.Error("an erase moved a number, or left the record as it was")
	}
	w.by("b").claims("secret", 1, 900_000).refused(reason.ErasedContent)

	again := NewState(SpaceState{Num: 1, Name: spaceName})
	again.Complete = true
	for _, e := range w.log {
		if b, ok := e.Body.(*DeltaBody); ok && b.Order[0] == r.ID {
			e.Body = elide(b, r, w.of("secret", 1))
		}
		apply(t, again, w.fleet, e, nil)
	}
	if again.Digest(w.now()) != w.state.Digest(w.now()) {
		t.Error("a replay over the elided copy has another digest")
	}
}

// elide is what an erase leaves of a delta on the log.
func elide(b *DeltaBody, r record.Record, it *Item) *DeltaBody {
	gone := *b
	r.Content, r.Erased = nil, true
	gone.Records = map[record.ID]record.Record{r.ID: r}
	gone.Elided = map[record.ID]Elided{r.ID: {Item: it.ID, Claim: it.Claim}}
	return &gone
}
