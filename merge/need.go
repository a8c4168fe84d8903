package merge

import (
	"consilience/command"
	"consilience/delta"
	"consilience/lineage"
	"consilience/record"
)

// Keys of what is looked up one by one.
type (
	// SequenceKey names one of a contributor's own sequence numbers.
	SequenceKey struct {
		Contributor lineage.Node
		Sequence    uint64
	}
	// SliceKey is the digest of a slice; who it was issued to is what is looked up.
	SliceKey [32]byte
	// ExposureKey is a content shown to any member of a lineage.
	ExposureKey struct {
		Root    lineage.Node
		Content record.Content
	}
)

// Need names what the state has to know and does not: each key is to be loaded
// and put, or put as absent. Loading a content, an item id or an item number
// loads its item whole: statements with their record ids, all its contents, and
// the holders of those. Loading a sequence also loads the highest sequence of its
// contributor ([State.PutHighest]).
type Need struct {
	Contents    []record.Content
	Items       []record.ItemID
	ItemNos     []ItemNo
	Records     []record.ID
	Reputations []lineage.Node
	Sequences   []SequenceKey
	Slices      []SliceKey
	Exposures   []ExposureKey
	Commands    []command.ID
}

// Empty reports whether nothing is needed.
func (n Need) Empty() bool {
	return len(n.Contents)+len(n.Items)+len(n.ItemNos)+len(n.Records)+
		len(n.Reputations)+len(n.Sequences)+len(n.Slices)+len(n.Exposures)+len(n.Commands) == 0
}

// Union is all that a or b needs, each once, in a stable order.
func Union(a, b Need) Need {
	return Need{
		Contents:    union(a.Contents, b.Contents),
		Items:       union(a.Items, b.Items),
		ItemNos:     union(a.ItemNos, b.ItemNos),
		Records:     union(a.Records, b.Records),
		Reputations: union(a.Reputations, b.Reputations),
		Sequences:   union(a.Sequences, b.Sequences),
		Slices:      union(a.Slices, b.Slices),
		Exposures:   union(a.Exposures, b.Exposures),
		Commands:    union(a.Commands, b.Commands),
	}
}

func union[K comparable](a, b []K) []K {
	if len(a)+len(b) == 0 {
		return nil
	}
	seen := make(map[K]struct{}, len(a)+len(b))
	var all []K
	for _, ks := range [][]K{a, b} {
		for _, k := range ks {
			if _, ok := seen[k]; !ok {
				seen[k] = struct{}{}
				all = append(all, k)
			}
		}
	}
	return all
}

// Missing is the error of an [State.Apply] that needs more than is loaded. The
// state is unchanged: load the need and apply the entry again.
type Missing struct{ Need Need }

// Error implements error.
func (m *Missing) Error() string { return "merge: the entry looks at what is not loaded" }

// IssuedSlice is a slice that was issued to a contributor.
type IssuedSlice struct {
	Contributor lineage.Node
	Digest      SliceKey
	Revision    uint64
	Seq         uint64 // of the log entry that says so
}

// AppliedDelta is a delta that was merged; it uses up its sequence number.
type AppliedDelta struct {
	Contributor lineage.Node
	Sequence    uint64
	ID          delta.ID
	Seq         uint64
	Envelope    []byte // as it was signed
}
