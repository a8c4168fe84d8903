package recall

import (
	"context"
	"sync"

	"consilience/fleet"
	"consilience/identity"
	"consilience/lineage"
	"consilience/projection/nhe"
	"consilience/reconcile"
	"consilience/wire"
)

// keyring holds the keys of the fleet as of a fact: a point check for each key is
// too dear for every recall.
type keyring struct {
	fleet *reconcile.Fleet

	mu   sync.Mutex
	seq  uint64 // of the last fact that keys knows
	keys *nhe.Keys
}

// trust freezes the trust state of a space at a revision that the store was read
// at. It waits until this process knows every fact that the store had by then.
func (k *keyring) trust(ctx context.Context, store [32]byte, space string, found Recalled) (*nhe.Trust, error) {
	if err := k.fleet.Wait(ctx, found.LastFact); err != nil {
		return nil, err
	}
	state := nhe.State{Store: store, Space: space, Revision: found.Revision}
	var keys *nhe.Keys
	var err error
	k.fleet.Keyring(found.Revision+1, func(v fleet.View, of func(lineage.Node) []identity.PublicKey) {
		if s, ok := v.Space(space); ok {
			state.PolicyDigest = wire.Hash(wire.Marshal(s.Policy))
		}
		keys, err = k.at(v, of)
	})
	if err != nil {
		return nil, err
	}
	return nhe.NewTrust(state, keys)
}

// at returns the keys as a view has them, those of the last time if nothing changed.
func (k *keyring) at(v fleet.View, of func(lineage.Node) []identity.PublicKey) (*nhe.Keys, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.keys != nil && k.seq == v.LastFact() {
		return k.keys, nil
	}
	var all []nhe.Key
	for _, c := range v.Contributors() {
		_, masked := v.Lineage().Mask(c.Node)
		for _, key := range of(c.Node) {
			if _, _, _, known := v.Key(key.KeyID()); known {
				all = append(all, nhe.Key{Key: key, Owner: c.ID, Accepted: !masked})
			}
		}
	}
	keys, err := nhe.NewKeys(all)
	if err != nil {
		return nil, err
	}
	k.keys, k.seq = keys, v.LastFact()
	return keys, nil
}
