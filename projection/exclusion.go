package projection

import "errors"

// Exclusion is the one reason for which a candidate was not delivered.
type Exclusion uint8

// The closed reasons (section 4.4), in the order in which they are tested; the
// first that applies counts.
const (
	SchemaInvalid        Exclusion = iota // the source profile refuses the object's form
	AuthenticationFailed                  // the source profile cannot authenticate the object
	PolicyFiltered                        // a valid object that the selection policy drops
	ContextLimit                          // an eligible object for which there was no room
	exclusionReasons
)

var exclusionNames = [exclusionReasons]string{"schema_invalid", "authentication_failed", "policy_filtered", "context_limit"}

// String is the name of the counter.
func (e Exclusion) String() string {
	if e < exclusionReasons {
		return exclusionNames[e]
	}
	return "unknown"
}

// Refusal is how a [Source] says that an object itself is at fault. Any other
// error of a Source stops the production: a missing key or a failed read is in no
// counter's meaning (P-41).
type Refusal struct {
	Reason Exclusion // SchemaInvalid or AuthenticationFailed
	Detail string    // what is wrong, without content, keys or ids
}

// Refuse returns a [Refusal] as an error.
func Refuse(reason Exclusion, detail string) error { return &Refusal{reason, detail} }

// Error names the counter and the fault.
func (r *Refusal) Error() string { return r.Reason.String() + ": " + r.Detail }

// refusedFor returns the counter that err belongs to, if it belongs to one.
func refusedFor(err error) (Exclusion, bool) {
	var r *Refusal
	if !errors.As(err, &r) || r.Reason > AuthenticationFailed {
		return 0, false
	}
	return r.Reason, true
}

// add counts one more exclusion. It cannot overflow: there are never more
// candidates than bytes of memory.
func (e *Exclusions) add(reason Exclusion) {
	e.ByReason[reason]++
	e.Total++
}

// consistent reports whether the total is the sum of the counters. Every counter
// is at most 2^53-1, so that four of them cannot wrap.
func (e Exclusions) consistent() bool {
	var sum int64
	for _, n := range e.ByReason {
		sum += n
	}
	return sum == e.Total
}
