package merge

import (
	"consilience/cluster"
	"consilience/fleet"
)

// Apply merges one entry. v is the fleet as the entry sees it, At(e.Seq), and for
// a [FactBody] the fleet with the fact, At(e.Seq+1). An entry at or below the
// space's last sequence is ignored. finder may be nil: then texts join exactly.
//
// Apply returns an error only for a fault of the caller, above all a [*Missing];
// the state is then unchanged. An entry that is refused becomes a rejection, and
// for a delta an outcome, in the plan.
func (s *State) Apply(e Entry, v fleet.View, finder cluster.Finder) (Sweep, error) {
	return Sweep{}, nil
}

// Needs names what Apply(e) looks at and is not loaded. Loading what one round
// names can make the next name more; callers unite the needs of a batch, load, and
// repeat until nothing is needed, which takes two or three rounds.
func (s *State) Needs(e Entry, v fleet.View) Need { return Need{} }
