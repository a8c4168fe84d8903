package main

import (
	"context"
	"fmt"
	"os"
	"time"
)

// throughput measures new items through the whole system: publish to committed.
func (w *world) throughput(ctx context.Context, cfg config) (rate float64, err error) {
	if err := w.assemble(ctx); err != nil {
		return 0, err
	}
	if _, err := w.load(ctx, cfg, w.fleet, cfg.sample/20); err != nil { // warm: plans, pages, pools
		return 0, err
	}
	before := w.spent()
	rate, err = w.load(ctx, cfg, w.fleet, cfg.sample)
	if err != nil {
		return 0, err
	}
	fmt.Printf("new items, publish to committed, deltas of %d claims, %d workers: %.0f items/s (wanted: 5,000)\n", cfg.batch, workers, rate)
	fmt.Printf("  %s\n", w.spent().since(before))
	return rate, nil
}

// load publishes count new items and returns how many a second were committed.
func (w *world) load(ctx context.Context, cfg config, who []*speaker, count int) (float64, error) {
	msgs, err := w.sealed(who, count, cfg.batch)
	if err != nil {
		return 0, err
	}
	began := time.Now()
	last, err := w.publish(ctx, msgs)
	if err != nil {
		return 0, err
	}
	if os.Getenv("BENCH_TRACE") != "" {
		fmt.Printf("  published in %v\n", time.Since(began))
	}
	// A partition stands at its own last entry, which may be before the log's.
	if err := w.settled(ctx, who, last); err != nil {
		return 0, err
	}
	return float64(len(msgs)*cfg.batch) / time.Since(began).Seconds(), nil
}

// settled waits until each speaker's last delta is merged.
func (w *world) settled(ctx context.Context, who []*speaker, _ uint64) error {
	for _, s := range who {
		for {
			var merged bool
			err := w.pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM consilience.applied_delta d
				JOIN consilience.contributor c USING (contributor) JOIN consilience.space p USING (space)
				WHERE p.name = $1 AND c.name = $2 AND d.sequence = $3)`, s.space, s.name, int64(s.seq)).Scan(&merged)
			if err != nil {
				return err
			}
			if merged || s.seq == 0 {
				break
			}
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(5 * time.Millisecond):
			}
		}
	}
	return nil
}

// fill brings the store to its full size, with one contributor of 200,000 items
// and 50 descendants among them, and reports the memory of the workers.
func (w *world) fill(ctx context.Context, cfg config) error {
	var have int
	if err := w.pool.QueryRow(ctx, "SELECT count(*) FROM consilience.item").Scan(&have); err != nil {
		return err
	}
	first := w.fleet[0]
	var family []*speaker
	for n := range descendants {
		c, err := w.child(ctx, first, fmt.Sprintf("child-%d", n))
		if err != nil {
			return err
		}
		family = append(family, c)
	}
	if _, err := w.load(ctx, cfg, family, descendants*cfg.batch); err != nil {
		return err
	}
	own := min(bigContributor, cfg.items/4) - first.said
	if _, err := w.load(ctx, cfg, []*speaker{first}, own); err != nil {
		return err
	}
	have += own + descendants*cfg.batch
	const step = 100_000
	for rest := cfg.items - have; rest > 0; rest -= step {
		if _, err := w.load(ctx, cfg, w.fleet[1:], min(rest, step)); err != nil {
			return err
		}
	}
	fmt.Printf("memory of a worker, peak resident set at %d items: %d MB (wanted: under 300)\n", cfg.items, w.peak()>>20)
	return nil
}
