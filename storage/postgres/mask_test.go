package postgres

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"consilience/record"
)

// quarantinedItems are the items that readers are told are quarantined.
const quarantinedItems = `SELECT content, confidence = 0 AS none FROM memory.items WHERE status = 'quarantined' ORDER BY item_id`

// pending stores the facts of the world, of which the space has merged only the
// first n entries of the log, and returns what readers are told before and after it
// merges the others.
func (w *world) pending(n int, sql string) (before, after []string) {
	w.t.Helper()
	s, db := openStore(w.t)
	backlog := *w
	backlog.log = w.log[:n]
	backlog.fill(s, 1000)
	before = ask(w.t, db, sql)
	w.fill(s, 1000)
	return before, ask(w.t, db, sql)
}

// The mask that readers see before a backlog is merged is the one that the merge
// will set (docs/merge.md "Quarantine", rulings Q5, Q7): an echo is no support that
// hides an item, and one that --all takes; and where only the newest words of a
// contributor are masked, the one below them stands again.
func TestPendingMaskIsTheMergesMask(t *testing.T) {
	for name, c := range map[string]struct {
		say  func(w *world)
		want []string // contents of quarantined items
	}{
		"an echo hides nothing": {func(w *world) {
			r := w.by("ann").says("the gate is shut", 900_000).send()[0]
			w.served("bob", r.Is())
			w.by("bob").says("the gate is shut", 900_000).send()
			w.quarantine("bob", 0, false)
		}, nil},
		"an echo is taken by the letter": {func(w *world) {
			r := w.by("ann").says("the gate is shut", 900_000).send()[0]
			w.served("bob", r.Is())
			w.by("bob").says("the gate is shut", 900_000).send()
			w.quarantine("bob", 0, true)
		}, []string{"content=the gate is shut none=true"}},
		"a withdrawn word is taken by the letter": {func(w *world) {
			r := w.by("bob").says("the gate is shut", 900_000).send()[0]
			w.by("ann").says("the gate is shut", 900_000).send()
			w.by("bob").from().absent(record.ItemID(r.ID), 500_000).send()
			w.quarantine("bob", 0, true)
		}, []string{"content=the gate is shut none=true"}},
		"an older word stands again": {func(w *world) {
			w.by("bob").says("the gate is shut", 900_000).send()
			w.by("bob").says("the gate is shut", 300_000).send()
			w.quarantine("bob", w.seq, false)
		}, nil},
		"a clean doubt carries nothing": {func(w *world) {
			r := w.by("bob").says("the gate is shut", 900_000).send()[0]
			w.by("ann").says("the gate is shut", 900_000).send()
			w.by("ann").from().absent(record.ItemID(r.ID), 500_000).send()
			w.quarantine("bob", 0, false)
		}, []string{"content=the gate is shut none=true"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.enroll("ann")
			w.enroll("bob")
			c.say(w)
			before, after := w.pending(len(w.log)-1, quarantinedItems)
			if !slices.Equal(before, c.want) || !slices.Equal(after, c.want) {
				t.Errorf("pending %q, merged %q, want %q", before, after, c.want)
			}
		})
	}
}

// The same over random histories.
func TestPendingMaskOfHistories(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 9))
			w := newWorld(t)
			w.randomly(r, 120)
			for _, name := range []string{"ann", "bob", "cyd", "dan", "ann-2", "ann-3", "dan-2"} {
				w.release(name) // a quarantine that replaces one may unmask, which shows at the merge
			}
			n := len(w.log)
			w.quarantine([]string{"ann", "bob", "dan", "ann-2"}[r.IntN(4)], r.Uint64N(w.seq/2), seed%2 == 0)
			before, after := w.pending(n, quarantinedItems)
			if len(after) == 0 || !slices.Equal(before, after) {
				t.Errorf("pending %d items, merged %d", len(before), len(after))
			}
		})
	}
}
