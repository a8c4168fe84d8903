package merge

import (
	"testing"

	"consilience/lineage"
	"consilience/record"
)

// popular is an item with n statements by two others and with m contents, as
// similar texts would have given it.
func (w *world) popular(n, m int) *Item {
	w.enroll("x", enrolled{})
	w.enroll("y", enrolled{})
	w.by("x").claims("popular", 1, 900_000).merged()
	it := w.of("popular", 1)
	for i := range n {
		st := *it.Statements[0]
		st.Contributor, st.Sequence = w.node([]string{"x", "y"}[i%2]), uint64(i+2)
		it.Statements = append(it.Statements, &st)
	}
	for i := range m {
		c := &ContentState{Content: record.Content{Hash: record.Hash{1, byte(i), byte(i >> 8)}}, Item: it.No,
			Holders: map[lineage.Node]*Holder{}}
		it.Contents = append(it.Contents, c)
	}
	return it
}

// One contributor can say the same thing as often as a delta has entries, on an
// item that many others spoke on. What that costs is their sum, not their product,
// which is a thousand million looks here.
func TestRestatingAPopularItemIsLinear(t *testing.T) {
	const entries = 4096
	w := newWorld(t)
	w.enroll("a", enrolled{})
	it := w.popular(200_000, 4_000)
	d := w.by("a")
	for range entries {
		d.claims("popular", 1, 900_000)
	}
	body := d.body()
	w.state.Complete = false
	need := w.state.Needs(Entry{Seq: w.seq + 1, Body: body}, w.now())
	w.state.Complete = true
	if len(need.Exposures) != 4_001 {
		t.Errorf("%d contents asked for, want each of the item's once", len(need.Exposures))
	}
	if o := w.send(body); len(o.Items) != entries {
		t.Fatalf("%d of %d statements", len(o.Items), entries)
	}
	if it.Supporters != 2+1 {
		t.Errorf("%d supporters, want 3", it.Supporters)
	}
}
