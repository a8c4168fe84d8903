package reconcile

import (
	"context"
	"maps"
	"sync"

	"consilience/cluster"
	"consilience/cluster/embed"
	"consilience/cluster/vector"
	"consilience/command"
	"consilience/fleet"
	"consilience/merge"
	"consilience/reason"
	"consilience/record"
)

// VectorStore keeps vectors, and knows which texts founded items.
type VectorStore interface {
	// Vectors returns those of the texts' vectors that are kept, in any order.
	Vectors(ctx context.Context, space int32, model string, hashes []record.Hash) ([]KeptVector, error)
	// KeepVectors keeps vectors durably in a transaction of its own. The first one
	// of a text stands.
	KeepVectors(ctx context.Context, space int32, model string, rows []KeptVector) error
	// Foundings returns the items that texts founded, above a number, ascending,
	// at most limit. Texts that were erased are left out.
	Foundings(ctx context.Context, space int32, after merge.ItemNo, limit int) ([]Founding, error)
}

// KeptVector is the vector of a text.
type KeptVector struct {
	Hash   record.Hash
	Vector []int8
}

// Founding is an item that a text founded.
type Founding struct {
	No   merge.ItemNo
	Item record.ItemID
	Hash record.Hash
	Text string
}

// Index finds similar texts among those that were added.
type Index interface {
	// Add adds the founding text of an item.
	Add(item record.ItemID, text string, v vector.Vector)
	// Mark says that what was added so far stays; Rollback forgets what came after.
	Mark()
	Rollback()
	// Prepare searches for many vectors at once. It changes no answer.
	Prepare([]vector.Vector)
	// Similar returns the similar ones, as [cluster.Finder] does.
	Similar(text string, v vector.Vector) []cluster.Candidate
}

// foundingChunk is how many founding texts are loaded at once.
const foundingChunk = 4096

// Similar is [Finders] by vectors: one index in memory for each space that this
// process merges and whose policy names a model.
type Similar struct {
	// Store keeps the vectors.
	Store VectorStore
	// Open returns the model of a name, as policies write it.
	Open func(model string) (embed.Embedder, error)
	// NewIndex returns an empty index.
	NewIndex func(threshold int32, dims int) Index
	// Replaying refuses to make a vector anew by a model that is not the same on
	// every machine: a replay has to take the one that was committed.
	Replaying bool

	mu     sync.Mutex
	models map[string]embed.Embedder
	spaces map[int32]*indexed
}

// indexed is the index of a space. One transaction at a time uses it: the one that
// holds the position row.
type indexed struct {
	index     Index
	partition int
	model     string
	threshold uint32
	after     merge.ItemNo // every founding up to it is in the index
}

// Prepare implements [Finders].
func (s *Similar) Prepare(ctx context.Context, space fleet.Space, entries []merge.Entry) error {
	model, err := s.model(space.Policy.Embedder)
	if err != nil || model == nil {
		return err
	}
	_, err = s.vectors(ctx, space.Num, model, textsOf(entries))
	return err
}

// Begin implements [Finders].
func (s *Similar) Begin(ctx context.Context, space fleet.Space, entries []merge.Entry) (Finding, error) {
	model, err := s.model(space.Policy.Embedder)
	if err != nil || model == nil {
		return nil, err
	}
	vectors, err := s.vectors(ctx, space.Num, model, textsOf(entries))
	if err != nil {
		return nil, err
	}
	x := s.space(space, model)
	if err := s.catchUp(ctx, space.Num, model, x); err != nil {
		s.forget(space.Num)
		return nil, err
	}
	x.index.Mark()
	last := entries[len(entries)-1]
	return &finding{
		similar: s, space: space.Num, indexed: x, vectors: vectors,
		upTo: merge.ItemNo(last.Seq+1)<<merge.NumberBits - 1, reshaped: reshapes(last),
	}, nil
}

