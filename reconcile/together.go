package reconcile

import (
	"consilience/command"
	"consilience/merge"
)

// together is how many of entries, at least one, belong in one transaction: up to
// and with one that reshapes, and before one that sweeps.
func together(entries []merge.Entry) int {
	n := untilReshaped(entries)
	for i := 1; i < n; i++ {
		if sweeps(entries[i]) {
			return i
		}
	}
	return n
}

// sweeps reports whether an entry makes every item of contributors, or of a space,
// be recomputed. Such an entry begins its transaction: as long as the transaction
// has written nothing, the items can be read by another connection, ahead.
func sweeps(e merge.Entry) bool {
	fact, ok := e.Body.(*merge.FactBody)
	if !ok {
		return false
	}
	switch fact.Kind {
	case command.KindQuarantine, command.KindRelease, command.KindPolicy:
		return true
	}
	return false
}
