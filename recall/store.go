package recall

import (
	"context"
	"iter"

	"consilience/fleet"
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

// VectorStore keeps the embeddings of founding texts.
type VectorStore interface {
	// Embedded returns the items of a space after one, by number, at most limit, with
	// the embeddings of their founding texts under a model.
	Embedded(ctx context.Context, space int32, model string, after int64, limit int) ([]Embedded, error)
	// ErasedOf returns those of items whose founding contents were erased.
	ErasedOf(ctx context.Context, space int32, items []int64) ([]int64, error)
}

// Embedded is an item, and the embedding of what founded it.
type Embedded struct {
	Item   int64  // its number, which rises with the log
	Text   bool   // a text founded it, which was not erased since
	Vector []int8 // nil if none is kept
}

// Question says which items a recall is about: those that were found already, those
// under a claim key, or those whose contents share words.
type Question struct {
	Similar []Similar
	Claim   *ClaimKey
	Words   []int64
	Behind  bool   // look for words even where some were not taken yet
	Lowest  uint32 // confidence, ppm: items below it come after all others
	Limit   int
}

// ClaimKey is the key of a claim, folded. Only its hash is kept of what may have one
// value, only its parts of what may have many.
type ClaimKey struct {
	Hash                      [32]byte
	Subject, Predicate, Scope string
}

// Recalled is what a store found in one snapshot.
type Recalled struct {
	Revision   uint64 // the larger of the space's last entry and the last fleet fact
	LastFact   uint64 // sequence of the last fleet fact
	Behind     bool   // records have words that were not taken: nothing was looked for
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

// Searcher finds items by what their founding texts mean.
type Searcher interface {
	// Matcher is the matcher's name and version for a space, which the selection policy
	// states: selection.MatcherSimilar, and a model's name. It returns [reason.EmbedderNone] for a space that it cannot search.
	Matcher(space fleet.Space) (string, error)
	// Search returns the items most similar to text, best first: at most as many as the
	// first number, then, for whom these are not enough, as many as the second, and so on.
	Search(ctx context.Context, space fleet.Space, text string, most ...int) iter.Seq2[[]Similar, error]
}

// Similar is an item that a [Searcher] found.
type Similar struct {
	Item  int64 // its number
	Score int64 // the larger, the more similar; in the searcher's own unit
}
