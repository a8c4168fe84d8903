package agent

import (
	"encoding/json"
	"os"
	"path/filepath"

	"consilience/reason"
	"consilience/wire"
)

// Binding is a home's store.json: the store it belongs to. A home is bound at its
// first contact and stays so: what it signs names the store, and its sequence
// numbers count there.
type Binding struct {
	Name  string `json:"name"`  // how the contributor calls itself
	Store string `json:"store"` // store id, 43 characters; "" while it knows none
	NATS  string `json:"nats"`  // where the store was last reached
}

// Binding reads store.json.
func (h *Home) Binding() (Binding, error) {
	path := filepath.Join(h.dir, StoreFile)
	var b Binding
	file, err := os.ReadFile(path)
	if err != nil {
		return b, reason.Wrap(reason.NotFound, err, "settings cannot be read").On(path)
	}
	if err := json.Unmarshal(file, &b); err != nil {
		return b, reason.Wrap(reason.Malformed, err, "settings do not read").On(path)
	}
	return b, nil
}

// Bind binds the home to a store and notes where it was reached. It returns
// [reason.StoreMismatch] for a home of another store.
func (h *Home) Bind(store [32]byte, nats string) error {
	b, err := h.Binding()
	if err != nil {
		return err
	}
	id := wire.Text(store)
	if b.Store != "" && b.Store != id {
		return reason.New(reason.StoreMismatch, "this contributor belongs to store %s, not to %s", b.Store, id).
			On(h.dir).Advise("use another --home for the other store")
	}
	if b.Store == id && b.NATS == nats {
		return nil
	}
	b.Store, b.NATS = id, nats
	return b.write(h.dir)
}

// Store is the store that the home is bound to. It returns [reason.NotFound]
// before its first contact.
func (h *Home) Store() ([32]byte, error) {
	b, err := h.Binding()
	if err != nil {
		return [32]byte{}, err
	}
	if b.Store == "" {
		return [32]byte{}, reason.New(reason.NotFound, "no store is known yet").On(h.dir).Advise("name one with --dir, or with --nats and --store")
	}
	return wire.ParseText(b.Store)
}

func (b Binding) write(dir string) error {
	file, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(dir, StoreFile), append(file, '\n'))
}
