package recall

import (
	"cmp"

	"consilience/cluster/embed"
	"consilience/reason"
)

// model returns the model that a policy names. It returns [reason.EmbedderNone] if
// that is none, or one that this process cannot use.
func (s *Similarity) model(name string) (embed.Embedder, error) {
	if name == embed.None {
		return nil, reason.New(reason.EmbedderNone, "the policy of the space names no model to compare texts by: ask by words or by a claim's key")
	}
	m, err := s.models.Get(name, s.Open)
	if err != nil || m == nil {
		return nil, reason.Wrap(reason.EmbedderNone, err, "the service cannot use the model that the policy of the space names: ask by words or by a claim's key")
	}
	return m, nil
}

// index returns what is held of a space under a model. A space has one model, so
// what was held under another one is let go.
func (s *Similarity) index(key indexKey, dims int) *index {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turn++
	x := s.indexes[key]
	if x == nil {
		for other := range s.indexes {
			if other.space == key.space {
				s.drop(other)
			}
		}
		if s.indexes == nil {
			s.indexes = map[indexKey]*index{}
		}
		x = &index{indexKey: key, working: make(chan struct{}, 1), vectors: vectors{dims: dims}}
		s.indexes[key] = x
	}
	x.turn = s.turn
	return x
}

// reserve takes room for n more vectors and reports whether there is any; the spaces
// that were asked for least recently are let go first.
func (s *Similarity) reserve(x *index, n int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.indexes[x.indexKey] != x {
		return false // it was let go
	}
	budget, size := cmp.Or(s.Budget, DefaultBudget), x.vectors.size(x.vectors.len()+n)
	for s.used+size-x.size > budget {
		oldest := x
		for _, other := range s.indexes {
			if other.size > 0 && other.turn < oldest.turn {
				oldest = other
			}
		}
		if oldest == x {
			return false
		}
		s.drop(oldest.indexKey)
	}
	s.resize(x, size)
	return true
}

// measure gives back what was reserved and not used.
func (s *Similarity) measure(x *index) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.indexes[x.indexKey] == x {
		size := x.vectors.size(x.vectors.len())
		s.resize(x, size)
	}
}

// resize notes what an index takes, and tells it where that is much more or less.
func (s *Similarity) resize(x *index, size int) {
	s.used, x.size = s.used+size-x.size, size
	if s.Resized != nil && max(s.used-s.told, s.told-s.used) > s.told/8 {
		s.told = s.used
		s.Resized(s.used)
	}
}

func (s *Similarity) drop(key indexKey) {
	s.used -= s.indexes[key].size
	delete(s.indexes, key)
}
