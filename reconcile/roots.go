package reconcile

import (
	"slices"

	"consilience/command"
	"consilience/fleet"
	"consilience/identity"
	"consilience/lineage"
)

// roots are the messages and keys from which a reader that knows the store id
// alone checks signatures: the service's on a reply, an author's on a delta.
type roots struct {
	genesis   []byte   // message
	operators [][]byte // messages of the operators facts, in log order
	keys      map[lineage.Node][]identity.PublicKey
}

// learn takes a fact that the fleet has applied.
func (r *roots) learn(e fleet.Effect, raw []byte) {
	switch b := e.Command.Command.Body.(type) {
	case command.Genesis:
		r.genesis = raw
	case command.Operators:
		r.operators = append(r.operators, raw)
	case command.Enroll:
		r.addKey(e.Node, b.Key)
	case command.Derive:
		r.addKey(e.Node, b.Child)
	case command.Rotate:
		r.addKey(e.Node, b.Key)
	}
}

// addKey adds a key unless n has it: to enroll again changes no key.
func (r *roots) addKey(n lineage.Node, k identity.PublicKey) {
	if !slices.Contains(r.keys[n], k) {
		r.keys[n] = append(r.keys[n], k)
	}
}

// trustRoots are the messages of the facts that say whose keys the store trusts.
func (f *Fleet) trustRoots() (genesis []byte, operators [][]byte) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.roots.genesis, slices.Clone(f.roots.operators)
}

// keysOf are all keys that a contributor ever had, the first one first.
func (f *Fleet) keysOf(n lineage.Node) []identity.PublicKey {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return slices.Clone(f.roots.keys[n])
}
