package wiring

import (
	"context"
	"sync"

	"consilience/command"
	"consilience/recall"
	"consilience/reconcile"
	"consilience/storage/postgres"
)

// RecallStore is a Postgres store as package recall needs it.
type RecallStore struct{ *postgres.Store }

var _ recall.Store = RecallStore{}

// TakeWords implements [recall.Store].
func (s RecallStore) TakeWords(ctx context.Context, space int32) (int64, error) {
	return s.Store.TakeWords(ctx, space, recall.Words)
}

// Recall implements [recall.Store].
func (s RecallStore) Recall(ctx context.Context, space int32, q recall.Question) (recall.Recalled, error) {
	found, err := s.Store.Recall(ctx, space, postgres.RecallQuestion(q))
	out := recall.Recalled{Revision: found.Revision, LastFact: found.LastFact}
	for _, c := range found.Candidates {
		out.Candidates = append(out.Candidates, recall.Candidate{
			Item: c.Item, Score: c.Score, Confidence: c.Confidence, Belief: c.Belief, Authoritative: c.Authoritative,
			Status: c.Status, Tainted: c.Tainted, Updated: c.Updated, Head: reconcile.StoredRecord(c.Head),
		})
	}
	return out, err
}

// AddRecall lets a service answer recalls too, and takes words beside it until ctx
// ends or stop is called. cfg is that of the worker. It MUST be called before [Serve].
func AddRecall(ctx context.Context, s *reconcile.Service, cfg reconcile.Config, w *reconcile.Worker, pg *postgres.Store) (stop func(), err error) {
	r, err := recall.NewService(recall.Config{
		StoreID: cfg.StoreID, Key: cfg.Key, Fleet: w.Fleet(), Store: RecallStore{pg}, Served: s.Served, Clock: cfg.Clock, Logger: cfg.Logger,
	})
	if err != nil {
		return nil, err
	}
	s.Handle(command.VerbRecall, r.Answer)
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	wg.Go(func() { r.Run(ctx) })
	return func() { cancel(); wg.Wait() }, nil
}
