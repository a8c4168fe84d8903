package agent

import (
	"context"

	"consilience/bus"
	"consilience/command"
	"consilience/fleet"
	"consilience/reason"
)

// ReadFleet is the fleet of a store as the facts on its log say, read over an
// operator's connection. Facts that do not hold count for nothing, as everywhere. It
// returns [reason.StoreMismatch] for the log of another store and what
// [bus.Reader.Next] returns.
func ReadFleet(ctx context.Context, b *bus.Bus, store [32]byte) (fleet.View, error) {
	state := fleet.New(store)
	newest, err := b.NewestFact(ctx)
	if err != nil {
		return fleet.View{}, err
	}
	reader := b.FleetReader(bus.Position{})
	defer reader.Close()
	for last := uint64(0); last < newest; {
		entries, err := reader.Next(ctx)
		if err != nil {
			return fleet.View{}, err
		}
		for _, e := range entries {
			if last = e.Seq; last > newest {
				break
			}
			apply(state, e)
		}
	}
	view := state.At(newest + 1)
	if newest > 0 && view.LastFact() == 0 {
		return view, reason.New(reason.StoreMismatch, "the log there is another store's").Advise("name the store by its id and its own address")
	}
	return view, nil
}

// apply folds an entry; a fact that is refused changes nothing.
func apply(state *fleet.State, e bus.Entry) {
	subject, err := command.ParseSubject(e.Subject)
	if err != nil {
		return
	}
	_, _ = state.Apply(fleet.Fact{Seq: e.Seq, Time: uint64(e.Time.UnixMilli()), Subject: subject, Raw: e.Data})
}
