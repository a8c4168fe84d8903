// Package lineage is the derivation graph of contributors: who derives from whom,
// how deep, in which independence group, and under which quarantine mask.
//
// A [Graph] only grows. Every fact in it carries the sequence of the log entry
// that set it, and [Graph.At] gives the [View] that an entry at a sequence has:
// the facts below that sequence and no other. Replaying a log therefore sees at
// every entry exactly what the first run saw.
//
// A contributor is a [Node]: a dense number in the order in which the log made
// contributors known. Edges are set when a node is derived and never change
// (draft-ruvalcaba-nhe-memory-00 section 5.2), so depth, root and ancestors are
// computed once.
package lineage

import (
	"slices"
	"sort"

	"consilience/reason"
)

// Limits of the graph (rulings Q20).
const (
	// MaxDepth is the longest way from a node to a root.
	MaxDepth = 64
	// MaxChildren is the number of nodes that may derive from one parent.
	MaxChildren = 256
)

// Node is the dense number of a contributor, from 1, in the order the fleet log
// made contributors known. 0 is no contributor.
type Node int32

// Group names an independence group: 0 is the newcomer pool, a positive number
// the lineage whose root has that node number, a negative one the origin of that
// number (see [View.Origin]).
type Group int32

// Pool is the group of all unproven contributors of an open space together.
const Pool Group = 0

// Ancestor is a node that another derives from, with the ways to it: several where
// somewhere between the two a contributor has more than one parent.
type Ancestor struct {
	Node     Node
	Distance int // edges of the longest way, at least 1
	Nearest  int // edges of the shortest way, at least 1
}

// Quarantine is a mask over a node and all that derives from it.
type Quarantine struct {
	Target Node
	Since  uint64 // first masked stream sequence; 0 masks everything
	All    bool   // every item the subtree proposed before Seq falls, shared or not
	Seq    uint64 // sequence of the fact that set it
}

// Graph is the append-only derivation graph. The zero value is empty and ready.
// It is not safe for concurrent use while a fact is added.
type Graph struct {
	nodes   []vertex // nodes[n-1] is node n
	origins []string // origins[i-1] is origin number i
	numbers map[string]Group
	masks   map[Node][]maskFact
	masked  []Node // keys of masks, ascending
}

// vertex is what the log set about one node.
type vertex struct {
	seq       uint64
	root      Node
	depth     int
	parents   []Node
	ancestors []Ancestor // by node, ascending
	children  []Node
	origins   []originFact // of a root
	retired   uint64       // 0: not retired
}

type originFact struct {
	seq   uint64
	group Group // 0: none
}

type maskFact struct {
	Quarantine
	lifted bool
}

// Root adds a contributor that derives from nobody, known from sequence seq on.
// An empty origin is none.
func (g *Graph) Root(seq uint64, origin string) Node {
	n := Node(len(g.nodes) + 1)
	g.nodes = append(g.nodes, vertex{seq: seq, root: n})
	if origin != "" {
		g.SetOrigin(seq, n, origin)
	}
	return n
}

// Derive adds a contributor that derives from parents, known from sequence seq
// on. It refuses, and then changes nothing, with [reason.ParentUnknown] (also for
// no parent at all), [reason.ParentRetired], [reason.ParentQuarantined],
// [reason.NamedTwice], [reason.Lineages], [reason.DepthExceeded] or
// [reason.ChildrenExceeded].
func (g *Graph) Derive(seq uint64, parents []Node) (Node, error) {
	if err := g.checkParents(seq, parents); err != nil {
		return 0, err
	}
	v := vertex{seq: seq, root: g.nodes[parents[0]-1].root, parents: slices.Clone(parents)}
	ways := map[Node]Ancestor{}
	for _, p := range parents {
		parent := &g.nodes[p-1]
		v.depth = max(v.depth, parent.depth+1)
		widen(ways, Ancestor{p, 1, 1})
		for _, a := range parent.ancestors {
			widen(ways, Ancestor{a.Node, a.Distance + 1, a.Nearest + 1})
		}
	}
	if v.depth > MaxDepth {
		return 0, reason.New(reason.DepthExceeded, "would derive %d deep, at most %d", v.depth, MaxDepth)
	}
	v.ancestors = make([]Ancestor, 0, len(ways))
	for _, a := range ways {
		v.ancestors = append(v.ancestors, a)
	}
	slices.SortFunc(v.ancestors, func(a, b Ancestor) int { return int(a.Node) - int(b.Node) })
	n := Node(len(g.nodes) + 1)
	g.nodes = append(g.nodes, v)
	for _, p := range parents {
		g.nodes[p-1].children = append(g.nodes[p-1].children, n)
	}
	return n, nil
}

