package reconcile

import (
	"context"
	"maps"
	"slices"
	"sync"

	"consilience/cluster"
	"consilience/cluster/embed"
	"consilience/cluster/near"
	"consilience/cluster/vector"
	"consilience/command"
	"consilience/fleet"
	"consilience/merge"
	"consilience/reason"
	"consilience/record"
)

// VectorStore keeps vectors, and knows which texts founded items. A text that was
// erased has neither.
type VectorStore interface {
	// Vectors returns those of the texts' vectors that are kept, in any order.
	Vectors(ctx context.Context, space int32, model string, hashes []record.Hash) ([]KeptVector, error)
	// KeepVectors keeps vectors durably in a transaction of its own. The first one of
	// a text stands, and a text that was erased in the space gets none.
	KeepVectors(ctx context.Context, space int32, model string, rows []KeptVector) error
	// Foundings returns the items that texts founded, above a number, ascending,
	// at most limit, with those of their vectors that are kept.
	Foundings(ctx context.Context, space int32, model string, after merge.ItemNo, limit int) ([]Founding, error)
	// Unembedded is Foundings of those alone that lack a vector.
	Unembedded(ctx context.Context, space int32, model string, after merge.ItemNo, limit int) ([]Founding, error)
	// CountUnembedded is how many Unembedded would return in all.
	CountUnembedded(ctx context.Context, space int32, model string) (int, error)
}

// KeptVector is the vector of a text.
type KeptVector struct {
	Hash   record.Hash
	Vector []int8
}

// Founding is an item that a text founded.
type Founding struct {
	No     merge.ItemNo
	Item   record.ItemID
	Hash   record.Hash
	Text   string
	Vector []int8 // nil if none is kept
}

// Index finds similar texts among those that were added.
type Index interface {
	// Add adds the founding text of an item.
	Add(item record.ItemID, text string, v vector.Vector)
	// Mark says that what was added so far stays; Rollback forgets what came after.
	Mark()
	Rollback()
	// Prepare names texts that will be asked about. It changes no answer.
	Prepare([]near.Text)
	// Ahead searches for texts that a later transaction will ask about, beside the one
	// that uses the index. It changes no answer.
	Ahead([]near.Text)
	// Similar returns the similar ones, as [cluster.Finder] does.
	Similar(text string, v vector.Vector) []cluster.Candidate
	// Size is how many bytes the index takes, roughly.
	Size() int
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
	// Resized hears how many bytes all indexes take, roughly, whenever that has
	// changed by an eighth. Defaults to nobody.
	Resized func(bytes int)

	mu     sync.Mutex
	size   int // as Resized heard it last
	models embed.Memo
	spaces map[int32]*indexed
	making map[modelIn]*making
}

// indexed is the index of a space. One transaction at a time uses it: the one of
// whoever holds the partition.
type indexed struct {
	index     Index
	partition int
	model     string
	threshold uint32
	after     merge.ItemNo // every founding up to it is in the index
	size      int          // of the index as it was marked last; under [Similar.mu]
}

// Prepare implements [Finders].
func (s *Similar) Prepare(ctx context.Context, space fleet.Space, entries []merge.Entry) error {
	model, err := s.model(space.Policy.Embedder)
	if err != nil || model == nil {
		return err
	}
	vectors, err := s.vectors(ctx, space.Num, model, textsOf(entries))
	if x := s.known(space, model); err == nil && x != nil {
		x.index.Ahead(nearTexts(entries, vectors))
	}
	return err
}

// Begin implements [Finders].
func (s *Similar) Begin(ctx context.Context, space fleet.Space, entries []merge.Entry, told Told) (Finding, error) {
	last := entries[len(entries)-1]
	texts := textsOf(entries)
	if len(texts) == 0 {
		return s.idle(space.Num, last), nil
	}
	model, err := s.model(space.Policy.Embedder)
	if err != nil {
		return nil, err
	}
	if model == nil {
		s.forget(space.Num) // nobody hears what these entries found, nor what the last of them takes out
		return nil, nil
	}
	vectors, err := s.vectors(ctx, space.Num, model, texts)
	if err != nil {
		return nil, err
	}
	x := s.space(space, model)
	if err := s.catchUp(ctx, space.Num, model, x, told); err != nil {
		s.forget(space.Num)
		return nil, err
	}
	s.mark(x)
	x.index.Prepare(nearTexts(entries, vectors))
	return &finding{similar: s, space: space.Num, indexed: x, last: last, vectors: vectors}, nil
}

// idle is the finding of entries that bring no text: it finds nothing, and forgets
// the index where the last of them takes texts out of it. A policy is looked at when
// the next text comes.
func (s *Similar) idle(space int32, last merge.Entry) Finding {
	if !takesOut(last) {
		return nil
	}
	return forgetting{s, space}
}

// model returns a model by its name, nil for none.
func (s *Similar) model(name string) (embed.Embedder, error) {
	if name == embed.None {
		return nil, nil
	}
	m, err := s.models.Get(name, s.Open)
	if err != nil {
		return nil, reason.Wrap(reason.PartitionHalted, err, "the policy names a model that this process cannot use").
			Advise("start it with the model's endpoint, or use the release that has it")
	}
	return m, nil
}

// space returns the index of a space under its policy, a new one if the policy
// asks for another model or threshold than the one that is there.
func (s *Similar) space(space fleet.Space, model embed.Embedder) *indexed {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.spaces[space.Num]
	if x == nil || !x.serves(space, model) {
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

// known is the index of a space under its policy, nil if there is none yet.
func (s *Similar) known(space fleet.Space, model embed.Embedder) *indexed {
	s.mu.Lock()
	defer s.mu.Unlock()
	if x := s.spaces[space.Num]; x != nil && x.serves(space, model) {
		return x
	}
	return nil
}

func (x *indexed) serves(space fleet.Space, model embed.Embedder) bool {
	return x.model == model.Model() && x.threshold == space.Policy.Threshold
}

// mark makes what was added to an index stay, and says how large all are by now.
func (s *Similar) mark(x *indexed) {
	x.index.Mark()
	size := x.index.Size()
	s.mu.Lock()
	defer s.mu.Unlock()
	x.size = size
	all := 0
	for _, x := range s.spaces {
		all += x.size
	}
	if s.Resized != nil && max(all-s.size, s.size-all) > s.size/8 {
		s.size = all
		s.Resized(all)
	}
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

// catchUp adds what was founded since, here or by another worker. Where a founding
// text has no vector under the model, it makes all that are missing first.
func (s *Similar) catchUp(ctx context.Context, space int32, model embed.Embedder, x *indexed, told Told) error {
	for {
		rows, err := s.Store.Foundings(ctx, space, model.Model(), x.after, foundingChunk)
		if err != nil || len(rows) == 0 {
			return err
		}
		if slices.ContainsFunc(rows, func(f Founding) bool { return f.Vector == nil }) {
			if err := s.embedFoundings(ctx, space, model, told); err != nil {
				return err
			}
			continue
		}
		for _, f := range rows {
			x.index.Add(f.Item, f.Text, f.Vector)
			x.after = f.No
		}
	}
}
