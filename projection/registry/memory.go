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
	mu    sync.Mutex
	uses  map[string]time.Time
	floor time.Time // the instant up to which uses were forgotten
}

// Register implements [projection.Registry], but for durability.
func (m *Memory) Register(_ context.Context, use projection.Use) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, used := m.uses[use.ProjectionID]; used || use.Created.Before(m.floor) {
		return replay()
	}
	if m.uses == nil {
		m.uses = map[string]time.Time{}
	}
	m.uses[use.ProjectionID] = use.Until
	return nil
}

// Prune is [File.Prune].
func (m *Memory) Prune(at time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if at.After(m.floor) {
		m.floor = at
	}
	for id, until := range m.uses {
		if until.Before(at) {
			delete(m.uses, id)
		}
	}
}
