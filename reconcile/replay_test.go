package reconcile_test

import (
	"context"
	"testing"
	"time"

	"consilience/internal/testkit"
	"consilience/reason"
	"consilience/reconcile"
)

// A replay up to a sequence gives the space as it was there, and a worker that
// goes on from it ends where any other ends.
func TestReplayToAndOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "facts", "places")
	s := w.story(41)
	live := w.open(w.pgURL)
	w.worker(w.pgURL, "one", &logs{})
	s.tell(60)
	w.settle(live)
	then, err := w.log.Last(t.Context())
	w.must(err)
	was := w.digests(live)
	s.tell(60)
	w.settle(live)

	url := testkit.Postgres(t, migrate).URL
	rebuilt := w.open(url)
	var reached []uint64
	replay := reconcile.Replay{Config: w.config(), To: then, Progress: func(at, last uint64) {
		if last != then {
			t.Errorf("progress towards %d, want %d", last, then)
		}
		reached = append(reached, at)
	}}
	w.must(replay.Run(t.Context(), w.log, rebuilt))
	if len(reached) == 0 || reached[len(reached)-1] != then {
		t.Errorf("progress ends at %v, want %d", reached, then)
	}
	for space, want := range was {
		if got := w.digests(rebuilt)[space]; got != want {
			t.Errorf("space %s at %d: digest %x, was %x", space, then, got, want)
		}
	}
	if n := w.count(rebuilt, "SELECT count(*) FROM consilience.outcome WHERE NOT published"); n != 0 {
		t.Errorf("%d replayed outcomes would be published again", n)
	}

	w.worker(url, "two", &logs{})
	w.settle(rebuilt)
	for space, want := range w.digests(live) {
		if got := w.digests(rebuilt)[space]; got != want {
			t.Errorf("space %s: digest %x, the other store has %x", space, got, want)
		}
	}
	if err := replay.Run(t.Context(), w.log, rebuilt); reason.Of(err) != reason.AlreadyKnown {
		t.Errorf("a replay over a store: %v", err)
	}
}

// Waiting for a sequence ends when the space is there, in time or not.
func TestWaitFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "facts", "places")
	alice := w.enroll("alice")
	store := w.open(w.pgURL)
	w.worker(w.pgURL, "one", &logs{})
	alice.send("facts", alice.text("a text"))
	alice.send("places", alice.text("after it"))
	last, err := w.log.Last(t.Context())
	w.must(err)
	w.must(reconcile.WaitFor(t.Context(), w.log, store, "facts", last)) // nothing more for facts: it has passed

	soon, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if err := reconcile.WaitFor(soon, w.log, store, "facts", last+1); reason.Of(err) != reason.TimedOut {
		t.Errorf("waiting for what is not there: %v", err)
	}
}

// What was rejected can be sent again, byte for byte, and is merged once its cause
// is gone: a rejection uses up no sequence number.
func TestRequeue(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "facts")
	store := w.open(w.pgURL)
	w.worker(w.pgURL, "one", &logs{})
	late := w.stranger("late")
	id := late.send("facts", late.text("sent before it was enrolled"))
	seq, err := w.log.Last(t.Context())
	w.must(err)
	w.settle(store)
	if n := w.count(store, "SELECT count(*) FROM consilience.rejection WHERE seq = $1 AND reason = 'key_unknown'", int64(seq)); n != 1 {
		t.Fatal("it was not rejected")
	}
	w.enroll("late")
	if _, err := reconcile.Requeue(t.Context(), w.log, seq); err != nil {
		t.Fatal(err)
	}
	w.settle(store)
	if o := late.outcomes(store, "facts", id)[id]; o.Status != "merged" {
		t.Errorf("requeued: %+v", o)
	}
	w.sameAsReplay(store)
}
