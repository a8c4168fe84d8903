package agent

import (
	"bytes"
	"slices"

	"consilience/delta"
	"consilience/record"
)

// DefaultStrength is the strength of an absence for which none was given, ppm.
const DefaultStrength = 500_000

// DefaultConfidence is the base confidence of a record for which none was given,
// ppm.
const DefaultConfidence = 800_000

// State is what a contributor holds for one space: what it derived from a slice,
// and what it changed since.
type State struct {
	// Items are the items of the slice that are still held.
	Items map[record.ItemID]Held
	// New are records of its own that stand for no item of the slice, in the
	// order in which they were written.
	New []delta.New
	// Dropped is how strongly it doubts an item that it no longer holds, ppm;
	// [DefaultStrength] where it does not say.
	Dropped map[record.ItemID]uint32
}

// Held is an item as a contributor holds it.
type Held struct {
	Record record.ID // the head that the slice shows, or a record of its own
	Base   uint32    // of a record of its own, ppm; 0 for the head
}

// Changes are the three groups of a delta (N-44).
type Changes struct {
	New      []delta.New
	Modified []delta.Modified // in bytewise order of their items
	Absent   []delta.Absent   // in bytewise order of their items
}

// Empty reports that nothing changed.
func (c Changes) Empty() bool { return len(c.New)+len(c.Modified)+len(c.Absent) == 0 }

// FromSlice is the state that holds a slice as it is.
func FromSlice(slice []delta.SliceEntry) State {
	s := State{Items: make(map[record.ItemID]Held, len(slice)), Dropped: map[record.ItemID]uint32{}}
	for _, e := range slice {
		s.Items[e.Item] = Held{Record: e.Head}
	}
	return s
}

// Diff is the delta between a state and a slice (N-11): the same for the same
// state, whatever the order in which it came about. Items that the state dropped
// and the slice does not have are no absence (N-47).
func Diff(slice []delta.SliceEntry, s State) Changes {
	c := Changes{New: slices.Clone(s.New)}
	for _, e := range slice {
		held, ok := s.Items[e.Item]
		switch {
		case !ok:
			c.Absent = append(c.Absent, delta.Absent{Item: e.Item, Strength: strength(s.Dropped, e.Item)})
		case held.Record != e.Head && held.Base > 0:
			c.Modified = append(c.Modified, delta.Modified{Item: e.Item, Record: held.Record, Base: held.Base})
		}
	}
	return c
}

func strength(dropped map[record.ItemID]uint32, item record.ItemID) uint32 {
	if v, ok := dropped[item]; ok {
		return v
	}
	return DefaultStrength
}

// Apply is the state that changes make of a slice: Diff(slice, Apply(slice, c))
// is c. A modification of an item that the slice does not have any more is a
// record of its own: the item changed meanwhile, and nothing is overwritten.
func Apply(slice []delta.SliceEntry, c Changes) State {
	s := FromSlice(slice)
	s.New = slices.Clone(c.New)
	for _, m := range c.Modified {
		if _, ok := s.Items[m.Item]; ok {
			s.Items[m.Item] = Held{Record: m.Record, Base: m.Base}
			continue
		}
		s.New = append(s.New, delta.New{Record: m.Record, Base: m.Base})
	}
	for _, a := range c.Absent {
		delete(s.Items, a.Item)
		s.Dropped[a.Item] = a.Strength
	}
	return s
}

// compareItems is the bytewise order of items.
func compareItems(a, b record.ItemID) int { return bytes.Compare(a[:], b[:]) }
