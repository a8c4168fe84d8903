package reconcile

import (
	"consilience/fleet"
	"consilience/identity"
	"consilience/lineage"
)

// Keyring is [Fleet.View] together with all keys that a contributor ever had, the
// first one first. Keys of later facts are among them: the view does not know those.
func (f *Fleet) Keyring(seq uint64, use func(v fleet.View, keys func(lineage.Node) []identity.PublicKey)) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	use(f.state.At(seq), func(n lineage.Node) []identity.PublicKey { return f.roots.keys[n] })
}
