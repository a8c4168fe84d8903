package postgres

import (
	"testing"

	"consilience/record"
)

// What was shown to a contributor is remembered for it and for its lineage.
func TestExposed(t *testing.T) {
	w := story(t)
	s, _ := openStore(t)
	w.fill(s, 1000)
	shown := w.memory.Drain().NewItems[0].Content
	for name, want := range map[string]int{"cyd": 1, "bob": 0} {
		got, err := s.Exposed(t.Context(), 1, w.node(name), []record.Content{shown, {Hash: record.Hash{1}}})
		if err != nil || len(got) != want {
			t.Errorf("%s was shown %d: %v", name, len(got), err)
		}
	}
}
