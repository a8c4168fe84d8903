package reconcile

import (
	"context"
	"math/rand/v2"
	"time"
)

// backoff spaces retries: doubling from first to most, each anywhere between half
// and the whole of it, so that workers that failed together do not return together.
type backoff struct {
	first, most time.Duration
	next        time.Duration
}

// wait sleeps for the next interval, or until ctx ends.
func (b *backoff) wait(ctx context.Context) {
	b.next = min(max(b.first, 2*b.next), b.most)
	sleep(ctx, b.next/2+rand.N(b.next/2+1))
}

// reset is called after a success.
func (b *backoff) reset() { b.next = 0 }

// sleep returns after d or when ctx ends.
func sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
