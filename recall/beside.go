package recall

import (
	"context"
	"slices"
	"time"

	"consilience/reason"
)

// firstPatience is how long the recall that has vectors made or read waits for them;
// patience is what others wait for it, who take the place of other requests.
const firstPatience = 5 * time.Second

// beside lets work on an index be done, one at a time, which goes on when ctx or the
// patience of whoever waits for it ends, but ends with Close. It returns what the work
// does.
func (s *Similarity) beside(ctx context.Context, x *index, work func(context.Context) (bool, error)) (whole bool, err error) {
	waiting, cancel := context.WithTimeout(ctx, firstPatience)
	defer cancel()
	turn := time.NewTimer(patience)
	defer turn.Stop()
	select {
	case x.working <- struct{}{}:
	case <-turn.C:
		return false, x.late()
	case <-ctx.Done():
		return false, ctx.Err()
	}
	done := make(chan result, 1)
	s.goOn(func(ctx context.Context) {
		defer func() { <-x.working }()
		whole, err := work(ctx)
		done <- result{whole, err}
	})
	select {
	case r := <-done:
		return r.whole, r.err
	case <-waiting.Done():
		if err := ctx.Err(); err != nil {
			return false, err
		}
		return false, x.late()
	}
}

type result struct {
	whole bool
	err   error
}

// late says how far the work is.
func (x *index) late() error {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return reason.New(reason.TimedOut, "the vectors of the space are still being made or read, %d so far", x.vectors.len()).Advise("ask again in a minute")
}

// goOn runs work that no request ends.
func (s *Similarity) goOn(work func(context.Context)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.end == nil {
		s.life, s.end = context.WithCancel(context.Background())
	}
	life := s.life
	s.working.Go(func() { work(life) })
}

// Close ends what is done beside the searches and waits for it. No search may begin
// after it.
func (s *Similarity) Close() {
	s.mu.Lock()
	if s.end != nil {
		s.end()
	}
	s.mu.Unlock()
	s.working.Wait()
}

// catchUp reads what was founded since, as far as there is room, and reports whether
// all is held. It MUST hold the index's token. Searches go on meanwhile.
func (s *Similarity) catchUp(ctx context.Context, x *index) (whole bool, err error) {
	defer s.measure(x)
	for limit := vectorsChunk; s.reserve(x, vectorsChunk); limit = vectorsMany {
		rows, err := s.Store.Embedded(ctx, x.space, x.model, x.vectors.after, limit)
		if err != nil {
			return false, err
		}
		for some := range slices.Chunk(rows, vectorsChunk) {
			if !s.reserve(x, vectorsChunk) {
				return false, nil
			}
			if err := x.take(some); err != nil {
				return false, err
			}
		}
		if len(rows) < limit {
			return true, nil
		}
	}
	return false, nil
}

// take adds items of the store.
func (x *index) take(rows []Embedded) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, e := range rows {
		if err := x.vectors.take(e); err != nil {
			return err
		}
	}
	return nil
}
