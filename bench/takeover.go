package main

import (
	"context"
	"fmt"
	"time"
)

// takeover kills one of the workers and measures until what every contributor says
// after that is merged.
func (w *world) takeover(ctx context.Context, cfg config) error {
	var owned int
	row := w.pool.QueryRow(ctx, "SELECT count(*) FROM consilience.position WHERE owner = 'worker-0'")
	if err := row.Scan(&owned); err != nil {
		return err
	}
	msgs, err := w.sealed(w.fleet, len(w.fleet)*cfg.batch, cfg.batch)
	if err != nil {
		return err
	}
	if err := w.serving[0].Process.Kill(); err != nil {
		return err
	}
	began := time.Now()
	last, err := w.publish(ctx, msgs)
	if err == nil {
		err = w.settled(ctx, w.fleet, last)
	}
	if err != nil {
		return err
	}
	fmt.Printf("takeover of %d partitions after kill -9, until all %d deltas sent since are merged: %v (wanted: under 5s)\n",
		owned, len(msgs), time.Since(began).Round(time.Millisecond))
	return nil
}
