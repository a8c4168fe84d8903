package wiring

import (
	"consilience/cluster/embed"
	"consilience/cluster/near"
	"consilience/reconcile"
)

// Similar is rule 3 of joining on a store: the models that policies name, and exact
// search. A replay takes the vectors of a model that is not the same on every
// machine from the store and makes none.
func Similar(store Store, o embed.Options, replaying bool) *reconcile.Similar {
	return &reconcile.Similar{
		Store: store, Replaying: replaying,
		Open:     func(model string) (embed.Embedder, error) { return embed.Open(model, o) },
		NewIndex: func(threshold int32, dims int) reconcile.Index { return near.New(threshold, dims) },
	}
}
