package wiring

import (
	"context"
	"sync"

	"consilience/cluster/embed"
	"consilience/command"
	"consilience/fleet"
	"consilience/recall"
	"consilience/reconcile"
	"consilience/storage/postgres"
)

// RecallStore is a Postgres store as package recall needs it.
type RecallStore struct{ *postgres.Store }

var (
	_ recall.Store       = RecallStore{}
	_ recall.VectorStore = RecallStore{}
)

// TakeWords implements [recall.Store].
func (s RecallStore) TakeWords(ctx context.Context, space int32) (int64, error) {
	return s.Store.TakeWords(ctx, space, recall.Words)
}

// Recall implements [recall.Store].
func (s RecallStore) Recall(ctx context.Context, space int32, q recall.Question) (recall.Recalled, error) {
	found, err := s.Store.Recall(ctx, space, postgres.RecallQuestion{
		Similar: similarHits(q.Similar), Claim: (*postgres.ClaimKey)(q.Claim), Words: q.Words, Behind: q.Behind, Lowest: q.Lowest, Limit: q.Limit,
	})
	out := recall.Recalled{Revision: found.Revision, LastFact: found.LastFact, Behind: found.Behind}
	for _, c := range found.Candidates {
		out.Candidates = append(out.Candidates, recall.Candidate{
			Item: c.Item, Score: c.Score, Confidence: c.Confidence, Belief: c.Belief, Authoritative: c.Authoritative,
			Status: c.Status, Tainted: c.Tainted, Updated: c.Updated, Head: reconcile.StoredRecord(c.Head),
		})
	}
	return out, err
}

func similarHits(found []recall.Similar) []postgres.SimilarItem {
	out := make([]postgres.SimilarItem, len(found))
	for i, f := range found {
		out[i] = postgres.SimilarItem(f)
	}
	return out
}

// Embedded implements [recall.VectorStore].
func (s RecallStore) Embedded(ctx context.Context, space int32, model string, after int64, limit int) ([]recall.Embedded, error) {
	return each(func(e postgres.Embedded) recall.Embedded { return recall.Embedded(e) })(s.Store.Embedded(ctx, space, model, after, limit))
}

// NewSimilarity is a search by similarity with the models, and the embeddings, of the
// merge. Without those of a merge it knows none. Who hears what the merge's vectors take
// hears from then on what both take; so it MUST be called before the merge begins.
func NewSimilarity(store RecallStore, finders reconcile.Finders) *recall.Similarity {
	merging, ok := finders.(*reconcile.Similar)
	if !ok {
		merging = &reconcile.Similar{Open: func(string) (embed.Embedder, error) { return nil, nil }}
	}
	s := &recall.Similarity{
		Store: store, Open: merging.Open,
		Embed: func(ctx context.Context, space fleet.Space) error { return merging.Embed(ctx, space, nil) },
	}
	if merging.Resized != nil {
		merging.Resized, s.Resized = inSum(merging.Resized)
	}
	return s
}

// inSum are two parts of a size of which only the sum is told.
func inSum(tell func(bytes int)) (one, other func(bytes int)) {
	var mu sync.Mutex
	var sizes [2]int
	part := func(i int) func(int) {
		return func(bytes int) {
			mu.Lock()
			defer mu.Unlock()
			sizes[i] = bytes
			tell(sizes[0] + sizes[1])
		}
	}
	return part(0), part(1)
}

// AddRecall lets a service answer recalls too, and takes words beside it until ctx
// ends or stop is called. cfg is that of the worker. It MUST be called before [Serve].
func AddRecall(ctx context.Context, s *reconcile.Service, cfg reconcile.Config, w *reconcile.Worker, pg *postgres.Store) (stop func(), err error) {
	store := RecallStore{pg}
	similarity := NewSimilarity(store, cfg.Finders)
	r, err := recall.NewService(recall.Config{
		StoreID: cfg.StoreID, Key: cfg.Key, Fleet: w.Fleet(), Store: store, Served: s.Served, Clock: cfg.Clock, Logger: cfg.Logger,
		Searcher: similarity,
	})
	if err != nil {
		return nil, err
	}
	pg.WarmRecalls()
	s.Handle(command.VerbRecall, r.Answer)
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	wg.Go(func() { r.Run(ctx) })
	return func() { cancel(); similarity.Close(); wg.Wait() }, nil
}
