package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"consilience/record"
)

// latency measures publish to visible in memory.items at a tenth of the load.
func (w *world) latency(ctx context.Context, cfg config, rate float64) error {
	perSecond := rate / 10 / float64(cfg.batch)
	tick := time.NewTicker(time.Duration(float64(time.Second) / perSecond))
	defer tick.Stop()
	var mu sync.Mutex
	var seen []time.Duration
	var wg sync.WaitGroup
	failed := make(chan error, 1)
	for n, end := 0, time.Now().Add(cfg.steady); time.Now().Before(end); n++ {
		m, id, err := w.fleet[n%len(w.fleet)].say(w.store, cfg.batch)
		if err != nil {
			return err
		}
		space := w.fleet[n%len(w.fleet)].space
		began := time.Now()
		if _, err := w.bus.Publish(ctx, m.Subject, m.Data); err != nil {
			return err
		}
		wg.Go(func() {
			if err := w.visible(ctx, space, id); err != nil {
				select {
				case failed <- err:
				default:
				}
				return
			}
			mu.Lock()
			defer mu.Unlock()
			seen = append(seen, time.Since(began))
		})
		<-tick.C
	}
	wg.Wait()
	select {
	case err := <-failed:
		return err
	default:
	}
	slices.Sort(seen)
	fmt.Printf("publish to visible in memory.items at %.0f items/s: p50 %v, p99 %v of %d deltas (wanted: p99 under 250ms)\n",
		rate/10, quantile(seen, 0.5), quantile(seen, 0.99), len(seen))
	return nil
}

// visible returns once the view shows the item.
func (w *world) visible(ctx context.Context, space string, id record.ID) error {
	item := record.ItemID(id).String()
	for {
		var found bool
		err := w.pool.QueryRow(ctx, "SELECT EXISTS (SELECT FROM memory.items WHERE space = $1 AND item_id = $2)", space, item).Scan(&found)
		if err != nil || found {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Millisecond):
		}
	}
}

func quantile(sorted []time.Duration, q float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))].Round(100 * time.Microsecond)
}
