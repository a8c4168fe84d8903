package fleet

import (
	"slices"
	"sort"

	"consilience/command"
	"consilience/identity"
	"consilience/lineage"
)

// View is the fleet as the entry at one sequence sees it: the facts below it.
type View struct {
	s       *State
	seq     uint64
	lineage lineage.View
}

// Contributor is what a view shows of one contributor.
type Contributor struct {
	Node       lineage.Node
	ID         identity.ID
	Name       string
	Key        identity.PublicKey // current
	Parents    []lineage.Node     // none for an enrolled one
	Reputation uint32             // ppm it was enrolled with; 0: the space's own
	Vouched    bool               // of an enrolled one; a derived one never is
	Origin     string             // of its root
	Spaces     []string           // of its root, sorted
	EnrolledAt uint64             // Unix milliseconds by the stream
	RetiredAt  uint64             // Unix milliseconds; 0: not retired
	Retired    bool
}

// Space is what a view shows of one space.
type Space struct {
	Num     int32 // in the order of their creation, from 1
	Name    string
	Policy  command.Policy
	Created uint64 // Unix milliseconds by the stream
}

// At returns the fleet as the entry at seq sees it: facts below seq only. A view
// stays valid while later facts are applied, though not at the same moment.
func (s *State) At(seq uint64) View { return View{s, seq, s.graph.At(seq)} }

// Store returns the store id.
func (v View) Store() [32]byte { return v.s.store }

// Lineage returns the derivation graph at the same sequence.
func (v View) Lineage() lineage.View { return v.lineage }

// LastFact returns the sequence of the newest fact that the view sees, 0 for none.
func (v View) LastFact() uint64 {
	i := sort.Search(len(v.s.facts), func(i int) bool { return v.s.facts[i] >= v.seq })
	if i == 0 {
		return 0
	}
	return v.s.facts[i-1]
}

// Node returns the node of a contributor; ok is false if it is unknown.
func (v View) Node(id identity.ID) (n lineage.Node, ok bool) {
	n, ok = v.s.nodes[id]
	return n, ok && v.lineage.Known(n)
}

// ID returns the id of a known contributor, zero for an unknown node.
func (v View) ID(n lineage.Node) identity.ID {
	if !v.lineage.Known(n) {
		return identity.ID{}
	}
	return v.s.contributors[n-1].id
}

// Contributor returns a contributor by its id.
func (v View) Contributor(id identity.ID) (Contributor, bool) {
	n, ok := v.Node(id)
	if !ok {
		return Contributor{}, false
	}
	return v.ByNode(n), true
}

// ByName returns a contributor by its name.
func (v View) ByName(name string) (Contributor, bool) {
	n, ok := v.s.names[name]
	if !ok || !v.lineage.Known(n) {
		return Contributor{}, false
	}
	return v.ByNode(n), true
}

// Contributors returns all contributors, by node.
func (v View) Contributors() []Contributor {
	var all []Contributor
	for n := lineage.Node(1); v.lineage.Known(n); n++ {
		all = append(all, v.ByNode(n))
	}
	return all
}

// ByNode returns a contributor by its node, the zero Contributor for an unknown one.
func (v View) ByNode(n lineage.Node) Contributor {
	if !v.lineage.Known(n) {
		return Contributor{}
	}
	c := &v.s.contributors[n-1]
	root := v.enrolment(v.lineage.Root(n))
	shown := Contributor{
		Node: n, ID: c.id, Name: c.name, Key: v.currentKey(c), Parents: v.lineage.Parents(n),
		Origin: root.Origin, Spaces: root.Spaces, EnrolledAt: c.at,
	}
	if len(c.enrolments) > 0 {
		shown.Reputation, shown.Vouched = root.Reputation, root.Vouched
	}
	if v.lineage.Retired(n) {
		shown.Retired, shown.RetiredAt = true, c.retiredAt
	}
	return shown
}

// enrolment returns the newest enrolment of a root that the view sees.
func (v View) enrolment(root lineage.Node) enrolment {
	es := v.s.contributors[root-1].enrolments
	for i := len(es) - 1; i >= 0; i-- {
		if es[i].seq < v.seq {
			return es[i]
		}
	}
	return enrolment{}
}

func (v View) currentKey(c *contributor) identity.PublicKey {
	for i := len(c.keys) - 1; i >= 0; i-- {
		if k := v.s.keys[c.keys[i]]; k.from < v.seq {
			return k.key
		}
	}
	return identity.PublicKey{}
}

// Key returns a key, whose it is, and whether it is in force. A contributor's key
// stays known after it was rotated away, an operator's or a service's after it
// was removed.
func (v View) Key(kid identity.KeyID) (key identity.PublicKey, owner identity.ID, current, known bool) {
	if k, ok := v.s.keys[kid]; ok && k.from < v.seq {
		return k.key, v.s.contributors[k.owner-1].id, since(k.from, k.until, v.seq), true
	}
	for _, role := range []string{command.RoleOperator, command.RoleService} {
		for _, t := range v.s.roles[role][kid] {
			if t.from < v.seq {
				key, owner, known = t.key, t.key.ID(), true
				current = current || since(t.from, t.until, v.seq)
			}
		}
	}
	return key, owner, current, known
}

// Operator reports whether kid is an operator key in force.
func (v View) Operator(kid identity.KeyID) bool {
	_, ok := v.s.inForce(command.RoleOperator, kid, v.seq)
	return ok
}

// Service reports whether kid is a service key in force.
func (v View) Service(kid identity.KeyID) bool {
	_, ok := v.s.inForce(command.RoleService, kid, v.seq)
	return ok
}

// Space returns a space by its name.
func (v View) Space(name string) (Space, bool) {
	sp, ok := v.s.spaces[name]
	if !ok || sp.seq >= v.seq {
		return Space{}, false
	}
	i := len(sp.policies) - 1
	for sp.policies[i].seq >= v.seq {
		i--
	}
	return Space{Num: sp.num, Name: name, Policy: sp.policies[i].policy, Created: sp.at}, true
}

// Spaces returns all spaces, in the order of their creation.
func (v View) Spaces() []Space {
	var all []Space
	for _, name := range v.s.spaceNames {
		if sp, ok := v.Space(name); ok {
			all = append(all, sp)
		}
	}
	return all
}

// Admitted reports whether n may propose to a space (rulings Q3): in a space of
// open admission everybody known, else those whose root is enrolled for it.
func (v View) Admitted(n lineage.Node, space string) bool {
	sp, ok := v.Space(space)
	if !ok || !v.lineage.Known(n) {
		return false
	}
	if sp.Policy.Admission == command.AdmissionOpen {
		return true
	}
	_, ok = slices.BinarySearch(v.enrolment(v.lineage.Root(n)).Spaces, space)
	return ok
}
