package reconcile_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"consilience/cluster/embed"
	"consilience/cluster/embed/static"
	"consilience/command"
	"consilience/delta"
	"consilience/internal/testkit"
	"consilience/internal/wiring"
	"consilience/reason"
	"consilience/reconcile"
	"consilience/record"
)

// model changes a space's model.
func (w *world) model(space, model string) {
	p := command.DefaultPolicy()
	p.Embedder, p.Threshold = model, 930_000
	w.command(command.KindPolicy, command.PolicyChange{Space: space, Policy: p})
}

// did is what became of an author's texts, each a delta of its own.
func (a *author) did(store wiring.Store, space string, ids ...delta.ID) []command.Action {
	a.w.t.Helper()
	var out []command.Action
	for _, id := range ids {
		items := a.outcomes(store, space, id)[id].Items
		if len(items) != 1 {
			a.w.t.Fatalf("outcome %+v", items)
		}
		out = append(out, items[0].Action)
	}
	return out
}

func (a *author) sayAll(space string, texts ...string) (ids []delta.ID) {
	a.w.t.Helper()
	for _, text := range texts {
		ids = append(ids, a.send(space, a.text(text)))
	}
	return ids
}

// sameAsReplayWith fails unless a replay that takes the vectors of a store gives the
// store's digests.
func (w *world) sameAsReplayWith(store wiring.Store, o embed.Options) {
	w.t.Helper()
	for _, batch := range []int{1, 500} {
		clean := w.open(testkit.Postgres(w.t, migrate).URL)
		w.copyVectors(store, clean)
		cfg := w.config()
		cfg.Finders, cfg.Batch = wiring.Similar(clean, o, true), reconcile.BatchLimits{Messages: batch}
		w.must((reconcile.Replay{Config: cfg}).Run(w.t.Context(), w.log, clean))
		want, got := w.digests(store), w.digests(clean)
		for space := range want {
			if want[space] != got[space] {
				w.t.Errorf("space %s: digest %x, a replay in batches of %d gives %x", space, want[space], batch, got[space])
			}
		}
	}
}

// Each text joins under the model in force at its place in the log: none, the
// built-in one, an endpoint's, the built-in one again. What founded items before a
// change is found after it, by the new model's vector and never by the old one's; no
// text is embedded twice; a replay ends at the same digest.
func TestModelChanges(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "facts")
	e := newEndpoint(t)
	e.alike["The database is slow."] = "The db is slow."
	// Were the built-in model's vectors compared with the endpoint's, this would join.
	e.builtIn["The large roof is old."] = "The big roof is old."
	store := w.open(w.pgURL)
	cfg := w.config()
	cfg.Finders = wiring.Similar(store, e.options(), false)
	w.run(cfg, store)
	alice, bob := w.enroll("alice"), w.enroll("bob")

	alice.sayAll("facts", "The big house is old.", "The big tower is old.")
	exact := bob.sayAll("facts", "The large house is old.")
	w.model("facts", static.Name)
	alice.sayAll("facts", "The big garden is old.", "The big roof is old.", "The db is slow.")
	builtIn := bob.sayAll("facts", "The large tower is old.", "The database is up.")
	gone := alice.text("The big shed is old.")
	alice.send("facts", gone)
	w.command(command.KindErase, command.Judgement{Space: "facts", Record: gone.ID, Reason: "asked for"})
	w.settle(store) // a change of the model is known, and embedded for, before what stands before it is merged
	w.model("facts", remoteModel)
	alice.sayAll("facts", "The big cellar is old.")
	remote := bob.sayAll("facts", "The database is slow.", "The large garden is old.", "The large roof is old.")
	w.model("facts", static.Name)
	again := bob.sayAll("facts", "The large cellar is old.", "The large door is old.")
	w.settle(store)

	for _, c := range []struct {
		under string
		ids   []delta.ID
		want  []command.Action
	}{
		{"no model", exact, []command.Action{command.ActionCreated}},
		{"the built-in model", builtIn, []command.Action{command.ActionJoined, command.ActionCreated}},
		{"the endpoint's model", remote, []command.Action{command.ActionJoined, command.ActionCreated, command.ActionCreated}},
		{"the built-in model again", again, []command.Action{command.ActionJoined, command.ActionCreated}},
	} {
		if got := bob.did(store, "facts", c.ids...); !slices.Equal(got, c.want) {
			t.Errorf("under %s: %v, want %v", c.under, got, c.want)
		}
	}
	texts, more := e.texts()
	if more || len(texts) != 11 { // what founded until the second change, and the four after it
		t.Errorf("the endpoint was asked for %d texts, one of them twice: %v\n%s", len(texts), more, strings.Join(texts, "\n"))
	}
	if n := w.count(store, "SELECT count(*) FROM consilience.vector WHERE hash = $1", gone.ContentHash[:]); n != 0 || slices.Contains(texts, string(gone.Content)) {
		t.Errorf("an erased text has %d vectors, or was sent to the endpoint", n)
	}
	w.sameAsReplayWith(store, e.options())

	clean := w.open(testkit.Postgres(t, migrate).URL)
	cfg.Finders = wiring.Similar(clean, e.options(), true)
	if err := (reconcile.Replay{Config: cfg}).Run(t.Context(), w.log, clean); reason.Of(err) != reason.PartitionHalted && reason.Of(err) != reason.NotFound {
		t.Errorf("a replay without vectors: %v", err)
	}
}

