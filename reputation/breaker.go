package reputation

import "slices"

// The breaker (merge.md "Reputation").
const (
	windowLength = 10 // judgements it looks back on
	maxBad       = 3  // contradictions among them that lock
	lockLength   = 5  // confirmations to unlock, times the number of locks
)

// breaker locks a contributor at three contradictions in its last ten
// judgements, each lock longer than the one before. Both built-in policies use it.
type breaker struct{}

// Judge implements [Policy].
func (breaker) Judge(r Record, confirmed bool) (Record, bool) {
	if r.Left > 0 {
		return probation(r, confirmed)
	}
	window := append(slices.Clone(r.Window), confirmed)
	r.Window = window[max(0, len(window)-windowLength):]
	bad := 0
	for _, good := range r.Window {
		if !good {
			bad++
		}
	}
	if bad < maxBad {
		return r, false
	}
	r.Locks++
	r.Left = lockLength * r.Locks
	return r, true
}

// probation counts a locked contributor's way out.
func probation(r Record, confirmed bool) (Record, bool) {
	if !confirmed {
		r.Left = lockLength * r.Locks
		return r, false
	}
	r.Left--
	if r.Left > 0 {
		return r, false
	}
	r.Window = nil
	return r, true
}

// Locked implements [Policy].
func (breaker) Locked(r Record) bool { return r.Left > 0 }

// Proven implements [Policy].
func (breaker) Proven(r Record) bool { return r.Confirmed >= ProvenCredits && r.Left == 0 }

// count adds e to the tallies that all policies share; a tally never falls below 0.
func count(r Record, e Event) Record {
	tally := [...]*uint32{Accepted: &r.Accepted, Corroborated: &r.Corroborated,
		Confirmed: &r.Confirmed, Contradicted: &r.Contradicted}[e.Kind]
	*tally = uint32(max(0, int64(*tally)+int64(e.N)))
	return r
}
