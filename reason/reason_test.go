package reason_test

import (
	"errors"
	"fmt"
	"testing"

	"consilience/reason"
)

// A chain of refusals names one code, the outermost: it is the one that counts.
func TestErrorNamesOneCode(t *testing.T) {
	inner := reason.Wrap(reason.Malformed, errors.New("eof"), "no text").On("line 3").Advise("mend it")
	for _, c := range []struct {
		err  error
		want string
	}{
		{inner, "line 3: no text (malformed): eof; mend it"},
		{reason.Wrap(reason.UsageError, inner, "not imported").On("a.csv"), "a.csv: not imported (usage): line 3: no text: eof; mend it"},
		{reason.Wrap(reason.UsageError, fmt.Errorf("source %q: %w", "x", inner), "no"), `no (usage): source "x": line 3: no text: eof; mend it`},
		{reason.Wrap(reason.TimedOut, errors.New("late"), "no answer"), "no answer (timed_out): late"},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("%s, not %s", got, c.want)
		}
	}
	if err := reason.Wrap(reason.UsageError, inner, "x"); !errors.Is(err, reason.New(reason.Malformed, "")) || reason.Of(err) != reason.UsageError {
		t.Error("the cause is lost")
	}
}

// Whatever a command line names and nobody knows, its status is the same, and so it is
// for a file that does not hold what it should.
func TestUnknownNamesAreOneClass(t *testing.T) {
	for _, code := range []reason.Code{
		reason.NotFound, reason.SpaceUnknown, reason.ContributorUnknown, reason.RecordUnknown, reason.ItemUnknown, reason.Ambiguous,
		reason.KeyInvalid, reason.NameInvalid, reason.PolicyInvalid, reason.UsageError,
	} {
		if got := reason.ClassOf(reason.New(code, "x")); got != reason.Usage {
			t.Errorf("%s is of class %d", code, got)
		}
	}
}
