package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"consilience/command"
)

const (
	bigContributor = 200_000 // items of the contributor that is quarantined
	descendants    = 50
)

// quarantine measures the containment of a large contributor, and how long readers
// wait meanwhile.
func (w *world) quarantine(ctx context.Context, _ config) error {
	first := w.fleet[0]
	reading, stop := context.WithCancel(ctx)
	slowest := make(chan []time.Duration, 1)
	go func() { slowest <- w.read(reading, first.space) }()
	began := time.Now()
	q := command.Quarantine{Contributor: first.key.Public().ID(), Reason: "measured"}
	seq, err := w.operatorFact(ctx, command.KindQuarantine, q)
	if err == nil {
		err = w.reached(ctx, seq, first.space)
	}
	took := time.Since(began)
	stop()
	reads := <-slowest
	if err != nil {
		return err
	}
	var masked int
	if err := w.pool.QueryRow(ctx, "SELECT count(*) FROM consilience.item WHERE status = 1").Scan(&masked); err != nil {
		return err
	}
	slices.Sort(reads)
	fmt.Printf("quarantine of %s, %d descendants, %d items: %v (wanted: under 10s); %d reads meanwhile, p50 %v, slowest %v\n",
		first.name, descendants, masked, took.Round(time.Millisecond), len(reads), quantile(reads, 0.5), quantile(reads, 1))
	return nil
}

// read reads items of a space, a hundred times a second at most, until ctx ends.
func (w *world) read(ctx context.Context, space string) (took []time.Duration) {
	for ctx.Err() == nil {
		began := time.Now()
		rows, err := w.pool.Query(ctx, "SELECT item_id, confidence FROM memory.items WHERE space = $1 AND item_id > 'item:' ORDER BY item_id LIMIT 20", space)
		if err != nil {
			break
		}
		rows.Close()
		if rows.Err() == nil {
			took = append(took, time.Since(began))
		}
		select {
		case <-ctx.Done():
		case <-time.After(10 * time.Millisecond):
		}
	}
	return took
}