// While a space is embedded under its new model, what does not need that model goes
// on, how far it is shows, and what needs it waits.
func TestEmbeddingBesideTheMerge(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "facts", "places")
	e := newEndpoint(t)
	store := w.open(w.pgURL)
	said := &logs{}
	cfg := w.config()
	cfg.Finders, cfg.Logger = wiring.Similar(store, e.options(), false), slog.New(slog.NewTextHandler(said, nil))
	worker, _ := w.start(cfg, store)
	alice, bob := w.enroll("alice"), w.enroll("bob")
	alice.sayAll("facts", "The first text.", "The second text.")
	w.settle(store)

	release := e.hold()
	defer release()
	w.model("facts", remoteModel)
	testkit.Eventually(t, patience, "founding texts are embedded before an entry needs it", func() bool {
		texts, _ := e.texts()
		return len(texts) == 2 && worker.Metrics().Unembedded()[command.Partition("facts")] == 2
	})
	late := alice.sayAll("facts", "The third text.")[0]
	elsewhere := bob.sayAll("places", "The fourth text.")[0]
	testkit.Eventually(t, patience, "another space goes on", func() bool { return len(bob.outcomes(store, "places", elsewhere)) == 1 })
	if n := len(alice.outcomes(store, "facts", late)); n != 0 {
		t.Error("an entry after the change did not wait for the model")
	}
	health := httptest.NewRecorder()
	worker.HTTP().ServeHTTP(health, httptest.NewRequest(http.MethodGet, "/healthz", nil))
	if want := fmt.Sprintf(`"unembedded":{"%d":2}`, command.Partition("facts")); !strings.Contains(health.Body.String(), want) {
		t.Errorf("health %s, want %s in it", health.Body, want)
	}
	release()
	w.settle(store)
	if got := worker.Metrics().Unembedded(); len(got) != 0 {
		t.Errorf("still to be embedded: %v", got)
	}
	if !strings.Contains(said.String(), "msg=embedded ") || strings.Contains(said.String(), "text.") {
		t.Errorf("the log does not say that it is done, or says what was embedded:\n%s", said)
	}
	w.sameAsReplayWith(store, e.options())
}

// An endpoint that answers wrongly stops the partition with its reason, at the entry
// that needs it; the partition goes on by itself when the endpoint answers rightly.
func TestWrongAnswersStopThePartition(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "facts")
	e := newEndpoint(t)
	e.answerWrongly(true)
	store := w.open(w.pgURL)
	cfg := w.config()
	cfg.Finders, cfg.Recheck = wiring.Similar(store, e.options(), false), 100*time.Millisecond
	w.run(cfg, store)
	alice := w.enroll("alice")
	before := alice.sayAll("facts", "The first text.")[0]
	w.model("facts", remoteModel)
	alice.sayAll("facts", "The second text.")
	testkit.Eventually(t, patience, "the partition stops", func() bool {
		p, err := store.Position(t.Context(), command.Partition("facts"))
		return err == nil && strings.HasPrefix(p.Stopped, string(reason.PartitionHalted)) && strings.Contains(p.Stopped, "255 dimensions, the policy says 256")
	})
	if len(alice.outcomes(store, "facts", before)) != 1 {
		t.Error("what came before the change is not merged")
	}
	e.answerWrongly(false)
	w.settle(store)
	w.sameAsReplayWith(store, e.options())
}

