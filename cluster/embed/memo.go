package embed

import "sync"

// Memo keeps the models that were opened, each once under its name. The zero value
// is ready, and safe for concurrent use.
type Memo struct {
	mu     sync.Mutex
	opened map[string]Embedder
}

// Get returns the model of a name, opened by open where it was not asked for before.
// Errors and nil are not kept: the next Get opens again.
func (m *Memo) Get(name string, open func(name string) (Embedder, error)) (Embedder, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e := m.opened[name]; e != nil {
		return e, nil
	}
	e, err := open(name)
	if err != nil || e == nil {
		return nil, err
	}
	if m.opened == nil {
		m.opened = map[string]Embedder{}
	}
	m.opened[name] = e
	return e, nil
}
