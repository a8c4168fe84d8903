package merge

import (
	"consilience/fleet"
	"consilience/lineage"
	"consilience/reason"
	"consilience/record"
)

// maxSequenceGap is how far a sequence may lie above the highest one used.
const maxSequenceGap = 1 << 20

// checkDelta refuses a delta for what only the fleet and the space can tell.
func (s *State) checkDelta(b *DeltaBody, v fleet.View) (lineage.Node, error) {
	n, err := s.checkContributor(b, v)
	if err != nil {
		return n, err
	}
	for _, check := range []func(lineage.Node, *DeltaBody) error{
		s.checkSequence, s.checkSlice, s.checkItems, s.checkRecords, s.checkPairs, s.checkModified,
	} {
		if err := check(n, b); err != nil {
			return n, err
		}
	}
	return n, nil
}

func (s *State) checkContributor(b *DeltaBody, v fleet.View) (lineage.Node, error) {
	if b.Delta.Space != s.Space.Name {
		return 0, reason.New(reason.SpaceMismatch, "the delta is for another space")
	}
	n, ok := v.Node(b.Delta.Contributor)
	if !ok {
		return 0, reason.New(reason.ContributorUnknown, "the contributor is neither enrolled nor derived")
	}
	if s.merged(n, b) {
		return n, errDuplicate()
	}
	if v.Lineage().Retired(n) {
		return n, reason.New(reason.ContributorRetired, "the contributor is retired")
	}
	if !v.Admitted(n, s.Space.Name) {
		return n, reason.New(reason.NotAdmitted, "the contributor's root is not enrolled for the space")
	}
	return n, nil
}

// merged reports whether this very delta used its sequence number.
func (s *State) merged(n lineage.Node, b *DeltaBody) bool {
	id := s.sequences[SequenceKey{n, b.Delta.Sequence}]
	return id != nil && *id == b.ID
}

func errDuplicate() error { return reason.New(reason.Duplicate, "the same delta was merged before") }

// checkSequence holds a contributor to each of its sequence numbers once.
func (s *State) checkSequence(n lineage.Node, b *DeltaBody) error {
	if s.sequences[SequenceKey{n, b.Delta.Sequence}] != nil {
		return reason.New(reason.SequenceReused, "another delta used this sequence number")
	}
	if highest := s.highest[n]; b.Delta.Sequence > highest+maxSequenceGap {
		return reason.New(reason.SequenceGap, "more than %d above the highest sequence seen, %d", maxSequenceGap, highest)
	}
	return nil
}

// checkSlice refuses a base slice that the service did not issue to the contributor.
func (s *State) checkSlice(n lineage.Node, b *DeltaBody) error {
	base := b.Delta.Base
	if base == nil {
		if len(b.Delta.Modified)+len(b.Delta.Absent) > 0 {
			return reason.New(reason.BaseSliceMissing, "modified or absent items, and no slice they are of")
		}
		return nil
	}
	issued := s.slices[base.Digest]
	switch {
	case issued == nil || issued.Revision != base.Revision:
		return reason.New(reason.SliceUnknown, "no slice of this digest and revision was issued")
	case issued.Contributor != n:
		return reason.New(reason.SliceForeign, "the slice was issued to another contributor")
	}
	return nil
}

// checkItems refuses items outside the slice: it holds what was founded at or
// before its revision.
func (s *State) checkItems(_ lineage.Node, b *DeltaBody) error {
	for _, id := range b.items() {
		if it := s.itemIDs[id]; it == nil || it.Founded > b.Delta.Base.Revision {
			return reason.New(reason.NotInSlice, "an item is not in the base slice")
		}
	}
	return nil
}

// items are the ids that a delta names, in its order.
func (b *DeltaBody) items() []record.ItemID {
	var ids []record.ItemID
	for _, m := range b.Delta.Modified {
		ids = append(ids, m.Item)
	}
	for _, a := range b.Delta.Absent {
		ids = append(ids, a.Item)
	}
	return ids
}

// checkRecords refuses content that an erase took away.
func (s *State) checkRecords(_ lineage.Node, b *DeltaBody) error {
	for _, id := range b.Order {
		r := b.Records[id]
		if c := s.contents[r.Is()]; c != nil && c.Erased {
			return reason.New(reason.ErasedContent, "a record's content was erased")
		}
		if _, elided := b.Elided[id]; r.Erased && !elided {
			return reason.New(reason.ErasedContent, "a record travels without its content")
		}
	}
	return nil
}

// checkPairs refuses a pair that names no earlier record of the space, or another
// content than that record's. What stands earlier in the message was checked when
// it was opened.
func (s *State) checkPairs(_ lineage.Node, b *DeltaBody) error {
	for _, id := range b.Order {
		for _, p := range b.Records[id].Pairs {
			if _, ok := b.Records[p.Record]; ok {
				continue
			}
			if earlier := s.records[p.Record]; earlier == nil || earlier.Content.Hash != p.Hash {
				return reason.New(reason.PairMismatch, "a pair names no earlier record of the space, or another hash")
			}
		}
	}
	return nil
}

// checkModified refuses a modification whose record does not refer to its item.
func (s *State) checkModified(_ lineage.Node, b *DeltaBody) error {
	for _, m := range b.Delta.Modified {
		if it := s.itemIDs[m.Item]; !s.refers(b, b.Records[m.Record], it) {
			return reason.New(reason.PairMissing, "a modification holds no pair to a record of its item")
		}
	}
	return nil
}

func (s *State) refers(b *DeltaBody, r record.Record, it *Item) bool {
	for _, p := range r.Pairs {
		if s.itemOf(b, p.Record) == it.No {
			return true
		}
	}
	return false
}

// itemOf returns the item of a record of the space, or of the message if its
// content is in the space already; 0 for none.
func (s *State) itemOf(b *DeltaBody, id record.ID) ItemNo {
	if r := s.records[id]; r != nil {
		return r.Item
	}
	if r, ok := b.Records[id]; ok {
		if c := s.contents[r.Is()]; c != nil {
			return c.Item
		}
	}
	return 0
}
