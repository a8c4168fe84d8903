package recall

import (
	"context"

	"consilience/reconcile"
	"consilience/record"
)

// Store is what a recall asks the store. The words of its contents are those of
// [Words].
type Store interface {
	// Behind returns the spaces that are searched by words and have records whose
	// words were not taken.
	Behind(ctx context.Context) ([]int32, error)
	// Untaken returns the newest record of a space and the last one whose words
	// were taken.
	Untaken(ctx context.Context, space int32) (newest, taken int64, err error)
	// TakeWords takes the words of the next records of a space, durably, and returns
	// the last one whose words are taken. From its first call on Behind names the space.
	TakeWords(ctx context.Context, space int32) (taken int64, err error)
	// Recall finds the items that a question is about, in one snapshot.
	Recall(ctx context.Context, space int32, q Question) (Recalled, error)
}

// Question says which items a recall is about: those that were found already, those
// under a claim key, or those whose contents share words.
type Question struct {
	Items    []record.ItemID
	ClaimKey *[32]byte
	Words    []int64
	Lowest   uint32 // confidence, ppm: items below it come after all others
	Limit    int
}

// Recalled is what a store found in one snapshot.
type Recalled struct {
	Revision   uint64 // the larger of the space's last entry and the last fleet fact
	LastFact   uint64 // sequence of the last fleet fact
	Candidates []Candidate
}

// Candidate is an item with its head record, as the store has it.
type Candidate struct {
	Item          record.ItemID
	Score         int64
	Confidence    uint32 // ppm
	Belief        uint32 // ppm
	Authoritative bool
	Status        string
	Tainted       bool
	Updated       uint64 // Unix milliseconds
	Head          reconcile.StoredRecord
}

// Searcher finds items by what their texts mean. Implementations hold vectors; the
// store is asked for the items afterwards, so an item that is gone does no harm.
type Searcher interface {
	// Name is the matcher's name and version, which the selection policy states.
	Name(space string) string
	// Search returns the items most similar to text, best first, at most limit.
	Search(ctx context.Context, space, text string, limit int) ([]Similar, error)
}

// Similar is an item that a [Searcher] found.
type Similar struct {
	Item  record.ItemID
	Score int64 // the larger, the more similar; in the searcher's own unit
}
