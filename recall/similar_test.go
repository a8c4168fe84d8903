package recall_test

import (
	"context"
	"iter"
	"slices"
	"strings"
	"testing"

	"consilience/cluster/embed"
	"consilience/cluster/embed/static"
	"consilience/cluster/vector"
	"consilience/command"
	"consilience/fleet"
	"consilience/internal/wiring"
	"consilience/projection"
	"consilience/reason"
	"consilience/recall"
	"consilience/recall/selection"
	"consilience/record"
)

func similar(query string) selection.Request {
	return selection.Request{Query: selection.Query{Similar: query}}
}

// embedding makes the built-in model the space's.
func embedding(p *command.Policy) { p.Embedder, p.Threshold = static.Name, 800_000 }

// P-72..P-77, N-72: what means something similar is found without a word in common, the
// most similar first; every candidate is delivered or counted, what a quarantine took
// is not delivered, and every byte verifies.
func TestRecallBySimilarText(t *testing.T) {
	w := newWorld(t)
	w.policy(embedding)
	alice, bob, mallory := w.enroll("alice"), w.enroll("bob"), w.enroll("mallory")
	alice.say("the car was repaired by a mechanic", "bananas are yellow", claim("gate", "number", "B7"))
	bob.say("the car was repaired by a mechanic")
	mallory.say("vehicles are fixed in the garage")
	w.settle()
	got := bob.recall(similar("fixing automobiles"))
	if bodies := got.bodies(t); len(bodies) < 2 || !slices.Contains(bodies[:2], "the car was repaired by a mechanic") ||
		!slices.Contains(bodies[:2], "vehicles are fixed in the garage") {
		t.Errorf("%q", bodies)
	}
	p, err := selection.ParsePolicy(got.Policy)
	if err != nil || p.Matcher != selection.MatcherSimilar+static.Name {
		t.Errorf("%+v %v", p, err)
	}
	w.command(command.KindQuarantine, command.Quarantine{Contributor: mallory.id, Reason: "test"})
	w.settle()
	got = bob.recall(similar("fixing automobiles"))
	wantLeftOut(t, got, 1)
	if bodies := got.bodies(t); bodies[0] != "the car was repaired by a mechanic" || got.full.Statement.Delivered[0].Trust != projection.Trusted {
		t.Errorf("%q %+v", bodies, got.full.Statement)
	}
	// Nothing is known of these words, so nothing is similar to them.
	if got := bob.recall(similar("\ua66e")); len(got.Objects) != 0 || got.full.Statement.Exclusions.Total != 0 {
		t.Errorf("%q", got.bodies(t))
	}
	// What bob was shown counts as told.
	alice.say("the train is late")
	w.settle()
	bob.recall(similar("a delayed train"))
	bob.say("the train is late")
	w.settle()
	if x, err := w.store.ItemOf(t.Context(), space, record.Content{Kind: record.Text, Hash: record.HashOf([]byte("the train is late"))}); err != nil {
		t.Error(err)
	} else if e, err := w.store.Explain(t.Context(), space, x); err != nil || len(e.Stances) != 2 || e.Stances[1].Why != "echo" {
		t.Errorf("%+v %v", e, err)
	}
}

