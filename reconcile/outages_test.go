package reconcile

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"testing"
	"time"

	"consilience/internal/testkit"
	"consilience/reason"
)

// What fails is told once it has failed for longer than a restart takes, counted
// from its first failure since it last worked.
func TestOutagesLast(t *testing.T) {
	clock := testkit.NewClock(time.Unix(1_790_000_000, 0))
	o := newOutages(clock)
	expect := func(when string, want map[string]string) {
		t.Helper()
		if got := o.lasting(); !maps.Equal(got, want) {
			t.Errorf("%s: %v, want %v", when, got, want)
		}
	}
	broken := errors.New("broken pipe")
	o.fails("store", broken)
	clock.Advance(unwellAfter)
	expect("failed for as long as is borne", map[string]string{})
	o.fails("store", broken)
	clock.Advance(1)
	expect("failed for longer", map[string]string{"store": "unreachable: broken pipe"})
	o.works("store")
	expect("worked again", map[string]string{})
	o.fails("store", broken)
	clock.Advance(unwellAfter)
	expect("failed again, not for long", map[string]string{})
	o.works("store")

	o.tries("store") // and never hears of it
	clock.Advance(2 * unwellAfter)
	expect("no answer", map[string]string{"store": "timed_out: no answer"})
	o.tries("store")
	o.fails("log", reason.New(reason.LogRestored, "older"))
	clock.Advance(unwellAfter + 1)
	expect("both", map[string]string{"store": "timed_out: no answer", "log": "log_restored: older (log_restored)"})
}

// An error of a driver has a reason in logs and metrics, and none is no error.
func TestEveryErrorHasAReason(t *testing.T) {
	for want, err := range map[reason.Code]error{
		"":                 nil,
		reason.Unreachable: errors.New("conn closed"),
		reason.TimedOut:    fmt.Errorf("write: %w", context.DeadlineExceeded),
		reason.LogRestored: fmt.Errorf("session: %w", reason.New(reason.LogRestored, "older")),
	} {
		if got := codeOf(err); got != want {
			t.Errorf("%v: %q, want %q", err, got, want)
		}
	}
}
