package reconcile_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"consilience/cluster"
	"consilience/cluster/embed"
	"consilience/cluster/embed/static"
	"consilience/cluster/near"
	"consilience/cluster/vector"
	"consilience/command"
	"consilience/delta"
	"consilience/internal/testkit"
	"consilience/internal/wiring"
	"consilience/reason"
	"consilience/reconcile"
	"consilience/record"
)

// words is a model that knows which words a text has, and not in which order.
type words struct{ fixed bool }

func (words) Model() string { return "words" }
func (words) Dims() int     { return 64 }
func (w words) Fixed() bool { return w.fixed }

func (words) Embed(_ context.Context, texts []string) ([]vector.Vector, error) {
	var out []vector.Vector
	for _, text := range texts {
		v := make(vector.Vector, 64)
		for word := range strings.FieldsSeq(text) {
			h := fnv.New32a()
			h.Write([]byte(word))
			v[h.Sum32()%64] += 10
		}
		out = append(out, v)
	}
	return out, nil
}

// plain is an index that looks at every text, and lets every similar one join.
type plain struct {
	threshold int32
	items     []record.ItemID
	vectors   []vector.Vector
	mark      int
}

func (p *plain) Add(item record.ItemID, _ string, v vector.Vector) {
	p.items, p.vectors = append(p.items, item), append(p.vectors, v)
}
func (p *plain) Prepare([]near.Text) {}
func (p *plain) Ahead([]near.Text)   {}

func (p *plain) Size() int { return len(p.items) }

func (p *plain) Mark() { p.mark = len(p.items) }
func (p *plain) Rollback() {
	p.items, p.vectors = p.items[:p.mark], p.vectors[:p.mark]
}

func (p *plain) Similar(_ string, v vector.Vector) []cluster.Candidate {
	var out []cluster.Candidate
	for i, other := range p.vectors {
		if s := vector.Similarity(vector.Dot(v, other), v.Norm2(), other.Norm2()); s >= p.threshold {
			out = append(out, cluster.Candidate{Item: p.items[i], Similarity: s, Verdict: cluster.Join})
		}
	}
	slices.SortFunc(out, func(a, b cluster.Candidate) int {
		if a.Similarity != b.Similarity {
			return int(b.Similarity - a.Similarity)
		}
		return slices.Compare(a.Item[:], b.Item[:])
	})
	return out
}

// similar is rule 3 by words.
func similar(store wiring.Store, fixed, replaying bool) *reconcile.Similar {
	return &reconcile.Similar{
		Store: store, Replaying: replaying,
		Open:     func(string) (embed.Embedder, error) { return words{fixed}, nil },
		NewIndex: func(threshold int32, _ int) reconcile.Index { return &plain{threshold: threshold} },
	}
}

// newWordy is a world with a space where texts of the same words are one item.
func newWordy(t *testing.T) (*world, command.Policy) {
	t.Helper()
	w := newWorld(t)
	p := command.DefaultPolicy()
	p.Embedder = "words"
	w.spaces = []string{"facts"}
	w.command(command.KindSpace, command.Space{Name: "facts", Policy: p})
	return w, p
}

// runWordy runs a worker with rule 3 by words on the world's store.
func (w *world) runWordy(pgURL, name string) (stop func()) {
	w.t.Helper()
	store := w.open(pgURL)
	cfg := w.config()
	cfg.Name, cfg.Finders = name, similar(store, true, false)
	return w.run(cfg, store)
}

