package recall

import (
	"context"
	"slices"
	"time"

	"consilience/reason"
)

// firstPatience is how long the recall that has vectors read waits for them; patience is
// what others wait for it. Some million vectors are read in that time, while those who
// wait take the place of other requests.
const firstPatience = 5 * time.Second

// hold lets what was founded since be read, as far as there is room, and reports
// whether all is held then. What is read when its patience ends is read on.
func (s *Similarity) hold(ctx context.Context, x *index) (whole bool, err error) {
	waiting, cancel := context.WithTimeout(ctx, firstPatience)
	defer cancel()
	turn := time.NewTimer(patience)
	defer turn.Stop()
	select {
	case x.reading <- struct{}{}:
	case <-turn.C:
		return false, x.late()
	case <-ctx.Done():
		return false, ctx.Err()
	}
	read := make(chan result, 1)
	s.beside(func(ctx context.Context) {
		defer func() { <-x.reading }()
		whole, err := s.catchUp(ctx, x)
		read <- result{whole, err}
	})
	select {
	case r := <-read:
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

// late says how far the reading is.
func (x *index) late() error {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return reason.New(reason.TimedOut, "the vectors of the space are still being read, %d so far", x.vectors.len()).Advise("ask again in some seconds")
}

// beside runs work that no request ends, but Close.
func (s *Similarity) beside(work func(context.Context)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.end == nil {
		s.life, s.end = context.WithCancel(context.Background())
	}
	life := s.life
	s.reading.Go(func() { work(life) })
}

// Close ends what is read beside the searches and waits for it. No search may begin
// after it.
func (s *Similarity) Close() {
	s.mu.Lock()
	if s.end != nil {
		s.end()
	}
	s.mu.Unlock()
	s.reading.Wait()
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
