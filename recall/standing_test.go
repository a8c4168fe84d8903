package recall_test

import (
	"fmt"
	"slices"
	"testing"

	"consilience/command"
	"consilience/projection"
	"consilience/recall/selection"
	"consilience/record"
)

// wantLeftOut holds that one candidate or more are counted as filtered by policy and
// nowhere else (P-74).
func wantLeftOut(t *testing.T, got recalled, filtered int64) {
	t.Helper()
	want := projection.Exclusions{Total: filtered, ByReason: [4]int64{projection.PolicyFiltered: filtered}}
	if x := got.full.Statement.Exclusions; x != want {
		t.Errorf("left out %+v, want %+v", x, want)
	}
}

// N-72: an item whose confidence is below the space's near-zero limit is delivered
// neither as trusted nor otherwise, whatever is asked, and at the limit it is: stated
// with next to no confidence, doubted down to it, or under a limit that was raised.
func TestNearZero(t *testing.T) {
	w := newWorld(t)
	alice, bob, carol := w.enroll("alice"), w.enroll("bob"), w.enroll("carol")
	alice.base = 49_999
	alice.say("the valve whispers")
	alice.base = 80_000
	doubted := alice.say("the valve is open", "the valve is green")[0]
	w.settle()
	if bodies := bob.recall(text("valve")).bodies(t); len(bodies) != 2 || slices.Contains(bodies, "the valve whispers") {
		t.Errorf("%q", bodies)
	}
	bob.doubt(record.ItemID(doubted.ID))
	carol.doubt(record.ItemID(doubted.ID))
	w.settle()
	low := text("valve")
	low.MinConfidence, low.Tainted = 1, true
	for _, r := range []selection.Request{low, text("valve")} {
		got := bob.recall(r)
		if bodies := got.bodies(t); !slices.Equal(bodies, []string{"the valve is green"}) {
			t.Errorf("%q", bodies)
		}
		wantLeftOut(t, got, 2)
	}
	// At the limit an item is delivered, a millionth below it it is not.
	alice.base = 300_000
	item := record.ItemID(alice.say("the lamp is lit")[0].ID)
	w.settle()
	x, err := w.store.Explain(t.Context(), space, item)
	w.must(err)
	confidence := millionths(t, x.Confidence)
	for _, limit := range []uint32{confidence, confidence + 1} {
		w.policy(func(p *command.Policy) { p.NearZero = limit })
		if got := bob.recall(text("lamp")); (len(got.Objects) == 1) != (limit == confidence) {
			t.Errorf("confidence %d, limit %d: %q", confidence, limit, got.bodies(t))
		}
	}
}

// millionths reads a confidence as it is shown.
func millionths(t *testing.T, shown string) uint32 {
	t.Helper()
	var whole, part uint32
	if _, err := fmt.Sscanf(shown, "%d.%6d", &whole, &part); err != nil {
		t.Fatal(err)
	}
	return whole*1_000_000 + part
}

// What rests on a quarantined record is dropped and counted once; whoever asks for
// it is shown it, but not as trusted, even where two groups stand behind it.
func TestTainted(t *testing.T) {
	w := newWorld(t)
	alice, bob, mallory := w.enroll("alice"), w.enroll("bob"), w.enroll("mallory")
	grounds := mallory.say("the gauge reads 3 bar")
	w.settle()
	alice.sayOf(grounds, "the valve is open")
	bob.say("the valve is open", "the valve is green")
	w.settle()
	if got := bob.recall(text("valve")); len(got.Objects) != 2 || got.full.Statement.Delivered[0].Trust != projection.Trusted {
		t.Fatalf("before the quarantine: %+v", got.full.Statement)
	}
	w.command(command.KindQuarantine, command.Quarantine{Contributor: mallory.id, Reason: "test"})
	w.settle()
	got := bob.recall(text("valve"))
	if bodies := got.bodies(t); !slices.Equal(bodies, []string{"the valve is green"}) {
		t.Errorf("%q", bodies)
	}
	wantLeftOut(t, got, 1)
	asked := text("valve")
	asked.Tainted = true
	got = bob.recall(asked)
	wantLeftOut(t, got, 0)
	if bodies := got.bodies(t); len(bodies) != 2 || bodies[0] != "the valve is open" {
		t.Errorf("%q", bodies)
	}
	for _, e := range got.full.Statement.Delivered {
		if e.Trust != projection.Unverified || e.Authorship != projection.Unknown {
			t.Errorf("%+v", e)
		}
	}
	asked.Authority = selection.TrustedOnly
	wantLeftOut(t, bob.recall(asked), 2)
}
