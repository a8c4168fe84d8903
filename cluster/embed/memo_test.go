package embed_test

import (
	"errors"
	"sync"
	"testing"

	"consilience/cluster/embed"
	"consilience/cluster/embed/static"
)

// A model is opened once, however many ask for it at a time; a failure is not kept.
func TestMemoOpensAModelOnce(t *testing.T) {
	t.Parallel()
	var memo embed.Memo
	away := errors.New("away")
	if e, err := memo.Get("m", func(string) (embed.Embedder, error) { return nil, away }); e != nil || err != away {
		t.Fatalf("%v, %v", e, err)
	}
	if e, err := memo.Get("m", func(string) (embed.Embedder, error) { return nil, nil }); e != nil || err != nil {
		t.Fatalf("none is %v, %v", e, err)
	}
	opened := 0
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			e, err := memo.Get("m", func(string) (embed.Embedder, error) { opened++; return static.New(), nil })
			if e == nil || err != nil {
				t.Errorf("%v, %v", e, err)
			}
		})
	}
	all.Wait()
	if opened != 1 {
		t.Errorf("opened %d times", opened)
	}
}
