package lineage

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"consilience/reason"
)

// refused requires that a derive is refused for a reason and changes nothing.
func refused(t *testing.T, g *Graph, seq uint64, want reason.Code, parents ...Node) {
	t.Helper()
	before := len(g.nodes)
	if _, err := g.Derive(seq, parents); reason.Of(err) != want {
		t.Errorf("derive from %v: %v, want %s", parents, err, want)
	}
	if len(g.nodes) != before {
		t.Errorf("a derive refused for %s added a node", want)
	}
}

func derive(t *testing.T, g *Graph, seq uint64, parents ...Node) Node {
	t.Helper()
	n, err := g.Derive(seq, parents)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// N-57: no unknown origin, no cycle, no self edge, no second lineage; an edge is
// set once.
func TestDeriveRefusals(t *testing.T) {
	var g Graph
	a, b := g.Root(1, "here"), g.Root(2, "here")
	c := derive(t, &g, 3, a)
	refused(t, &g, 9, reason.ParentUnknown)
	refused(t, &g, 9, reason.ParentUnknown, 99)
	refused(t, &g, 9, reason.ParentUnknown, c+1) // itself
	refused(t, &g, 9, reason.NamedTwice, a, a)
	refused(t, &g, 9, reason.Lineages, a, b) // one origin, yet two lineages
	refused(t, &g, 3, reason.ParentUnknown, c)
	g.Quarantine(10, a, 0, false)
	refused(t, &g, 11, reason.ParentQuarantined, c)
	g.Release(12, a)
	derive(t, &g, 13, c, a)
	g.Retire(14, c)
	refused(t, &g, 15, reason.ParentRetired, c)
}

// Q20: depth at most 64, children at most 256.
func TestLimits(t *testing.T) {
	var g Graph
	n := g.Root(1, "")
	for range MaxChildren {
		derive(t, &g, 2, n)
	}
	refused(t, &g, 3, reason.ChildrenExceeded, n)
	deep := g.Root(4, "")
	for i := range MaxDepth {
		deep = derive(t, &g, 5+uint64(i), deep)
	}
	if d := g.At(1000).Depth(deep); d != MaxDepth {
		t.Errorf("depth is %d", d)
	}
	refused(t, &g, 1000, reason.DepthExceeded, deep)
}

// N-58: a chain of 50 and several parents are followed to the root, by the
// longest way.
func TestAncestors(t *testing.T) {
	var g Graph
	root := g.Root(1, "")
	n := root
	for i := range 50 {
		n = derive(t, &g, 2+uint64(i), n)
	}
	short := derive(t, &g, 100, root)
	both := derive(t, &g, 101, short, n)
	v := g.At(200)
	if v.Depth(both) != 51 || v.Root(both) != root {
		t.Errorf("depth %d, root %d", v.Depth(both), v.Root(both))
	}
	as := v.Ancestors(both)
	if len(as) != 52 || as[0] != (Ancestor{root, 51, 2}) {
		t.Errorf("%d ancestors, the root at %+v", len(as), as[0])
	}
}

// N-63, N-62: dependent within the distance and not at distance + 1, in both
// directions; siblings are not, by the letter.
func TestDependent(t *testing.T) {
	var g Graph
	chain := []Node{g.Root(1, "")}
	for i := range 5 {
		chain = append(chain, derive(t, &g, 2+uint64(i), chain[i]))
	}
	sibling := derive(t, &g, 20, chain[0])
	v := g.At(100)
	for distance := 1; distance <= 4; distance++ {
		if !v.Dependent(chain[0], chain[distance], distance) || !v.Dependent(chain[distance], chain[0], distance) {
			t.Errorf("independent at distance %d", distance)
		}
		if v.Dependent(chain[0], chain[distance+1], distance) {
			t.Errorf("dependent at distance %d + 1", distance)
		}
	}
	// A child of a parent and of its grandparent is a child of both (N-62).
	both := derive(t, &g, 201, chain[0], chain[1])
	v = g.At(300)
	if !v.Dependent(both, chain[0], 1) || !v.Dependent(both, chain[1], 1) {
		t.Error("a parent and its child are independent by a detour")
	}
	if v.Dependent(sibling, chain[1], 64) || !v.Dependent(sibling, sibling, 1) {
		t.Error("siblings are independent at a finite distance, a node is not of itself")
	}
}

// Groups are lineages, joined by origin.
func TestGroups(t *testing.T) {
	var g Graph
	a, b, c := g.Root(1, ""), g.Root(2, "x"), g.Root(3, "x")
	a2, b2 := derive(t, &g, 4, a), derive(t, &g, 5, b)
	v := g.At(6)
	if v.Group(a) != Group(a) || v.Group(a2) != Group(a) {
		t.Error("a lineage is no group")
	}
	if v.Group(b) != v.Group(c) || v.Group(b2) != v.Group(c) || v.Origin(v.Group(b)) != "x" {
		t.Error("an origin is no group")
	}
	g.SetOrigin(7, b, "")
	if g.At(7).Group(b2) != v.Group(c) || g.At(8).Group(b2) != Group(b) {
		t.Error("an origin does not change at its sequence")
	}
}

// N-59, Q6: masks reach the whole subtree at any depth, also later; one per
// target, an ancestor's stays.
func TestMasks(t *testing.T) {
	var g Graph
	root := g.Root(1, "")
	n := root
	for i := range 20 {
		n = derive(t, &g, 2+uint64(i), n)
	}
	other := g.Root(30, "")
	g.Quarantine(40, root, 35, false)
	g.Quarantine(41, n, 10, true)
	v := g.At(42)
	if since, masked := v.Mask(n); !masked || since != 10 {
		t.Errorf("mask of the leaf is %d, %t", since, masked)
	}
	if v.Masked(root, 34) || !v.Masked(root, 35) {
		t.Error("since is not the first masked sequence")
	}
	if _, masked := v.Mask(other); masked {
		t.Error("another lineage is masked")
	}
	g.Release(50, n)
	if since, masked := g.At(51).Mask(n); !masked || since != 35 {
		t.Error("the ancestor's mask is gone")
	}
	g.Quarantine(52, root, 0, false)
	g.Release(53, root)
	if _, masked := g.At(54).Mask(n); masked {
		t.Error("a replaced mask came back")
	}
	if qs := g.At(45).Quarantines(); len(qs) != 2 || qs[1] != (Quarantine{n, 10, true, 41}) {
		t.Errorf("quarantines are %+v", qs)
	}
}

// A view is what it was, whatever the graph learned since; and the graph's facts
// agree with a plain walk over the edges.
func TestRandomGraphs(t *testing.T) {
	for seed := range 10_000 {
		rng := rand.New(rand.NewPCG(uint64(seed), 3))
		g, seen := &Graph{}, map[uint64]string{}
		for seq := uint64(1); seq < 25; seq++ {
			someFact(g, rng, seq)
			if rng.IntN(8) == 0 {
				seen[seq+1] = describe(g.At(seq + 1))
			}
		}
		for seq, want := range seen {
			if got := describe(g.At(seq)); got != want {
				t.Fatalf("seed %d: the view at %d changed", seed, seq)
			}
		}
		checkWalk(t, g.At(1000))
	}
}

func someFact(g *Graph, rng *rand.Rand, seq uint64) {
	n := Node(1 + rng.IntN(max(1, len(g.nodes))))
	switch k := rng.IntN(10); {
	case k < 2 || len(g.nodes) == 0:
		g.Root(seq, []string{"", "x"}[rng.IntN(2)])
	case k < 6:
		g.Derive(seq, []Node{n, Node(1 + rng.IntN(len(g.nodes)))}[:1+rng.IntN(2)])
	case k < 7:
		g.Quarantine(seq, n, rng.Uint64N(seq), rng.IntN(2) == 0)
	case k < 8:
		g.Release(seq, n)
	case k < 9:
		g.SetOrigin(seq, g.nodes[n-1].root, []string{"", "x", "y"}[rng.IntN(3)])
	default:
		g.Retire(seq, n)
	}
}

func describe(v View) string {
	var text string
	for n := Node(1); v.Known(n); n++ {
		since, masked := v.Mask(n)
		text += fmt.Sprint(n, v.Depth(n), v.Root(n), v.Ancestors(n), v.Group(n), v.Retired(n), since, masked, v.Subtree(n), ";")
	}
	return text + fmt.Sprint(v.Quarantines())
}

// checkWalk compares ancestors with the longest and shortest ways found by walking.
func checkWalk(t *testing.T, v View) {
	for n := Node(1); v.Known(n); n++ {
		longest, nearest := map[Node]int{}, map[Node]int{}
		var walk func(Node, int)
		walk = func(n Node, d int) {
			for _, p := range v.Parents(n) {
				longest[p] = max(longest[p], d+1)
				if was, ok := nearest[p]; !ok || d+1 < was {
					nearest[p] = d + 1
				}
				walk(p, d+1)
			}
		}
		walk(n, 0)
		if len(longest) != len(v.Ancestors(n)) {
			t.Fatal("ancestors are not all that a walk finds")
		}
		for _, a := range v.Ancestors(n) {
			if longest[a.Node] != a.Distance || nearest[a.Node] != a.Nearest {
				t.Fatalf("ways of %d and %d, want %d and %d", a.Distance, a.Nearest, longest[a.Node], nearest[a.Node])
			}
			if !v.Descends(n, a.Node) || v.Root(n) != v.Root(a.Node) {
				t.Fatal("an ancestor in another lineage")
			}
		}
	}
}

// The zero view knows nobody and panics at nothing.
func TestZeroView(t *testing.T) {
	var v View
	if v.Known(1) || v.Depth(1) != 0 || v.Root(1) != 0 || v.Group(1) != Pool || v.Subtree(1) != nil || v.Masked(1, 1) {
		t.Error("the zero view knows somebody")
	}
}
