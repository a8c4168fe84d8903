package delta

import (
	"consilience/reason"
	"consilience/record"
)

// match checks that the delta's statements name each record of the message
// exactly once, and the pairs of those records as far as the message shows.
func (m *Message) match() error {
	named := make(map[record.ID]struct{}, len(m.Records))
	name := func(id record.ID) error {
		if _, ok := m.Records[id]; !ok {
			return reason.New(reason.RecordMissing, "a named record does not travel with the delta")
		}
		if _, twice := named[id]; twice {
			return reason.New(reason.NamedTwice, "a record is named more than once")
		}
		named[id] = struct{}{}
		return nil
	}
	for _, n := range m.Delta.New {
		if err := name(n.Record); err != nil {
			return err
		}
	}
	for _, n := range m.Delta.Modified {
		if err := name(n.Record); err != nil {
			return err
		}
		if len(m.Records[n.Record].Pairs) == 0 {
			return reason.New(reason.PairMissing, "a modification's record refers to nothing")
		}
	}
	if len(named) != len(m.Records) {
		return reason.New(reason.RecordUnnamed, "a record travels that the delta does not name")
	}
	return m.checkPairs()
}

// checkPairs checks the pairs that name a record of this message: it stands
// earlier, and has the hash that the pair states. Other pairs name records that
// only the store knows.
func (m *Message) checkPairs() error {
	earlier := make(map[record.ID]struct{}, len(m.Order))
	for _, id := range m.Order {
		for _, p := range m.Records[id].Pairs {
			target, here := m.Records[p.Record]
			if !here {
				continue
			}
			if _, ok := earlier[p.Record]; !ok || target.ContentHash != p.Hash {
				return reason.New(reason.PairMismatch, "a pair names a later record of the message, or another hash than it has")
			}
		}
		earlier[id] = struct{}{}
	}
	return nil
}