// widen adds a way to those that are known.
func widen(ways map[Node]Ancestor, a Ancestor) {
	if known, ok := ways[a.Node]; ok {
		a.Distance, a.Nearest = max(a.Distance, known.Distance), min(a.Nearest, known.Nearest)
	}
	ways[a.Node] = a
}

func (g *Graph) checkParents(seq uint64, parents []Node) error {
	if len(parents) == 0 {
		return reason.New(reason.ParentUnknown, "no parent named")
	}
	view, seen := g.At(seq), map[Node]bool{}
	for _, p := range parents {
		switch {
		case !view.Known(p):
			return reason.New(reason.ParentUnknown, "a parent is unknown")
		case seen[p]:
			return reason.New(reason.NamedTwice, "a parent is named twice")
		case view.Retired(p):
			return reason.New(reason.ParentRetired, "a parent is retired")
		case view.underMask(p):
			return reason.New(reason.ParentQuarantined, "a parent is quarantined")
		case view.Root(p) != view.Root(parents[0]):
			return reason.New(reason.Lineages, "the parents lie in two lineages")
		case len(g.nodes[p-1].children) >= MaxChildren:
			return reason.New(reason.ChildrenExceeded, "a parent has %d children", MaxChildren)
		}
		seen[p] = true
	}
	return nil
}

// SetOrigin says from seq on that root, and with it all its lineage, comes from
// origin; an empty origin is none. Roots of one origin are one group.
func (g *Graph) SetOrigin(seq uint64, root Node, origin string) {
	v := &g.nodes[root-1]
	v.origins = append(v.origins, originFact{seq, g.originNumber(origin)})
}

func (g *Graph) originNumber(origin string) Group {
	if origin == "" {
		return 0
	}
	if n, ok := g.numbers[origin]; ok {
		return n
	}
	if g.numbers == nil {
		g.numbers = map[string]Group{}
	}
	g.origins = append(g.origins, origin)
	g.numbers[origin] = -Group(len(g.origins))
	return g.numbers[origin]
}

// Retire ends what n may state, from seq on; what it stated stays. The first
// retirement is the one that counts.
func (g *Graph) Retire(seq uint64, n Node) {
	if v := &g.nodes[n-1]; v.retired == 0 {
		v.retired = seq
	}
}

// Quarantine masks target and all that derives from it, also later. It replaces
// an earlier quarantine of the same target (rulings Q6).
func (g *Graph) Quarantine(seq uint64, target Node, since uint64, all bool) {
	g.addMask(maskFact{Quarantine: Quarantine{target, since, all, seq}})
}

// Release removes the quarantine of target; an ancestor's still masks it.
func (g *Graph) Release(seq uint64, target Node) {
	g.addMask(maskFact{Quarantine: Quarantine{Target: target, Seq: seq}, lifted: true})
}

func (g *Graph) addMask(m maskFact) {
	if g.masks == nil {
		g.masks = map[Node][]maskFact{}
	}
	if _, ok := g.masks[m.Target]; !ok {
		i := sort.Search(len(g.masked), func(i int) bool { return g.masked[i] >= m.Target })
		g.masked = slices.Insert(g.masked, i, m.Target)
	}
	g.masks[m.Target] = append(g.masks[m.Target], m)
}
