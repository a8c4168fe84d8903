package reconcile

import (
	"testing"

	"consilience/command"
	"consilience/fleet"
	"consilience/merge"
)

func TestWhatSweepsBeginsItsTransaction(t *testing.T) {
	fact := func(kind command.Kind) merge.Entry {
		return merge.Entry{Body: &merge.FactBody{Effect: fleet.Effect{Kind: kind}}}
	}
	say := merge.Entry{Body: &merge.DeltaBody{}}
	for _, c := range []struct {
		name    string
		entries []merge.Entry
		want    int
	}{
		{"deltas", []merge.Entry{say, say, say}, 3},
		{"a quarantine after deltas", []merge.Entry{say, say, fact(command.KindQuarantine), say}, 2},
		{"a quarantine before deltas", []merge.Entry{fact(command.KindQuarantine), say, say}, 3},
		{"two facts that sweep", []merge.Entry{fact(command.KindQuarantine), fact(command.KindRelease)}, 1},
		{"a fact that does not", []merge.Entry{say, fact(command.KindEnroll), say}, 3},
		{"a policy alone", []merge.Entry{say, fact(command.KindPolicy), say}, 1},
		{"a policy first", []merge.Entry{fact(command.KindPolicy), say}, 1},
	} {
		if got := together(c.entries); got != c.want {
			t.Errorf("%s: %d entries, want %d", c.name, got, c.want)
		}
	}
}
