package reconcile

import (
	"slices"
	"sync"

	"consilience/identity"
	"consilience/record"
)

// maxShown bounds what shown remembers; what it forgets is stated once more,
// which says nothing new.
const maxShown = 1 << 17

// shown remembers what this process stated on the log and the store may not have
// merged yet, so that the log does not fill with the same statement.
type shown struct {
	mu     sync.Mutex
	stated map[shownKey]struct{}
}

type shownKey struct {
	space   int32
	to      identity.ID
	content record.Content
}

func newShown() *shown { return &shown{stated: map[shownKey]struct{}{}} }

// unstated returns those of contents that were not stated.
func (s *shown) unstated(space int32, to identity.ID, contents []record.Content) []record.Content {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(contents, func(c record.Content) bool {
		_, ok := s.stated[shownKey{space, to, c}]
		return ok
	})
}

// state remembers that contents are on the log.
func (s *shown) state(space int32, to identity.ID, contents []record.Content) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.stated) > maxShown {
		clear(s.stated)
	}
	for _, c := range contents {
		s.stated[shownKey{space, to, c}] = struct{}{}
	}
}
