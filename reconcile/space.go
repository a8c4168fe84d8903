package reconcile

import (
	"context"

	"consilience/command"
	"consilience/fleet"
	"consilience/internal/failpoint"
	"consilience/merge"
	"consilience/reason"
)

// sweepChunk is how many items a sweep holds in memory at once.
const sweepChunk = 2000

// lane is what a batch brings to one space, in log order.
type lane struct {
	space   fleet.Space
	entries []merge.Entry
}

// run merges the entries, space by space: spaces know nothing of each other, so
// only the order within each matters.
func (b *batch) run(ctx context.Context, entries []merge.Entry) (err error) {
	defer guard(&err)
	lanes, strays := b.lanes(b.partition, entries)
	for _, l := range lanes {
		if err := b.merge(ctx, l); err != nil {
			return err
		}
	}
	if len(strays) == 0 {
		return nil
	}
	b.rejections = append(b.rejections, strays...)
	return b.tx.Reject(ctx, strays)
}

// lanes deals the entries out: those of a space to it, facts to every space of
// the partition that exists by then. What belongs to no space is rejected.
func (w *Worker) lanes(partition int, entries []merge.Entry) (lanes []*lane, strays []merge.Rejection) {
	byName := map[string]*lane{}
	w.fleet.Views(func(at func(uint64) fleet.View) {
		last := entries[len(entries)-1].Seq
		for _, s := range at(last + 1).Spaces() {
			if command.Partition(s.Name) == partition {
				// An entry that changes the policy ends its batch, and does not see its own change.
				if before, ok := at(last).Space(s.Name); ok {
					s = before
				}
				byName[s.Name] = &lane{space: s}
				lanes = append(lanes, byName[s.Name])
			}
		}
		for _, e := range entries {
			v := at(seen(e))
			if isFleet(e.Subject) {
				tell(lanes, e, v)
				continue
			}
			s, err := command.ParseSubject(e.Subject)
			if _, known := v.Space(s.Space); err == nil && known {
				byName[s.Space].entries = append(byName[s.Space].entries, e)
				continue
			}
			strays = append(strays, stray(e))
		}
	})
	return lanes, strays
}

// tell gives a fact to the spaces that exist by then. A refused one changed
// nothing, and is kept with the facts.
func tell(lanes []*lane, fact merge.Entry, v fleet.View) {
	for _, l := range lanes {
		if _, known := v.Space(l.space.Name); known && fact.Refused == nil {
			l.entries = append(l.entries, fact)
		}
	}
}

// stray is the rejection of an entry that belongs to no space.
func stray(e merge.Entry) merge.Rejection {
	if e.Refused == nil {
		e.Refused = reason.New(reason.SpaceUnknown, "no such space at this place in the log")
	}
	return merge.Rejection{Seq: e.Seq, Time: e.Time, Subject: e.Subject, Hash: e.Hash, Reason: string(reason.Of(e.Refused)), Detail: e.Refused.Error()}
}

// merge merges one lane and writes what it changed.
func (b *batch) merge(ctx context.Context, l *lane) error {
	if len(l.entries) == 0 {
		return nil
	}
	space, err := b.tx.Space(ctx, l.space.Num, l.space.Name)
	if err != nil {
		return err
	}
	m := merging{batch: b, lane: l, state: merge.NewState(space)}
	if f := b.findings[l.space.Num]; f != nil {
		m.finder = f
	}
	if err := m.load(ctx, l.entries); err != nil {
		return err
	}
	failpoint.Hit("loaded")
	for i, e := range l.entries {
		if err := m.entry(ctx, e, l.entries[i+1:]); err != nil {
			return err
		}
	}
	failpoint.Hit("merged")
	return m.write(ctx)
}
