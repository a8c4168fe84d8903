package merge

import (
	"consilience/command"
	"consilience/delta"
	"consilience/lineage"
	"consilience/record"
	"consilience/reputation"
)

// SpaceState is what a space knows about itself.
type SpaceState struct {
	Num              int32
	Name             string
	LastSeq          uint64 // sequence of the newest entry it has seen
	Time             uint64 // Unix milliseconds: the largest timestamp it has seen
	FirstDelta       bool   // a delta was merged: the reputation policy is fixed
	ReputationPolicy string // name; fixed at the first delta
}

// State is the working set of one space: what was loaded, and what changed since.
// It is filled through the Put methods; what is in it already, loaded or made
// here, is not replaced by a later Put. It is not safe for concurrent use.
type State struct {
	Space SpaceState
	// Complete says that everything is here, so that absence means that it does
	// not exist: an in-memory replay.
	Complete bool

	items     map[ItemNo]*Item
	itemIDs   map[record.ItemID]*Item             // nil: does not exist
	contents  map[record.Content]*ContentState    // nil: does not exist
	records   map[record.ID]*RecordState          // nil: does not exist
	reps      map[lineage.Node]*reputation.Record // nil: does not exist
	sequences map[SequenceKey]*delta.ID           // nil: not used
	highest   map[lineage.Node]uint64
	slices    map[SliceKey]*IssuedSlice // nil: never issued
	exposures map[ExposureKey]uint64    // first sequence; 0: never shown
	commands  map[command.ID]bool       // judgements applied
	policy    reputation.Policy

	manyValued manyValued
	changes    changes
}

// NewState returns an empty working set of a space. A reputation policy that this
// build does not know makes every Apply fail.
func NewState(space SpaceState) *State {
	policy, _ := reputation.ByName(space.ReputationPolicy)
	return &State{
		Space:     space,
		policy:    policy,
		items:     map[ItemNo]*Item{},
		itemIDs:   map[record.ItemID]*Item{},
		contents:  map[record.Content]*ContentState{},
		records:   map[record.ID]*RecordState{},
		reps:      map[lineage.Node]*reputation.Record{},
		sequences: map[SequenceKey]*delta.ID{},
		highest:   map[lineage.Node]uint64{},
		slices:    map[SliceKey]*IssuedSlice{},
		exposures: map[ExposureKey]uint64{},
		commands:  map[command.ID]bool{},
	}
}

// put keeps the first value of a key.
func put[K comparable, V any](m map[K]V, k K, v V) {
	if _, ok := m[k]; !ok {
		m[k] = v
	}
}

// PutItem adds an item, whole: its statements, its contents and their holders.
func (s *State) PutItem(it *Item) {
	if _, ok := s.items[it.No]; ok {
		return
	}
	s.items[it.No] = it
	put(s.itemIDs, it.ID, it)
	for i, c := range it.Contents {
		if known := s.contents[c.Content]; known != nil {
			it.Contents[i] = known
			continue
		}
		s.contents[c.Content] = c
	}
}

// PutItemID adds the item of an id; nil says that there is none.
func (s *State) PutItemID(id record.ItemID, it *Item) {
	if it != nil {
		s.PutItem(it)
		it = s.items[it.No]
	}
	put(s.itemIDs, id, it)
}

// PutContent adds a content; its item is put besides. nil says that there is none.
func (s *State) PutContent(c record.Content, cs *ContentState) { put(s.contents, c, cs) }

// PutRecord adds a record; nil says that there is none.
func (s *State) PutRecord(id record.ID, r *RecordState) { put(s.records, id, r) }

// PutReputation adds a contributor's state in the space; nil says that it has none.
func (s *State) PutReputation(n lineage.Node, r *reputation.Record) { put(s.reps, n, r) }

// PutSequence adds the delta that used a sequence number; nil says that none did.
func (s *State) PutSequence(k SequenceKey, id *delta.ID) { put(s.sequences, k, id) }

// PutHighest adds the highest sequence number that a contributor used, 0 for none.
func (s *State) PutHighest(n lineage.Node, sequence uint64) { put(s.highest, n, sequence) }

// PutSlice adds an issued slice; nil says that it never was.
func (s *State) PutSlice(k SliceKey, issued *IssuedSlice) { put(s.slices, k, issued) }

// PutExposure adds the sequence at which a content was first shown to a lineage;
// found is false if it never was.
func (s *State) PutExposure(k ExposureKey, seq uint64, found bool) {
	if !found {
		seq = 0
	}
	put(s.exposures, k, seq)
}

// PutCommand says whether a judgement of that id was applied.
func (s *State) PutCommand(id command.ID, found bool) { put(s.commands, id, found) }
