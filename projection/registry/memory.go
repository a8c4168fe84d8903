package registry

import (
	"context"
	"sync"
	"time"

	"consilience/projection"
)

// Memory registers uses for as long as the process lives: for tests, and for a
// relying party whose freshness limits are shorter than any restart. The zero value
// is ready.
type Memory struct {
	mu   sync.Mutex
	uses map[string]time.Time
}

// Register implements [projection.Registry], but for durability.
func (m *Memory) Register(_ context.Context, use projection.Use) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, used := m.uses[use.ProjectionID]; used {
		return replay()
	}
	if m.uses == nil {
		m.uses = map[string]time.Time{}
	}
	m.uses[use.ProjectionID] = use.Until
	return nil
}

// Prune forgets uses of records that were stale before at.
func (m *Memory) Prune(at time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for id, until := range m.uses {
		if until.Before(at) {
			delete(m.uses, id)
		}
	}
}