// A space whose policy names no model is not searched by similarity, and says so.
func TestNoModel(t *testing.T) {
	w := newWorld(t)
	alice := w.enroll("alice")
	alice.say("the valve is open")
	w.settle()
	if got := reason.Of(alice.ask(similar("valve").Encode()).Err()); got != reason.EmbedderNone {
		t.Errorf("%s", got)
	}
	for name, open := range map[string]func(string) (embed.Embedder, error){
		"a model behind an endpoint that is not set": func(name string) (embed.Embedder, error) { return embed.Open(name, embed.Options{}) },
		"a model that is not known":                  func(string) (embed.Embedder, error) { return nil, nil },
	} {
		s := &recall.Similarity{Open: open}
		if _, err := s.Matcher(fleet.Space{Policy: command.Policy{Embedder: "openai:some/model@64"}}); reason.Of(err) != reason.EmbedderNone {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// failing is a model whose endpoint says too much.
type failing struct{ embed.Embedder }

func (failing) Model() string { return "m" }
func (failing) Embed(_ context.Context, texts []string) ([]vector.Vector, error) {
	return nil, reason.New(reason.Unreachable, "about %s", texts[0]).On("http://10.0.0.1/embed")
}

// P-105: who asks learns that the model does not answer, and neither where it is nor what
// it said.
func TestSilentModel(t *testing.T) {
	s := &recall.Similarity{Open: func(string) (embed.Embedder, error) { return failing{}, nil }}
	_, err := found(s.Search(t.Context(), fleet.Space{Policy: command.Policy{Embedder: "m"}}, "xyzzy", 1))
	if reason.Of(err) != reason.Unreachable || strings.Contains(err.Error(), "xyzzy") || strings.Contains(err.Error(), "10.0.0.1") {
		t.Errorf("%v", err)
	}
}

// found is what a search finds first.
func found(search iter.Seq2[[]recall.Similar, error]) (first []recall.Similar, err error) {
	for first, err = range search {
		break
	}
	return first, err
}

// similarity is a searcher that holds budget bytes.
func (w *world) similarity(budget int) *recall.Similarity {
	store := wiring.Store{Store: w.store}
	s := wiring.NewSimilarity(wiring.RecallStore{Store: w.store}, wiring.Similar(store, embed.Options{}, false))
	s.Budget = budget
	w.t.Cleanup(s.Close)
	return s
}

// texts are the founding texts of items, by number.
func (w *world) texts(found []recall.Similar) []string {
	w.t.Helper()
	texts := []string{}
	for _, f := range found {
		var text string
		w.must(w.store.Pool().QueryRow(w.t.Context(), `SELECT convert_from(r.content, 'UTF8') FROM consilience.item i
			JOIN consilience.record r ON r.space = i.space AND r.record_id = i.item_id WHERE i.item = $1`, f.Item).Scan(&text))
		texts = append(texts, text)
	}
	return texts
}

// A worker that was there all along, one that begins now and one that may hold nothing
// in memory answer alike: after a change of the model, a split and an erase too.
func TestSimilarOnAnyWorker(t *testing.T) {
	w := newWorld(t)
	alice := w.enroll("alice")
	alice.say("the pump runs", "a dog barks", "a cat sleeps", claim("pump", "colour", "red"))
	w.policy(embedding)
	of := fleet.Space{Num: 1, Name: space, Policy: command.DefaultPolicy()}
	of.Policy.Embedder = static.Name
	old := w.similarity(0)
	want := func(query string, most int, want ...string) {
		t.Helper()
		for what, s := range map[string]*recall.Similarity{"old": old, "new": w.similarity(0), "small": w.similarity(1)} {
			all, err := found(s.Search(t.Context(), of, query, most))
			w.must(err)
			if got := w.texts(all); !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", what, got, want)
			}
		}
	}
	want("the pump runs", 1, "the pump runs")
	alice.say("The big house is old.")
	joined := alice.say("The large house is old.")
	w.settle()
	want("The large house is old.", 1, "The big house is old.")
	w.command(command.KindSplit, command.Judgement{Space: space, Record: joined[0].ID, Reason: "test"})
	w.settle()
	want("The large house is old.", 2, "The large house is old.", "The big house is old.")
	w.command(command.KindErase, command.Judgement{Space: space, Record: joined[0].ID, Reason: "test"})
	w.settle()
	want("The large house is old.", 1, "The big house is old.")
}

// The words of a content go with it: to the item that a split makes, and away with an
// erase.
func TestWordsFollowTheContent(t *testing.T) {
	w := newWorld(t)
	w.policy(embedding)
	alice := w.enroll("alice")
	alice.say("The big house is old.")
	large := alice.say("The large house is old.")
	w.settle()
	want := func(want ...string) {
		t.Helper()
		if bodies := alice.recall(text("large")).bodies(t); !slices.Equal(bodies, want) {
			t.Errorf("%q, want %q", bodies, want)
		}
	}
	alice.say("The door is red.")
	w.settle()
	if got := alice.recall(text("large")); len(got.Objects) != 1 {
		t.Errorf("%q", got.bodies(t))
	}
	w.command(command.KindSplit, command.Judgement{Space: space, Record: large[0].ID, Reason: "test"})
	w.settle()
	want("The large house is old.")
	var item record.ItemID
	var err error
	if item, err = w.store.ItemOf(t.Context(), space, large[0].Is()); err != nil || item != record.ItemID(large[0].ID) {
		t.Errorf("split into %s, %v", item, err)
	}
	w.command(command.KindErase, command.Judgement{Space: space, Record: large[0].ID, Reason: "test"})
	w.settle()
	want([]string{}...)
	var words int
	w.must(w.store.Pool().QueryRow(t.Context(), "SELECT count(*) FROM consilience.search").Scan(&words))
	if words != 2 {
		t.Errorf("words of %d contents are kept", words)
	}
}

// Whoever says very much that is similar, and is quarantined for it, hides nothing that
// others say.
func TestPoisonHidesNothingSimilar(t *testing.T) {
	w := newWorld(t)
	w.policy(embedding)
	bob := w.poisoned("the valve of the pump is shut", 100, "valve %d is open now")
	if bodies := bob.recall(similar("valve is open now")).bodies(t); !slices.Equal(bodies, []string{"the valve of the pump is shut"}) {
		t.Errorf("%q", bodies)
	}
}
