package merge

import (
	"fmt"
	"testing"

	"consilience/command"
	"consilience/record"
)

// N-51, N-52, N-62: who raises whom. One item holds what all of them say, with
// the word of each kept.
func TestCorroboration(t *testing.T) {
	const alone = 270_000
	for name, c := range map[string]struct {
		second string
		rises  bool
	}{
		"independent":          {"b", true},
		"the same contributor": {"a", false},
		"a child":              {"child", false},
		"a sibling's child":    {"nephew", false},
		"one origin":           {"twin", false},
	} {
		w := newWorld(t)
		w.enroll("a", enrolled{origin: "here"})
		w.enroll("b", enrolled{})
		w.enroll("twin", enrolled{origin: "here"})
		for child, parent := range map[string]string{"child": "a", "sibling": "a"} {
			if err := w.derive(child, parent); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.derive("nephew", "sibling"); err != nil {
			t.Fatal(err)
		}
		w.by("a").claims("x", 1, 900_000).merged()
		w.by(c.second).claims("x", 1, 800_000).merged()
		it := w.of("x", 1)
		if (it.Confidence > alone) != c.rises {
			t.Errorf("%s: confidence is %d", name, it.Confidence)
		}
		if len(w.state.items) != 1 || len(it.Statements) != 2 {
			t.Errorf("%s: %d items, %d statements", name, len(w.state.items), len(it.Statements))
		}
	}
}

// N-62: child first, parent later is no corroboration either.
func TestParentAfterChild(t *testing.T) {
	w := newWorld(t)
	w.enroll("a", enrolled{})
	if err := w.derive("child", "a"); err != nil {
		t.Fatal(err)
	}
	w.by("child").claims("x", 1, 900_000).merged()
	w.by("a").claims("x", 1, 900_000).merged()
	it := w.of("x", 1)
	if it.Confidence != 270_000 || it.Groups != 1 {
		t.Errorf("confidence %d of %d groups, want the strongest of one", it.Confidence, it.Groups)
	}
	if why := w.stance(it, "child").Counted; why != SameGroup {
		t.Errorf("the child's stance: %q", why)
	}
}

// N-63, N-71: at a finite distance the draft's rule, exactly at its boundary; at
// distance 0 lineages are groups, and nothing is off.
func TestLineageDistance(t *testing.T) {
	for _, c := range []struct {
		distance uint32
		rises    bool
	}{{0, false}, {1, true}, {2, true}, {3, false}, {4, false}} {
		w := newWorld(t, func(p *command.Policy) { p.LineageDistance = c.distance })
		w.enroll("g0", enrolled{})
		for i := range 3 {
			if err := w.derive(fmt.Sprintf("g%d", i+1), fmt.Sprintf("g%d", i)); err != nil {
				t.Fatal(err)
			}
		}
		w.by("g0").claims("x", 1, 900_000).merged()
		w.by("g3").claims("x", 1, 900_000).merged()
		if it := w.of("x", 1); (it.Groups == 2) != c.rises {
			t.Errorf("distance %d: %d groups of two three steps apart", c.distance, it.Groups)
		}
	}
}

// Q3: in an open space all unproven contributors are one group, per side.
func TestNewcomerPool(t *testing.T) {
	w := newWorld(t, func(p *command.Policy) { p.Admission = command.AdmissionOpen })
	for i := range 5 {
		w.enroll(fmt.Sprintf("sybil%d", i), enrolled{spaces: []string{}})
		w.by(fmt.Sprintf("sybil%d", i)).claims("x", 1, 900_000).merged()
	}
	it := w.of("x", 1)
	if it.Groups != 1 || it.Confidence != 270_000 {
		t.Errorf("five newcomers give %d of %d groups", it.Confidence, it.Groups)
	}
	w.enroll("known", enrolled{vouched: true})
	w.by("known").claims("x", 1, 900_000).merged()
	if it.Groups != 2 {
		t.Errorf("%d groups, want the pool and the proven one", it.Groups)
	}
	pooled := 0
	for _, st := range it.Statements {
		if st.Counted == InPool {
			pooled++
		}
	}
	if pooled != 4 {
		t.Errorf("%d stances are in the pool, want 4", pooled)
	}
}

// At most 64 groups count, the strongest.
func TestAtMost64Groups(t *testing.T) {
	w := newWorld(t)
	for i := range 70 {
		w.enroll(fmt.Sprintf("m%d", i), enrolled{})
		w.by(fmt.Sprintf("m%d", i)).claims("x", 1, 200_000+uint32(i)).merged()
	}
	it, weighs := w.of("x", 1), 0
	for _, st := range it.Statements {
		if st.Counted.Weighs() {
			weighs++
			if st.Value < 200_006 {
				t.Error("a weak stance counts in place of a stronger one")
			}
		}
	}
	if weighs != MaxGroups || it.Groups != MaxGroups {
		t.Errorf("%d stances weigh, %d groups", weighs, it.Groups)
	}
}

// N-45: a delta that lists every item as absent lowers all within the step and
// removes none.
func TestAbsenceOfEverything(t *testing.T) {
	w := newWorld(t)
	w.enroll("a", enrolled{r0: 900_000})
	w.enroll("b", enrolled{r0: 980_000, vouched: true})
	for i := range 5 {
		w.by("a").claims("x", i, 900_000).merged()
	}
	d := w.by("b").from()
	for i := range 5 {
		d.absent(w.of("x", i).ID, 1_000_000)
	}
	d.merged()
	for i := range 5 {
		it := w.of("x", i)
		if it.Status != Active || it.Confidence == 0 || it.Confidence >= 810_000 {
			t.Errorf("item is %s at %d", it.Status, it.Confidence)
		}
		if least := Against(it.Support, 490_000); it.Confidence < least {
			t.Errorf("lowered to %d, a proven doubt may lower to %d", it.Confidence, least)
		}
	}
}

// N-46: the same absence again, by the same contributor or by one that is not
// independent of it, has no further effect; an absence withdrawn has none.
func TestAbsenceOnce(t *testing.T) {
	w := newWorld(t)
	w.enroll("a", enrolled{})
	w.enroll("b", enrolled{})
	if err := w.derive("b2", "b"); err != nil {
		t.Fatal(err)
	}
	w.by("a").claims("x", 1, 900_000).merged()
	it := w.of("x", 1)
	before := it.Confidence
	w.by("b").from().absent(it.ID, 900_000).merged()
	once := it.Confidence
	w.by("b").from().absent(it.ID, 900_000).merged()
	w.by("b2").from().absent(it.ID, 900_000).merged()
	if once >= before || it.Confidence != once {
		t.Errorf("confidence went %d, %d, %d", before, once, it.Confidence)
	}
	w.by("b").claims("x", 1, 900_000).merged()
	if st := w.stance(it, "b"); st.Side != Support {
		t.Error("a later support does not stand in place of a doubt")
	}
}

// N-47: what is not in the slice, or not named, is untouched.
func TestAbsenceTouchesOnlyItsItem(t *testing.T) {
	w := newWorld(t)
	w.enroll("a", enrolled{})
	w.enroll("b", enrolled{})
	w.by("a").claims("x", 1, 900_000).claims("x", 2, 900_000).merged()
	other := w.of("x", 2).numbers()
	w.by("b").from().absent(w.of("x", 1).ID, 900_000).merged()
	if w.of("x", 2).numbers() != other {
		t.Error("an absence touched another item")
	}
}

// Q4: an item that all its supporters took back is active at confidence 0.
func TestRetraction(t *testing.T) {
	w := newWorld(t)
	w.enroll("a", enrolled{})
	r := w.record("a", record.Structured, claim("x", 1))
	w.by("a").propose(r, 900_000).merged()
	w.by("a").from().absent(record.ItemID(r.ID), 1_000_000).merged()
	it := w.of("x", 1)
	if it.Status != Active || it.Confidence != 0 || it.Support != 0 {
		t.Errorf("%s at %d", it.Status, it.Confidence)
	}
	if it.Head != RecordNo(it.No) {
		t.Error("the head is not the founding record")
	}
}

// Q21, Q22: echoes are kept and shown, and count for nothing.
func TestEcho(t *testing.T) {
	w := newWorld(t)
	w.enroll("a", enrolled{})
	w.enroll("b", enrolled{})
	if err := w.derive("b2", "b"); err != nil {
		t.Fatal(err)
	}
	r := w.record("a", record.Structured, claim("x", 1))
	w.by("a").propose(r, 900_000).merged()
	it := w.of("x", 1)
	before := it.Confidence
	w.served("b2", it.Content)
	o := w.by("b").claims("x", 1, 900_000).merged()
	if it.Confidence != before || w.stance(it, "b").Counted != Echo {
		t.Error("what the lineage was shown counts")
	}
	if o.Items[0].Action != command.ActionEchoed || o.Items[0].Counted {
		t.Errorf("outcome is %+v", o.Items[0])
	}
	c := w.state.contents[it.Content]
	if c.Holders[w.node("b")] != nil {
		t.Error("an echo earns evidence")
	}
	w.served("a", it.Content)
	w.by("a").claims("x", 1, 800_000).merged()
	if w.stance(it, "a").Echo {
		t.Error("a support after one's own first one is no echo")
	}
}

// Q22: a modification to the item's own content is a support, and to a content
// that another item holds it joins that one.
func TestModificationToKnownContent(t *testing.T) {
	w := newWorld(t)
	w.enroll("a", enrolled{})
	w.enroll("b", enrolled{})
	x := w.record("a", record.Structured, claim("x", 1))
	y := w.record("b", record.Structured, claim("x", 2))
	w.by("a").propose(x, 900_000).merged()
	w.by("b").propose(y, 900_000).merged()
	same := w.record("b", record.Structured, claim("x", 1), pairTo(x))
	o := w.by("b").from().modify(record.ItemID(x.ID), same, 500_000).merged()
	if len(o.Items) != 1 || o.Items[0].Action != command.ActionUnchanged || w.of("x", 1).Doubters != 0 {
		t.Errorf("own content: %+v", o.Items)
	}
	other := w.record("a", record.Structured, claim("x", 2), pairTo(x))
	o = w.by("a").from().modify(record.ItemID(x.ID), other, 500_000).merged()
	if len(o.Items) != 2 || o.Items[0].Action != command.ActionRevised || o.Items[1].Action != command.ActionDoubted {
		t.Errorf("another item's content: %+v", o.Items)
	}
	if o.Items[0].ItemID != record.ItemID(y.ID) || len(w.state.items) != 2 {
		t.Error("a duplicate item")
	}
}

// A predicate that the policy lists as many-valued founds no rivals, however it
// is spelt.
func TestManyValued(t *testing.T) {
	w := newWorld(t, func(p *command.Policy) { p.ManyValued = []string{"P"} })
	w.enroll("a", enrolled{})
	w.by("a").claims("x", 1, 1).merged()
	w.by("a").propose(w.record("a", record.Structured, []byte(`{"predicate":"q","subject":"x","value":1}`)), 1).merged()
	if w.of("x", 1).Claim != nil {
		t.Error("a many-valued claim has a key")
	}
	q := w.ofContent(record.Structured, []byte(`{"predicate":"q","subject":"x","value":1}`))
	if q.Claim == nil {
		t.Error("a single-valued claim has none")
	}
}