// model returns a model by its name, nil for none.
func (s *Similar) model(name string) (embed.Embedder, error) {
	if name == embed.None {
		return nil, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if m := s.models[name]; m != nil {
		return m, nil
	}
	m, err := s.Open(name)
	if err != nil {
		return nil, reason.Wrap(reason.PartitionHalted, err, "the policy names a model that this process cannot use").
			Advise("start it with the model's endpoint, or use the release that has it")
	}
	if s.models == nil {
		s.models = map[string]embed.Embedder{}
	}
	s.models[name] = m
	return m, nil
}

// space returns the index of a space under its policy, a new one if the policy
// asks for another model or threshold than the one that is there.
func (s *Similar) space(space fleet.Space, model embed.Embedder) *indexed {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.spaces[space.Num]
	if x == nil || x.model != model.Model() || x.threshold != space.Policy.Threshold {
		x = &indexed{
			index: s.NewIndex(int32(space.Policy.Threshold), model.Dims()), partition: command.Partition(space.Name),
			model: model.Model(), threshold: space.Policy.Threshold,
		}
		if s.spaces == nil {
			s.spaces = map[int32]*indexed{}
		}
		s.spaces[space.Num] = x
	}
	return x
}

// Forget implements [Finders].
func (s *Similar) Forget(partition int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.spaces, func(_ int32, x *indexed) bool { return x.partition == partition })
}

// forget drops an index; the next transaction builds it again.
func (s *Similar) forget(space int32) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.spaces, space)
}

// catchUp adds what was founded since, here or by another worker.
func (s *Similar) catchUp(ctx context.Context, space int32, model embed.Embedder, x *indexed) error {
	for {
		rows, err := s.Store.Foundings(ctx, space, x.after, foundingChunk)
		if err != nil || len(rows) == 0 {
			return err
		}
		texts := make(map[record.Hash]string, len(rows))
		for _, f := range rows {
			texts[f.Hash] = f.Text
		}
		vectors, err := s.vectors(ctx, space, model, texts)
		if err != nil {
			return err
		}
		for _, f := range rows {
			x.index.Add(f.Item, f.Text, vectors[f.Hash])
			x.after = f.No
		}
	}
}

// vectors returns the vectors of texts, by content hash: those that are kept, and
// the others made and kept first.
func (s *Similar) vectors(ctx context.Context, space int32, model embed.Embedder, texts map[record.Hash]string) (map[record.Hash]vector.Vector, error) {
	have := make(map[record.Hash]vector.Vector, len(texts))
	if err := s.recall(ctx, space, model, sortedHashes(texts), have); err != nil {
		return nil, err
	}
	missing := make(map[record.Hash]string)
	for h, text := range texts {
		if _, ok := have[h]; !ok {
			missing[h] = text
		}
	}
	if len(missing) == 0 {
		return have, nil
	}
	if err := s.make(ctx, space, model, missing); err != nil {
		return nil, err
	}
	// Another worker may have kept its own first; the kept one is the one.
	return have, s.recall(ctx, space, model, sortedHashes(missing), have)
}

// recall adds the vectors that are kept.
func (s *Similar) recall(ctx context.Context, space int32, model embed.Embedder, hashes []record.Hash, into map[record.Hash]vector.Vector) error {
	if len(hashes) == 0 {
		return nil
	}
	kept, err := s.Store.Vectors(ctx, space, model.Model(), hashes)
	for _, k := range kept {
		into[k.Hash] = k.Vector
	}
	return err
}

// make makes vectors and keeps them.
func (s *Similar) make(ctx context.Context, space int32, model embed.Embedder, texts map[record.Hash]string) error {
	if s.Replaying && !model.Fixed() {
		return reason.New(reason.NotFound, "the store holds no vector of %d texts by model %s, which is not the same on every machine", len(texts), model.Model()).
			Advise("copy the table consilience.vector of the store that is replayed")
	}
	hashes := sortedHashes(texts)
	words := make([]string, len(hashes))
	for i, h := range hashes {
		words[i] = texts[h]
	}
	made, err := model.Embed(ctx, words)
	if err != nil {
		return err
	}
	rows := make([]KeptVector, len(hashes))
	for i, h := range hashes {
		rows[i] = KeptVector{Hash: h, Vector: made[i]}
	}
	return s.Store.KeepVectors(ctx, space, model.Model(), rows)
}
