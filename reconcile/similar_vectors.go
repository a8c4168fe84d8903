package reconcile

import (
	"context"
	"sync"

	"consilience/cluster/embed"
	"consilience/cluster/vector"
	"consilience/fleet"
	"consilience/internal/failpoint"
	"consilience/merge"
	"consilience/reason"
	"consilience/record"
)

// embedChunk is how many founding texts are embedded at once: what a worker that is
// killed has to make again, at most.
const embedChunk = 512

// modelIn is a model in a space.
type modelIn struct {
	space int32
	model string
}

// making lets one at a time of this process make vectors of a space, so that no text
// is embedded twice.
type making struct {
	mu   sync.Mutex
	kept uint64 // how often some were kept
}

func (s *Similar) makingOf(space int32, model embed.Embedder) *making {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := modelIn{space, model.Model()}
	m := s.making[key]
	if m == nil {
		if s.making == nil {
			s.making = map[modelIn]*making{}
		}
		m = &making{}
		s.making[key] = m
	}
	return m
}

// count is how often vectors were kept so far.
func (m *making) count() uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.kept
}

// Embed implements [Finders].
func (s *Similar) Embed(ctx context.Context, space fleet.Space, told Told) error {
	model, err := s.model(space.Policy.Embedder)
	if err != nil || model == nil {
		return err
	}
	return s.embedFoundings(ctx, space.Num, model, told)
}

// embedFoundings makes the vectors that founding texts lack. Another one that does
// the same at the same time takes a part of the work.
func (s *Similar) embedFoundings(ctx context.Context, space int32, model embed.Embedder, told Told) error {
	if told == nil {
		told = func(int, int) {}
	}
	all, err := s.Store.CountUnembedded(ctx, space, model.Model())
	if err != nil || all == 0 {
		return err
	}
	done := 0
	for after := merge.ItemNo(0); ; {
		told(done, max(all, done+1))
		rows, err := s.embedSome(ctx, space, model, after)
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			told(done, done)
			return nil
		}
		failpoint.Hit("embedded")
		done += len(rows)
		after = rows[len(rows)-1].No
	}
}

// embedSome makes and keeps the vectors of the next chunk of founding texts.
func (s *Similar) embedSome(ctx context.Context, space int32, model embed.Embedder, after merge.ItemNo) ([]Founding, error) {
	m := s.makingOf(space, model)
	m.mu.Lock()
	defer m.mu.Unlock()
	rows, err := s.Store.Unembedded(ctx, space, model.Model(), after, embedChunk)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	texts := make(map[record.Hash]string, len(rows))
	for _, f := range rows {
		texts[f.Hash] = f.Text
	}
	made, err := s.embed(ctx, model, texts)
	if err != nil {
		return nil, err
	}
	m.kept++
	return rows, s.Store.KeepVectors(ctx, space, model.Model(), made)
}

// vectors returns the vectors of texts that are on their way into a space, by
// content hash: those that are kept, and the others made and kept first.
func (s *Similar) vectors(ctx context.Context, space int32, model embed.Embedder, texts map[record.Hash]string) (map[record.Hash]vector.Vector, error) {
	m := s.makingOf(space, model)
	before := m.count()
	have := make(map[record.Hash]vector.Vector, len(texts))
	missing, err := s.recall(ctx, space, model, texts, have)
	if err != nil || len(missing) == 0 {
		return have, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept != before {
		if missing, err = s.recall(ctx, space, model, missing, have); err != nil || len(missing) == 0 {
			return have, err
		}
	}
	made, err := s.embed(ctx, model, missing)
	if err != nil {
		return nil, err
	}
	m.kept++
	if err := s.Store.KeepVectors(ctx, space, model.Model(), made); err != nil {
		return nil, err
	}
	if !model.Fixed() {
		// Another worker may have kept its own first; the kept one is the one.
		_, err = s.recall(ctx, space, model, missing, have)
		return have, err
	}
	for _, v := range made {
		have[v.Hash] = v.Vector
	}
	return have, nil
}

// recall adds the vectors that are kept, and returns the texts that have none.
func (s *Similar) recall(ctx context.Context, space int32, model embed.Embedder, texts map[record.Hash]string, into map[record.Hash]vector.Vector) (map[record.Hash]string, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	kept, err := s.Store.Vectors(ctx, space, model.Model(), sortedHashes(texts))
	for _, k := range kept {
		into[k.Hash] = k.Vector
	}
	missing := map[record.Hash]string{}
	for h, text := range texts {
		if _, ok := into[h]; !ok {
			missing[h] = text
		}
	}
	return missing, err
}

// embed makes the vectors of texts, in the order of their hashes.
func (s *Similar) embed(ctx context.Context, model embed.Embedder, texts map[record.Hash]string) ([]KeptVector, error) {
	if s.Replaying && !model.Fixed() {
		return nil, reason.New(reason.NotFound, "the store holds no vector of %d texts by model %s, which is not the same on every machine", len(texts), model.Model()).
			Advise("copy the table consilience.vector of the store that is replayed")
	}
	hashes := sortedHashes(texts)
	words := make([]string, len(hashes))
	for i, h := range hashes {
		words[i] = texts[h]
	}
	made, err := model.Embed(ctx, words)
	if err != nil {
		return nil, err
	}
	rows := make([]KeptVector, len(hashes))
	for i, h := range hashes {
		rows[i] = KeptVector{Hash: h, Vector: made[i]}
	}
	return rows, nil
}
