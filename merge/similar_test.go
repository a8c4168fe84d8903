package merge

import (
	"errors"
	"slices"
	"testing"

	"consilience/cluster"
	"consilience/command"
	"consilience/record"
)

// gate is a Finder that answers from a list; it knows what was founded.
type gate struct {
	answers map[string][]string // text -> verdicts, each "text:verdict"
	founded map[string]record.ItemID
	asked   int
}

func (g *gate) Similar(_ string, text []byte, _ record.Content) []cluster.Candidate {
	g.asked++
	var found []cluster.Candidate
	for i := 0; i+1 < len(g.answers[string(text)]); i += 2 {
		if id, ok := g.founded[g.answers[string(text)][i]]; ok {
			found = append(found, cluster.Candidate{Item: id, Similarity: 900_000, Verdict: g.answers[string(text)][i+1]})
		}
	}
	return found
}

func (g *gate) Founded(_ string, item record.ItemID, text []byte, _ record.Content) {
	g.founded[string(text)] = item
}

func (w *world) text(by, text string) record.Record {
	return w.record(by, record.Text, []byte(text))
}

// Rule 3 of joining: a text joins the first that the gate lets it into; what it
// resembles and did not join is related, and a polarity pair are rivals.
func TestSimilarTextsJoin(t *testing.T) {
	g := &gate{founded: map[string]record.ItemID{}, answers: map[string][]string{
		"the port is 80 now": {"the port is 80", cluster.Join},
		"the port is not 80": {"the port is 80", cluster.Rival},
		"the port is 81":     {"the port is 80", "number", "the port is not 80", "number"},
	}}
	w := newWorld(t)
	w.find = g
	w.enroll("a", enrolled{})
	w.enroll("b", enrolled{})
	first := w.text("a", "the port is 80")
	w.by("a").propose(first, 900_000).merged()
	o := w.by("b").propose(w.text("b", "the port is 80 now"), 900_000).
		propose(w.text("b", "the port is not 80"), 1).propose(w.text("b", "the port is 81"), 1).merged()
	if o.Items[0].ItemID != record.ItemID(first.ID) || o.Items[0].Action != command.ActionJoined {
		t.Errorf("a similar text: %+v", o.Items[0])
	}
	var whys []string
	for _, r := range w.state.changes.plan.Related {
		whys = append(whys, r.Why)
	}
	if !slices.Equal(whys, []string{WhyPolarity, "number", "number"}) {
		t.Errorf("related: %v", whys)
	}
	if it := w.ofContent(record.Text, []byte("the port is 80")); len(it.Contents) != 2 || it.Groups != 2 {
		t.Errorf("%d contents, %d groups", len(it.Contents), it.Groups)
	}
	if len(g.founded) != 3 {
		t.Errorf("%d texts founded, want 3", len(g.founded))
	}
}

// Q21: echo is judged by item: a paraphrase of what was shown is one.
func TestParaphraseIsAnEcho(t *testing.T) {
	g := &gate{founded: map[string]record.ItemID{}, answers: map[string][]string{"b": {"a", cluster.Join}, "c": {"a", cluster.Join}}}
	w := newWorld(t)
	w.find = g
	w.enroll("x", enrolled{})
	w.enroll("y", enrolled{})
	w.by("x").propose(w.text("x", "a"), 900_000).propose(w.text("x", "b"), 900_000).merged()
	w.served("y", record.Content{Kind: record.Text, Hash: record.HashOf([]byte("b"))})
	o := w.by("y").propose(w.text("y", "c"), 900_000).merged()
	if o.Items[0].Action != command.ActionEchoed {
		t.Errorf("a paraphrase of what was shown: %s", o.Items[0].Action)
	}
}

// A modification skips its old item in rule 3.
func TestModificationSkipsItsOldItem(t *testing.T) {
	g := &gate{founded: map[string]record.ItemID{}, answers: map[string][]string{"b": {"a", cluster.Join}}}
	w := newWorld(t)
	w.find = g
	w.enroll("x", enrolled{})
	old := w.text("x", "a")
	w.by("x").propose(old, 900_000).merged()
	r := w.record("x", record.Text, []byte("b"), pairTo(old))
	w.by("x").from().modify(record.ItemID(old.ID), r, 900_000).merged()
	if len(w.state.items) != 2 {
		t.Errorf("%d items, want the correction in one of its own", len(w.state.items))
	}
}

// split gives a content and the supports by it an item of its own.
func TestSplit(t *testing.T) {
	g := &gate{founded: map[string]record.ItemID{}, answers: map[string][]string{"b": {"a", cluster.Join}}}
	w := newWorld(t)
	w.find = g
	w.enroll("x", enrolled{})
	w.enroll("y", enrolled{})
	w.enroll("z", enrolled{})
	w.by("x").propose(w.text("x", "a"), 900_000).merged()
	r := w.text("y", "b")
	w.by("y").propose(r, 900_000).merged()
	from := w.ofContent(record.Text, []byte("a"))
	w.by("z").from().absent(from.ID, 900_000).merged()
	w.judge(command.KindSplit, r.ID)
	to := w.ofContent(record.Text, []byte("b"))
	if to == from || to.ID != record.ItemID(r.ID) || to.Groups != 1 || from.Groups != 1 || from.Doubters != 1 || to.Doubters != 0 {
		t.Errorf("after the split: %+v and %+v", from.numbers(), to.numbers())
	}
	if w.state.records[r.ID].Item != to.No || to.recordID(to.Head) != r.ID {
		t.Error("the record did not move along")
	}
	moves := w.state.changes.plan.Moves
	if len(moves) != 1 || moves[0].From != from.No || moves[0].To != to.No {
		t.Errorf("moves are %+v", moves)
	}
}

// What the finder names and is not loaded is asked for, with all that joining it
// looks at, and nothing changes before it is there.
func TestFinderNeeds(t *testing.T) {
	g := &gate{founded: map[string]record.ItemID{}, answers: map[string][]string{
		"b": {"a", cluster.Join}, "c": {"a", cluster.Join},
	}}
	w := newWorld(t)
	w.find = g
	w.enroll("x", enrolled{vouched: true})
	w.enroll("y", enrolled{})
	w.by("x").propose(w.text("x", "a"), 900_000).merged()
	for _, id := range w.contribute("x", 3) {
		w.judge(command.KindContradict, id)
	}
	w.served("y", record.Content{Kind: record.Text, Hash: record.HashOf([]byte("a"))})
	db := newTables(w.state.Space)
	db.write(w.state.Drain())

	body := w.by("y").propose(w.text("y", "b"), 900_000).propose(w.text("y", "c"), 900_000).body()
	e := Entry{Seq: w.next(), Body: body}
	s := NewState(db.space)
	for tries := 0; ; tries++ {
		_, err := s.Apply(e, w.fleet.At(e.Seq), g)
		if err == nil {
			break
		}
		var missing *Missing
		if !errors.As(err, &missing) || tries > 4 {
			t.Fatal(err)
		}
		if s.Space != db.space {
			t.Fatal("a missing load changed the space")
		}
		db.load(missing.Need, s)
	}
	db.write(s.Drain())
	apply(t, w.state, w.fleet, e, g)
	if db.complete().Digest(w.now()) != w.state.Digest(w.now()) {
		t.Error("a loaded state gives another digest")
	}
	it := w.ofContent(record.Text, []byte("c"))
	if len(it.Contents) != 3 || w.stance(it, "y").Counted != Echo || w.stance(it, "x").Counted != Locked {
		t.Errorf("%d contents, %q, %q", len(it.Contents), w.stance(it, "y").Counted, w.stance(it, "x").Counted)
	}
}
