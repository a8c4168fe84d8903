package recall

import (
	"context"
	"iter"
	"sync"

	"consilience/cluster/embed"
	"consilience/cluster/vector"
	"consilience/fleet"
	"consilience/reason"
	"consilience/recall/selection"
	"consilience/record"
)

const (
	// DefaultBudget is how much memory the vectors of all spaces may take, bytes: some
	// 1,190,000 vectors of the built-in model.
	DefaultBudget = 320 << 20
	// vectorsChunk is how many items one look at the store takes.
	vectorsChunk = 4096
	// vectorsMany is how many it takes where there are more: the store reads so many in
	// another way, and they take some 40 MB until they are held.
	vectorsMany = 32 * vectorsChunk
)

// Similarity is a [Searcher] over the embeddings that the merge keeps: exact, and
// the same on every worker, since it makes none of its own but that of the query.
//
// It holds the vectors of the spaces that are asked for, as many as fit the budget,
// and reads the rest from the store for each query. An index follows the store by
// the number of the items, which rises with the log. What is missing of it is read
// beside the searches: a search that does not wait for all of it finds more of it there
// the next time.
type Similarity struct {
	// Store keeps the embeddings.
	Store VectorStore
	// Open returns the model of a name, as policies write it.
	Open func(model string) (embed.Embedder, error)
	// Embed makes and keeps the embeddings that a space's founding texts still lack: those
	// that were merged before its policy named the model. Progress stays when ctx ends.
	Embed func(ctx context.Context, space fleet.Space) error
	// Budget defaults to [DefaultBudget].
	Budget int
	// Resized hears how many bytes the vectors take, whenever that has changed by an
	// eighth. Defaults to nobody.
	Resized func(bytes int)

	working sync.WaitGroup // on what is done beside the searches
	mu      sync.Mutex
	life    context.Context // of what is done beside the searches
	end     context.CancelFunc
	models  embed.Memo
	indexes map[indexKey]*index
	used    int    // bytes
	told    int    // bytes, as Resized heard it last
	turn    uint64 // of the last search
}

type indexKey struct {
	space int32
	model string
}

// index is what is held of a space under a model.
type index struct {
	indexKey
	working chan struct{} // holds a token while vectors are made or read
	mu      sync.RWMutex
	vectors vectors
	turn    uint64 // of the last search; guarded by the Similarity
	size    int    // bytes; guarded by the Similarity
}

// Matcher implements [Searcher].
func (s *Similarity) Matcher(space fleet.Space) (string, error) {
	model, err := s.model(space.Policy.Embedder)
	if err != nil {
		return "", err
	}
	return selection.MatcherSimilar + model.Model(), nil
}

// Search implements [Searcher].
func (s *Similarity) Search(ctx context.Context, space fleet.Space, text string, most ...int) iter.Seq2[[]Similar, error] {
	return func(yield func([]Similar, error) bool) {
		x, query, err := s.asked(ctx, space, text)
		if err != nil {
			yield(nil, err)
			return
		}
		for _, n := range most {
			found, err := s.among(ctx, x, query, n)
			if err == errUnembedded {
				if err = s.embed(ctx, x, space); err == nil {
					found, err = s.among(ctx, x, query, n)
				}
			}
			if !yield(found, err) || err != nil {
				return
			}
		}
	}
}

// asked is what is held of a space, and what is looked for there.
func (s *Similarity) asked(ctx context.Context, space fleet.Space, text string) (*index, *vector.Query, error) {
	model, err := s.model(space.Policy.Embedder)
	if err != nil {
		return nil, nil, err
	}
	query, err := embedded(ctx, model, text)
	if err != nil {
		return nil, nil, err
	}
	return s.index(indexKey{space.Num, model.Model()}, model.Dims()), vector.NewQuery(model.Dims(), query), nil
}

// errUnembedded says that a founding text has no embedding yet: an answer without it
// would be another one later.
var errUnembedded error = reason.New(reason.TimedOut, "the texts of the space are still being embedded").Advise("ask again in a minute")

// embed lets the missing embeddings be made: by one recall at a time, and to the end. If
// each began again, they would hold up whoever makes them for the merge.
func (s *Similarity) embed(ctx context.Context, x *index, space fleet.Space) error {
	_, err := s.beside(ctx, x, func(ctx context.Context) (bool, error) { return true, silent(s.Embed(ctx, space)) })
	return err
}

// among finds the items most similar to a query, without those that were erased since.
func (s *Similarity) among(ctx context.Context, x *index, query *vector.Query, most int) ([]Similar, error) {
	for {
		found, err := s.search(ctx, x, newBest(query, most))
		if err != nil {
			return nil, err
		}
		gone, err := s.Store.ErasedOf(ctx, x.space, items(found))
		if err != nil || len(gone) == 0 {
			return found, err
		}
		x.remove(gone)
	}
}

// embedded is the embedding of a query, canonical as a text that is stored.
func embedded(ctx context.Context, model embed.Embedder, text string) (vector.Vector, error) {
	canonical, err := record.Canonical(record.Text, []byte(text))
	if err != nil {
		return nil, err
	}
	made, err := model.Embed(ctx, []string{string(canonical)})
	if err != nil {
		return nil, silent(err)
	}
	return made[0], nil
}

// silent is an error of a model for who asked: where the model is, and what it said
// about the text, is not the asker's business.
func silent(err error) error {
	if code := reason.Of(err); code != "" {
		return reason.New(code, "the model of the space does not answer")
	}
	return err
}

// search finds the best of what is held and of what is not.
func (s *Similarity) search(ctx context.Context, x *index, b *best) ([]Similar, error) {
	whole, err := s.beside(ctx, x, func(ctx context.Context) (bool, error) { return s.catchUp(ctx, x) })
	if err != nil {
		return nil, err
	}
	x.mu.RLock()
	x.vectors.search(b)
	after := x.vectors.after
	x.mu.RUnlock()
	for !whole {
		rows, err := s.Store.Embedded(ctx, x.space, x.model, after, vectorsChunk)
		if err != nil || len(rows) == 0 {
			return b.found, err
		}
		rest := vectors{dims: x.vectors.dims}
		for _, e := range rows {
			if err := rest.take(e); err != nil {
				return nil, err
			}
		}
		rest.search(b)
		after = rest.after
	}
	return b.found, nil
}

// remove forgets erased texts.
func (x *index) remove(items []int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, item := range items {
		x.vectors.remove(item)
	}
}

func items(found []Similar) []int64 {
	out := make([]int64, len(found))
	for i, f := range found {
		out[i] = f.Item
	}
	return out
}