// Texts that are similar enough join, whoever merges them and however the log is
// cut into batches; a replay finds the same.
func TestSimilarTextsJoin(t *testing.T) {
	t.Parallel()
	w, p := newWordy(t)
	store := w.open(w.pgURL)
	authors := []*author{w.enroll("alice"), w.enroll("bob")}
	say := func(n int) {
		w.together(func() {
			for i := range n {
				a := authors[i%2]
				text := fmt.Sprintf("w%d x%d y%d", i%17, i%3, i%5)
				if i%4 == 1 {
					text = fmt.Sprintf("y%d w%d x%d", i%5, i%17, i%3)
				}
				a.send("facts", a.text(text))
			}
		})
		w.settle(store)
	}
	stop := w.runWordy(w.pgURL, "one")
	say(60)
	stop()
	stop = w.runWordy(w.pgURL, "two")
	say(60)
	first := authors[0].text("w0 x0 y0")
	w.command(command.KindSplit, command.Judgement{Space: "facts", Record: first.ID, Reason: "its own"})
	say(60)
	p.Threshold = 600_000
	w.command(command.KindPolicy, command.PolicyChange{Space: "facts", Policy: p})
	say(90)
	stop()

	items := w.count(store, "SELECT count(*) FROM consilience.item")
	contents := w.count(store, "SELECT count(*) FROM consilience.content")
	if items >= contents {
		t.Errorf("%d items of %d contents: nothing joined", items, contents)
	}
	for _, batch := range []int{1, 7, 500} {
		clean := w.open(testkit.Postgres(t, migrate).URL)
		cfg := w.config()
		cfg.Finders, cfg.Batch = similar(clean, true, true), reconcile.BatchLimits{Messages: batch}
		w.must((reconcile.Replay{Config: cfg}).Run(t.Context(), w.log, clean))
		if got, want := w.digests(clean), w.digests(store); got["facts"] != want["facts"] {
			t.Errorf("a replay in batches of %d: digest %x, want %x", batch, got["facts"], want["facts"])
		}
	}
}

// What a process indexed before another one merged the partition for a while counts
// no more: the other may have split items and erased the texts of some.
func TestIndexIsForgottenWithThePartition(t *testing.T) {
	t.Parallel()
	w, _ := newWordy(t)
	store := w.open(w.pgURL)
	alice, bob := w.enroll("alice"), w.enroll("bob")
	kept := similar(store, true, false)
	run := func(finders *reconcile.Similar, tell func()) {
		t.Helper()
		cfg := w.config()
		cfg.Finders = finders
		stop := w.run(cfg, store)
		tell()
		w.settle(store)
		stop()
	}
	founding, joined := alice.text("a b c"), bob.text("c b a")
	run(kept, func() { alice.send("facts", founding); bob.send("facts", joined) })
	run(similar(store, true, false), func() {
		w.command(command.KindSplit, command.Judgement{Space: "facts", Record: joined.ID, Reason: "its own"})
		w.command(command.KindErase, command.Judgement{Space: "facts", Record: founding.ID, Reason: "asked for"})
	})
	run(kept, func() { alice.send("facts", alice.text("b a c")); bob.send("facts", bob.text("b c a")) })

	clean := w.open(testkit.Postgres(t, migrate).URL)
	cfg := w.config()
	cfg.Finders = similar(clean, true, true)
	w.must(reconcile.Replay{Config: cfg}.Run(t.Context(), w.log, clean))
	if got, want := w.digests(store), w.digests(clean); got["facts"] != want["facts"] {
		t.Errorf("digest %x, a replay's %x", got["facts"], want["facts"])
	}
}

// What an index held before its space joined by content alone counts no more when the
// model is in force again: a text may have been erased meanwhile, by the last entry of
// a transaction that brought others.
func TestIndexIsForgottenWithoutAModel(t *testing.T) {
	t.Parallel()
	w, p := newWordy(t)
	store := w.open(w.pgURL)
	alice, bob := w.enroll("alice"), w.enroll("bob")
	w.runWordy(w.pgURL, "one")
	model := func(name string) {
		p.Embedder = name
		w.command(command.KindPolicy, command.PolicyChange{Space: "facts", Policy: p})
	}
	founding := alice.text("a b c")
	alice.send("facts", founding)
	model(embed.None)
	w.settle(store)
	w.together(func() {
		bob.send("facts", bob.text("d e f"))
		w.command(command.KindErase, command.Judgement{Space: "facts", Record: founding.ID, Reason: "asked for"})
	})
	model("words")
	again := bob.sayAll("facts", "c b a")
	w.settle(store)
	if got := bob.did(store, "facts", again...); got[0] != command.ActionCreated {
		t.Errorf("what is like an erased text was %s", got[0])
	}
	clean := w.open(testkit.Postgres(t, migrate).URL)
	cfg := w.config()
	cfg.Finders = similar(clean, true, true)
	w.must(reconcile.Replay{Config: cfg}.Run(t.Context(), w.log, clean))
	if got, want := w.digests(store), w.digests(clean); got["facts"] != want["facts"] {
		t.Errorf("digest %x, a replay's %x", got["facts"], want["facts"])
	}
}

