// Command bench measures what Consilience promises, on real servers that it starts
// itself: NATS in this process, a private Postgres, two `reconciler serve`.
//
// Each figure is a ratio to a floor measured in the same run, or states its
// absolute value beside the machine it was taken on. The tour: world.go is the
// store under test, fleet.go the contributors and their deltas, then one file per
// figure: throughput.go and floor.go, latency.go, verify.go, recall.go, quarantine.go; text.go
// measures texts that join by similarity, similar.go recalls by similar text, truth.go
// compares beliefs with the truth.
//
//	go run ./bench                 # all figures, about ten minutes
//	go run ./bench -items 100000   # the same on a smaller store
//	go run ./bench -recall         # the recalls alone
//	go run ./bench -text DIR -items 100000 -sample 10000   # texts alone, of the sentences in DIR
//	go run ./bench -similar DIR    # recalls by similar text alone, from a store of the sentences in DIR
//	go run ./bench -claims DIR     # what is believed of real claims, beside the truth
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"time"
)

// config is how large the run is.
type config struct {
	items   int           // in the store when it is full
	sample  int           // new items for the throughput figure
	batch   int           // claims in a delta
	steady  time.Duration // how long the latency load runs
	recall  bool          // nothing but recalls is measured
	text    string        // folder with sentences; then nothing but texts is measured
	similar string        // folder with sentences; then nothing but recalls by similar text is measured
	claims  string        // folder with sets of claims; then nothing else is measured
}

func main() {
	var cfg config
	flag.IntVar(&cfg.items, "items", 1_000_000, "items in the full store")
	flag.IntVar(&cfg.sample, "sample", 200_000, "new items for the throughput figure")
	flag.IntVar(&cfg.batch, "batch", 50, "claims in a delta")
	flag.DurationVar(&cfg.steady, "steady", 20*time.Second, "how long the latency load runs")
	flag.BoolVar(&cfg.recall, "recall", false, "measure recalls from the full store, and nothing else")
	flag.StringVar(&cfg.text, "text", "", "folder with files of labelled pairs of sentences: measure new texts of their words, and nothing else")
	flag.StringVar(&cfg.similar, "similar", "", "folder with files of labelled pairs of sentences: measure recalls by similar text from a store of their words, and nothing else")
	flag.StringVar(&cfg.claims, "claims", "", "folder with sets of claims: measure what is believed of them, and nothing else")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, cfg); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, cfg config) error {
	fmt.Printf("%d processors, %s, %s/%s\n", runtime.NumCPU(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	w, err := newWorld(ctx)
	if err != nil {
		return err
	}
	defer w.close()
	if cfg.claims != "" {
		return w.truth(ctx, cfg.claims)
	}
	if cfg.text != "" {
		return w.texts(ctx, cfg)
	}
	if cfg.similar != "" {
		return w.similar(ctx, cfg)
	}
	if cfg.recall {
		return w.recallAlone(ctx, cfg)
	}
	rate, err := w.throughput(ctx, cfg)
	if err != nil {
		return err
	}
	for _, measure := range []func(context.Context, config) error{
		func(ctx context.Context, cfg config) error { return w.floor(ctx, cfg, rate) },
		func(ctx context.Context, cfg config) error { return w.latency(ctx, cfg, rate) },
		w.fill, w.verify, w.recall, w.quarantine, w.takeover,
	} {
		if err := measure(ctx, cfg); err != nil {
			return err
		}
	}
	return nil
}
