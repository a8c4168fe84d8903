package lineage

import "slices"

// View is the graph as the entry at one sequence sees it: facts below it only.
// The zero View knows nobody.
type View struct {
	g   *Graph
	seq uint64
}

// At returns the view of an entry at seq: the facts with a sequence below seq.
func (g *Graph) At(seq uint64) View { return View{g, seq} }

func (v View) vertex(n Node) *vertex {
	if v.g == nil || n < 1 || int(n) > len(v.g.nodes) || v.g.nodes[n-1].seq >= v.seq {
		return nil
	}
	return &v.g.nodes[n-1]
}

// Known reports whether n is a contributor.
func (v View) Known(n Node) bool { return v.vertex(n) != nil }

// Depth returns the edges on the longest way from n to its root, at most [MaxDepth].
func (v View) Depth(n Node) int {
	if x := v.vertex(n); x != nil {
		return x.depth
	}
	return 0
}

// Root returns the root of n's lineage, 0 for an unknown node. It never changes.
func (v View) Root(n Node) Node {
	if x := v.vertex(n); x != nil {
		return x.root
	}
	return 0
}

// Parents returns what n derives from directly. The caller must not change it.
func (v View) Parents(n Node) []Node {
	if x := v.vertex(n); x != nil {
		return x.parents
	}
	return nil
}

// Ancestors returns all that n derives from, by node, with the ways to
// each. The caller must not change it.
func (v View) Ancestors(n Node) []Ancestor {
	if x := v.vertex(n); x != nil {
		return x.ancestors
	}
	return nil
}

// Subtree returns n and all that derives from it, ascending; nothing for an
// unknown node.
func (v View) Subtree(n Node) []Node {
	if !v.Known(n) {
		return nil
	}
	seen, tree := map[Node]bool{n: true}, []Node{n}
	for i := 0; i < len(tree); i++ {
		for _, c := range v.g.nodes[tree[i]-1].children {
			if !seen[c] && v.Known(c) {
				seen[c], tree = true, append(tree, c)
			}
		}
	}
	slices.Sort(tree)
	return tree
}

// Group returns the independence group of n: its root's origin if it has one,
// else its lineage.
func (v View) Group(n Node) Group {
	root := v.Root(n)
	if root == 0 {
		return Pool
	}
	facts := v.g.nodes[root-1].origins
	for i := len(facts) - 1; i >= 0; i-- {
		if facts[i].seq < v.seq {
			if facts[i].group != 0 {
				return facts[i].group
			}
			break
		}
	}
	return Group(root)
}

// Origin returns the origin that a negative group stands for, "" for any other.
func (v View) Origin(group Group) string {
	if v.g == nil || group >= 0 || int(-group) > len(v.g.origins) {
		return ""
	}
	return v.g.origins[-group-1]
}

// Retired reports whether n was retired.
func (v View) Retired(n Node) bool {
	x := v.vertex(n)
	return x != nil && x.retired != 0 && x.retired < v.seq
}

// Dependent reports whether a and b are dependent at a finite distance: the same
// node, or one among the other's ancestors within distance edges of the shortest
// way, so that no detour makes a parent and its child independent (draft section
// 5.4, N-62).
func (v View) Dependent(a, b Node, distance int) bool {
	return a == b || v.within(a, b, distance) || v.within(b, a, distance)
}

func (v View) within(n, ancestor Node, distance int) bool {
	as := v.Ancestors(n)
	i, ok := slices.BinarySearchFunc(as, ancestor, func(a Ancestor, t Node) int { return int(a.Node) - int(t) })
	return ok && as[i].Nearest <= distance
}

// Descends reports whether n is target or derives from it, at any depth.
func (v View) Descends(n, target Node) bool { return n == target || v.within(n, target, MaxDepth) }
