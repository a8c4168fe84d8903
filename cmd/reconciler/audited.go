package main

import (
	"context"

	"consilience/audit"
	"consilience/fleet"
	"consilience/identity"
	"consilience/reason"
	"consilience/reconcile"
	"consilience/record"
	"consilience/storage/postgres"
)

// audited are the spaces to audit, all or the one named.
func audited(store *postgres.Store, f *reconcile.Fleet, name string) ([]spaceSource, error) {
	var out []spaceSource
	f.Now(func(v fleet.View) {
		for _, s := range v.Spaces() {
			if name == "" || s.Name == name {
				out = append(out, spaceSource{store: store, fleet: f, space: s})
			}
		}
	})
	if name != "" && len(out) == 0 {
		return nil, reason.New(reason.SpaceUnknown, "no such space").On(name).Advise("`reconciler space show` lists them")
	}
	return out, nil
}

// spaceSource is a space of the store as package audit reads it.
type spaceSource struct {
	store *postgres.Store
	fleet *reconcile.Fleet
	space fleet.Space
}

// EachRecord implements [audit.Source].
func (s spaceSource) EachRecord(ctx context.Context, each func([]audit.Stored) error) error {
	return s.store.EachRecord(ctx, s.space.Name, func(chunk []postgres.StoredRecord) error { return each(stored(chunk)) })
}

// Get implements [audit.Source].
func (s spaceSource) Get(ctx context.Context, ids []record.ID) ([]audit.Stored, error) {
	rows, err := s.store.Records(ctx, s.space.Num, ids)
	return stored(rows), err
}

// BackReferences implements [audit.Source].
func (s spaceSource) BackReferences(ctx context.Context, id record.ID, max int) ([]record.ID, error) {
	return s.store.BackReferences(ctx, s.space.Name, id, max)
}

// Key implements [audit.Source].
func (s spaceSource) Key(kid identity.KeyID) (key identity.PublicKey, owner identity.ID, known bool) {
	s.fleet.Now(func(v fleet.View) { key, owner, _, known = v.Key(kid) })
	return key, owner, known
}

// Erases implements [audit.Source].
func (s spaceSource) Erases(ctx context.Context) ([]audit.Erase, error) {
	rows, err := s.store.Erases(ctx, s.space.Num)
	out := make([]audit.Erase, len(rows))
	for i, r := range rows {
		out[i] = audit.Erase(r)
	}
	return out, err
}

// Operator implements [audit.Source].
func (s spaceSource) Operator(kid identity.KeyID, seq uint64) (key identity.PublicKey, ok bool) {
	s.fleet.View(seq, func(v fleet.View) {
		key, _, _, _ = v.Key(kid)
		ok = v.Operator(kid)
	})
	return key, ok
}

// Place implements [audit.Source].
func (s spaceSource) Place() (store [32]byte, space string) {
	s.fleet.Now(func(v fleet.View) { store = v.Store() })
	return store, s.space.Name
}

func stored(rows []postgres.StoredRecord) []audit.Stored {
	out := make([]audit.Stored, len(rows))
	for i, r := range rows {
		out[i] = audit.Stored{
			ID: r.Record.ID, Forward: r.Record.Forward, Content: r.Record.Content, Erased: r.Record.Erased, Envelope: r.Envelope,
		}
	}
	return out
}