// A model that gives other vectors elsewhere is not asked again in a replay: the
// vectors that were committed are taken, and without them the replay refuses.
func TestReplayTakesCommittedVectors(t *testing.T) {
	t.Parallel()
	w, _ := newWordy(t)
	store := w.open(w.pgURL)
	alice := w.enroll("alice")
	cfg := w.config()
	cfg.Finders = similar(store, false, false)
	stop := w.run(cfg, store)
	var ids []delta.ID
	for _, text := range []string{"a b c", "c b a", "d e f"} {
		ids = append(ids, alice.send("facts", alice.text(text)))
	}
	w.settle(store)
	stop()
	if o := alice.outcomes(store, "facts", ids...)[ids[1]]; len(o.Items) != 1 || o.Items[0].Action != command.ActionJoined {
		t.Errorf("the same words: %+v", o)
	}

	clean := w.open(testkit.Postgres(t, migrate).URL)
	cfg.Finders = similar(clean, false, true)
	if err := (reconcile.Replay{Config: cfg}).Run(t.Context(), w.log, clean); reason.Of(err) != reason.NotFound && reason.Of(err) != reason.PartitionHalted {
		t.Errorf("a replay without vectors: %v", err)
	}
	kept := w.open(testkit.Postgres(t, migrate).URL)
	cfg.Finders = similar(kept, false, true)
	w.copyVectors(store, kept)
	w.must((reconcile.Replay{Config: cfg}).Run(t.Context(), w.log, kept))
	if got, want := w.digests(kept), w.digests(store); got["facts"] != want["facts"] {
		t.Errorf("a replay with the vectors: digest %x, want %x", got["facts"], want["facts"])
	}
}

// copyVectors copies the vectors of all spaces and models.
func (w *world) copyVectors(from, to wiring.Store) {
	w.t.Helper()
	rows, err := from.Pool().Query(w.t.Context(), "SELECT space, model, hash, vector FROM consilience.vector")
	w.must(err)
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) ([]any, error) { return row.Values() })
	w.must(err)
	_, err = to.Pool().CopyFrom(w.t.Context(), pgx.Identifier{"consilience", "vector"}, []string{"space", "model", "hash", "vector"}, pgx.CopyFromRows(all))
	w.must(err)
}

// The built-in model and its gate: a text in other words joins, one that differs in
// polarity does not.
func TestBuiltInModel(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := command.DefaultPolicy()
	p.Embedder, p.Threshold = static.Name, 800_000
	w.spaces = []string{"facts"}
	w.command(command.KindSpace, command.Space{Name: "facts", Policy: p})
	store := w.open(w.pgURL)
	cfg := w.config()
	cfg.Finders = wiring.Similar(store, embed.Options{}, false)
	w.run(cfg, store)
	alice, bob := w.enroll("alice"), w.enroll("bob")
	alice.send("facts", alice.text("The gateway restarts every night at two."))
	same := bob.send("facts", bob.text("Every night at two the gateway restarts."))
	other := bob.send("facts", bob.text("The gateway never restarts at two at night."))
	w.settle(store)
	got := bob.outcomes(store, "facts", same, other)
	if a := got[other].Items[0].Action; a != command.ActionCreated {
		t.Errorf("the opposite was %s", a)
	}
	t.Logf("the same in another order was %s", got[same].Items[0].Action)

	clean := w.open(testkit.Postgres(t, migrate).URL)
	cfg.Finders = wiring.Similar(clean, embed.Options{}, true)
	w.must(reconcile.Replay{Config: cfg}.Run(t.Context(), w.log, clean))
	if got, want := w.digests(clean), w.digests(store); got["facts"] != want["facts"] {
		t.Errorf("a replay: digest %x, want %x", got["facts"], want["facts"])
	}
}
