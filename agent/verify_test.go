package agent_test

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"consilience/agent"
	"consilience/agent/local"
	"consilience/identity"
	"consilience/record"
)

// "erased" means what it means in the audit of a store: the record's own content is
// gone. It is intact in what is left of it, and so is a record that refers to it (N-31).
func TestVerifyNamesWhatWasErased(t *testing.T) {
	t.Parallel()
	h, err := agent.Create(t.TempDir(), agent.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	memory, err := local.Open(filepath.Join(h.Dir(), agent.MemoryFile))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { memory.Close() })
	gone, err := record.New(record.Text, []byte("gone"), nil, identity.ID{1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	later, err := record.New(record.Text, []byte("later"), []record.Pair{{Record: gone.ID, Hash: gone.ContentHash}}, identity.ID{1}, 2)
	if err != nil {
		t.Fatal(err)
	}
	gone.Content, gone.Erased = nil, true
	err = memory.Update(t.Context(), func(tx *local.Tx) error { return errors.Join(tx.AddRecord(gone), tx.AddRecord(later)) })
	if err != nil {
		t.Fatal(err)
	}
	r, err := h.Verify(t.Context(), func() {})
	if err != nil || r.Records != 2 || r.Intact != 2 || !slices.Equal(r.Erased, []record.ID{gone.ID}) || len(r.Tampered) > 0 {
		t.Errorf("%+v, %v", r, err)
	}
}