// A worker that is killed while it embeds a space has kept each chunk; who comes
// after it makes the rest, and nothing twice.
func TestKilledWhileEmbedding(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "facts")
	e := newEndpoint(t)
	store := w.open(w.pgURL)
	alice := w.enroll("alice")
	_, stop := w.worker(w.pgURL, "first", &logs{})
	alice.manyTexts("facts", 1300)
	w.settle(store)
	stop()

	w.model("facts", remoteModel)
	alice.sayAll("facts", "A text under the new model.")
	killed := w.embedding("embedded:2", e)
	select {
	case <-killed.Done():
	case <-time.After(patience):
		t.Fatal("it was not killed")
	}
	kept := w.count(store, "SELECT count(*) FROM consilience.vector WHERE model = $1", remoteModel)
	if kept < 1000 || kept >= 1300 {
		t.Errorf("%d vectors were kept before the kill", kept)
	}
	w.embedding("", e)
	w.settle(store)
	if texts, more := e.texts(); more || len(texts) != 1301 {
		t.Errorf("the endpoint was asked for %d texts, one of them twice: %v", len(texts), more)
	}
	w.sameAsReplayWith(store, e.options())
}

// Two workers that share the spaces embed each text once, whichever of them merges
// it, and end where a replay ends.
func TestTwoWorkersChangeModels(t *testing.T) {
	t.Parallel()
	spaces := []string{"facts", "places", "people", "things"}
	w := newWorld(t, spaces...)
	e := newEndpoint(t)
	store := w.open(w.pgURL)
	for _, name := range []string{"one", "two"} {
		own := w.open(w.pgURL)
		cfg := w.config()
		cfg.Name, cfg.Beat, cfg.Finders = name, 200*time.Millisecond, wiring.Similar(own, e.options(), false)
		w.run(cfg, own)
	}
	testkit.Eventually(t, patience, "two workers share the partitions", func() bool {
		return w.count(store, "SELECT count(DISTINCT owner) FROM consilience.position WHERE owner <> ''") == 2 &&
			w.count(store, "SELECT count(*) FROM consilience.position WHERE owner = ''") == 0
	})
	alice := w.enroll("alice")
	for _, space := range spaces {
		alice.manyTexts(space, 200)
	}
	for _, space := range spaces {
		w.model(space, remoteModel)
		alice.manyTexts(space, 100) // again: they join what they founded
		alice.sayAll(space, "New in "+space+".")
	}
	w.settle(store)
	if texts, more := e.texts(); more || len(texts) != 4*201 {
		t.Errorf("the endpoint was asked for %d texts, one of them twice: %v", len(texts), more)
	}
	w.sameAsReplayWith(store, e.options())
}

// A split founds an item by its own text: others in other words meet on it.
func TestSplitItemIsFound(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "facts")
	w.model("facts", static.Name)
	store := w.open(w.pgURL)
	cfg := w.config()
	cfg.Finders = wiring.Similar(store, embed.Options{}, false)
	w.run(cfg, store)
	alice, bob := w.enroll("alice"), w.enroll("bob")
	first, split := alice.text("The big house is old."), bob.text("The large house is old.")
	alice.send("facts", first)
	bob.send("facts", split)
	w.command(command.KindSplit, command.Judgement{Space: "facts", Record: split.ID, Reason: "another house"})
	same := bob.sayAll("facts", "The large house is old")[0]
	w.settle(store)
	o := bob.outcomes(store, "facts", same)[same]
	if len(o.Items) != 1 || o.Items[0].Action != command.ActionJoined || o.Items[0].ItemID != record.ItemID(split.ID) {
		t.Errorf("outcome %+v, want joined to %x", o.Items, split.ID)
	}
	w.sameAsReplayWith(store, embed.Options{})
}
