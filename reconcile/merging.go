package reconcile

import (
	"context"
	"errors"

	"consilience/cluster"
	"consilience/fleet"
	"consilience/merge"
)

// merging is one lane with its working set.
type merging struct {
	*batch
	lane   *lane
	finder cluster.Finder
	state  *merge.State
}

// load fills the working set with all that entries will look at. What an entry
// needs may depend on what is loaded, so it asks until nothing more is needed.
func (m *merging) load(ctx context.Context, entries []merge.Entry) error {
	for {
		needs := make([]merge.Need, len(entries))
		m.fleet.Views(func(at func(uint64) fleet.View) {
			for i, e := range entries {
				needs[i] = m.state.Needs(e, at(seen(e)))
			}
		})
		need := unite(needs)
		if need.Empty() {
			return nil
		}
		if err := m.tx.Load(ctx, m.lane.space.Num, need, m.state); err != nil {
			return err
		}
	}
}

// unite is the union of needs, by halves, so that no key is copied often.
func unite(needs []merge.Need) merge.Need {
	switch len(needs) {
	case 0:
		return merge.Need{}
	case 1:
		return needs[0]
	}
	half := len(needs) / 2
	return merge.Union(unite(needs[:half]), unite(needs[half:]))
}

// seen is the sequence at which an entry sees the fleet: a fact sees itself.
func seen(e merge.Entry) uint64 {
	if _, isFact := e.Body.(*merge.FactBody); isFact {
		return e.Seq + 1
	}
	return e.Seq
}

// entry applies one entry; rest are those after it.
func (m *merging) entry(ctx context.Context, e merge.Entry, rest []merge.Entry) error {
	sweep, err := m.apply(ctx, e)
	if err != nil || sweep.Empty() {
		return err
	}
	if err := m.sweep(ctx, e, sweep); err != nil {
		return err
	}
	return m.load(ctx, rest)
}

// apply applies an entry, loading what entries before it have made it look at.
func (m *merging) apply(ctx context.Context, e merge.Entry) (sweep merge.Sweep, err error) {
	for {
		m.fleet.View(seen(e), func(v fleet.View) { sweep, err = m.state.Apply(e, v, m.finder) })
		var missing *merge.Missing
		if !errors.As(err, &missing) || missing.Need.Empty() {
			return sweep, err
		}
		if err := m.tx.Load(ctx, m.lane.space.Num, missing.Need, m.state); err != nil {
			return sweep, err
		}
	}
}

// sweep recomputes every item that a change of the fleet or of a reputation
// touches. The working set is written first, so that the sweep finds it, and
// begun anew after, so that it does not shadow what the sweep wrote.
func (m *merging) sweep(ctx context.Context, e merge.Entry, s merge.Sweep) error {
	if err := m.write(ctx); err != nil {
		return err
	}
	num := m.lane.space.Num
	err := m.tx.Sweep(ctx, num, s, sweepChunk, func(items []*merge.Item) error {
		chunk := merge.NewState(m.state.Space)
		if need := chunk.ItemNeeds(items); !need.Empty() {
			if err := m.tx.Load(ctx, num, need, chunk); err != nil {
				return err
			}
		}
		m.fleet.View(seen(e), func(v fleet.View) { chunk.Recompute(items, v, s) })
		return m.drain(ctx, chunk)
	})
	m.state = merge.NewState(m.state.Space)
	return err
}

// write writes what the working set has changed.
func (m *merging) write(ctx context.Context) error { return m.drain(ctx, m.state) }

func (m *merging) drain(ctx context.Context, s *merge.State) error {
	plan := s.Drain()
	m.outcomes = append(m.outcomes, plan.Outcomes...)
	m.rejections = append(m.rejections, plan.Rejections...)
	m.statements += len(plan.NewStatements)
	return m.tx.Write(ctx, plan)
}
