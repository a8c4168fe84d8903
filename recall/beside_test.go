package recall_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"consilience/cluster/embed"
	"consilience/cluster/embed/static"
	"consilience/command"
	"consilience/fleet"
	"consilience/internal/wiring"
	"consilience/recall"
)

// gated is a store whose embeddings of one space are read when they may be.
type gated struct {
	wiring.RecallStore
	space int32
	begun chan struct{} // one for each reading of the space
	pass  chan struct{}

	mu    sync.Mutex
	after []int64
}

func (g *gated) Embedded(ctx context.Context, space int32, model string, after int64, limit int) ([]recall.Embedded, error) {
	if space == g.space {
		g.mu.Lock()
		g.after = append(g.after, after)
		g.mu.Unlock()
		g.begun <- struct{}{}
		select {
		case <-g.pass:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return g.RecallStore.Embedded(ctx, space, model, after, limit)
}

// P-72: what is read for a recall that ends before is read on, once, and holds up no
// other space; the next recall finds it in memory.
func TestVectorsAreReadBesideTheRecalls(t *testing.T) {
	w := newWorld(t)
	w.policy(embedding)
	alice := w.enroll("alice")
	alice.say("the pump runs", "a dog barks")
	w.settle()
	of := fleet.Space{Num: 1, Name: space, Policy: command.DefaultPolicy()}
	of.Policy.Embedder = static.Name
	other := of
	other.Num = 2
	store := &gated{RecallStore: wiring.RecallStore{Store: w.store}, space: 1, begun: make(chan struct{}, 8), pass: make(chan struct{})}
	s := wiring.NewSimilarity(store.RecallStore, wiring.Similar(wiring.Store{Store: w.store}, embed.Options{}, false))
	s.Store = store
	t.Cleanup(s.Close)

	ctx, giveUp := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := found(s.Search(ctx, of, "a dog barks", 1))
		ended <- err
	}()
	<-store.begun
	giveUp()
	if err := <-ended; err != context.Canceled {
		t.Errorf("who gave up: %v", err)
	}
	if all, err := found(s.Search(t.Context(), other, "a dog barks", 1)); err != nil || len(all) != 0 {
		t.Errorf("another space: %v %v", all, err)
	}
	close(store.pass)
	all, err := found(s.Search(t.Context(), of, "a dog barks", 1))
	w.must(err)
	if got := w.texts(all); !slices.Equal(got, []string{"a dog barks"}) {
		t.Errorf("%q", got)
	}
	if len(store.after) != 2 || store.after[0] != 0 || store.after[1] == 0 {
		t.Errorf("read after %v: from the beginning again", store.after)
	}
}

// A reading that takes long ends with the service.
func TestCloseEndsReading(t *testing.T) {
	w := newWorld(t)
	of := fleet.Space{Num: 1, Name: space, Policy: command.DefaultPolicy()}
	of.Policy.Embedder = static.Name
	store := &gated{RecallStore: wiring.RecallStore{Store: w.store}, space: 1, begun: make(chan struct{}, 8), pass: make(chan struct{})}
	s := wiring.NewSimilarity(store.RecallStore, wiring.Similar(wiring.Store{Store: w.store}, embed.Options{}, false))
	s.Store = store
	ended := make(chan error)
	go func() {
		_, err := found(s.Search(t.Context(), of, "a dog barks", 1))
		ended <- err
	}()
	<-store.begun
	s.Close()
	if err := <-ended; err == nil {
		t.Error("a search among vectors that were not read")
	}
}
