package reconcile

import (
	"context"
	"log/slog"
	"runtime"
	"slices"
	"sync"
	"time"

	"consilience/identity"
	"consilience/reason"
)

// Config is what a worker is told. Only StoreID and Key have no default.
type Config struct {
	// StoreID is the hash of the genesis, the one trust root.
	StoreID [32]byte
	// Key is a service key of the store; outcomes and replies are signed with it.
	Key identity.PrivateKey
	// Name tells the workers of a store apart. No two processes may share it.
	// Defaults to host, process id and a random part.
	Name string
	// Batch bounds one transaction. Defaults to 512 messages and 256 KiB.
	Batch BatchLimits
	// Beat is how often the worker says that it lives. Defaults to 500 ms; the store
	// holds it for dead after 3 s without, so that another takes over within 4 s.
	Beat time.Duration
	// Recheck is how often a stopped partition looks again. Defaults to 5 s.
	Recheck time.Duration
	// Finders is rule 3 of joining. Defaults to exact joining only.
	Finders Finders
	// Clock times requests and outages. Defaults to the clock of the machine.
	Clock Clock
	// Logger gets what an operator should see. Defaults to slog.Default().
	Logger *slog.Logger
}

// withDefaults fills in what was left out.
func (c Config) withDefaults() Config {
	if c.Name == "" {
		c.Name = processName()
	}
	if c.Batch.Messages <= 0 {
		c.Batch.Messages = 512
	}
	if c.Batch.Bytes <= 0 {
		c.Batch.Bytes = 256 << 10
	}
	for _, d := range []struct {
		field *time.Duration
		value time.Duration
	}{{&c.Beat, 500 * time.Millisecond}, {&c.Recheck, 5 * time.Second}} {
		if *d.field <= 0 {
			*d.field = d.value
		}
	}
	if c.Finders == nil {
		c.Finders = exactOnly{}
	}
	if c.Clock == nil {
		c.Clock = SystemClock{}
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	return c
}

// Worker merges its share of the partitions. Any number of them work against one
// log and one store.
type Worker struct {
	cfg      Config
	log      Log
	store    Store
	fleet    *Fleet
	opener   Opener
	outcomes *publisher
	metrics  *Metrics
	outages  *outages
	logger   *slog.Logger
	gate     chan struct{} // bounds the transactions that run at once, and so memory

	mu      sync.Mutex
	running map[int]*reading
}

// reading is a partition that this worker reads.
type reading struct {
	cancel context.CancelFunc
	done   chan struct{}
}

// NewWorker returns a worker that does nothing until [Worker.Run]. The fleet is
// loaded from store.
func NewWorker(ctx context.Context, cfg Config, log Log, store Store, announcer Announcer) (*Worker, error) {
	cfg = cfg.withDefaults()
	f, err := LoadFleet(ctx, cfg.StoreID, store)
	if err != nil {
		return nil, err
	}
	w := &Worker{
		cfg: cfg, log: log, store: store, fleet: f, opener: NewOpener(cfg.StoreID, f), metrics: NewMetrics(),
		logger:  cfg.Logger.With("worker", cfg.Name),
		gate:    make(chan struct{}, runtime.GOMAXPROCS(0)),
		running: map[int]*reading{},
		outages: newOutages(cfg.Clock),
	}
	w.outcomes = newPublisher(w, announcer)
	return w, nil
}

// Fleet is the fold that the worker keeps up to date while it runs.
func (w *Worker) Fleet() *Fleet { return w.fleet }

// Metrics counts what the worker does.
func (w *Worker) Metrics() *Metrics { return w.metrics }

// Run merges until ctx ends, then gives its partitions back. It returns an error
// only where running is no use: reason.StreamForeign for the log of another store.
func (w *Worker) Run(ctx context.Context) error {
	if err := w.checkRoot(ctx); err != nil {
		return err
	}
	var wg sync.WaitGroup
	wg.Go(func() { w.followFleet(ctx) })
	wg.Go(func() { w.outcomes.run(ctx) })
	w.own(ctx)
	wg.Wait()
	return nil
}

// checkRoot waits for a log that answers and returns an error if it is another store's.
func (w *Worker) checkRoot(ctx context.Context) error {
	retry := backoff{first: 50 * time.Millisecond, most: 2 * time.Second}
	for {
		_, err := w.fleet.CheckLog(ctx, w.log)
		switch reason.Of(err) {
		case reason.StreamForeign:
			return err
		case reason.LogRestored: // each partition finds it, stops and says so
			return nil
		}
		if err == nil || ctx.Err() != nil {
			return nil
		}
		w.outages.fails(partLog, err)
		w.logger.WarnContext(ctx, "log does not answer", "reason", codeOf(err), "error", err)
		retry.wait(ctx)
	}
}

// own keeps the worker's share of the partitions until ctx ends.
func (w *Worker) own(ctx context.Context) {
	tick := time.NewTicker(w.cfg.Beat)
	defer tick.Stop()
	for ctx.Err() == nil {
		w.outages.tries(partStore)
		err := w.beat(ctx)
		switch {
		case err == nil:
			w.outages.works(partStore)
		case ctx.Err() == nil:
			w.outages.fails(partStore, err)
			w.logger.WarnContext(ctx, "store does not answer", "reason", codeOf(err), "error", err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
	for _, k := range w.Partitions() {
		w.stop(k)
	}
	// A worker that leaves in order spares the others the wait for its silence.
	bye, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if err := w.store.Leave(bye, w.cfg.Name); err != nil {
		w.logger.WarnContext(bye, "left without saying so", "reason", codeOf(err), "error", err)
	}
}

// beat says that the worker lives and evens out who reads what.
func (w *Worker) beat(ctx context.Context) error {
	roster, err := w.store.Beat(ctx, w.cfg.Name)
	if err != nil {
		return err
	}
	p := share(w.cfg.Name, roster, w.Partitions())
	for _, k := range p.lost {
		w.stop(k)
	}
	for _, k := range p.release {
		w.stop(k)
		if err := w.store.Release(ctx, w.cfg.Name, k); err != nil {
			return err
		}
	}
	for _, k := range p.claim {
		mine, err := w.store.Claim(ctx, w.cfg.Name, k)
		if err != nil {
			return err
		}
		if mine {
			w.start(ctx, k)
		}
	}
	return nil
}

// Partitions are those that the worker reads now, sorted.
func (w *Worker) Partitions() []int {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := make([]int, 0, len(w.running))
	for k := range w.running {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

func (w *Worker) start(ctx context.Context, k int) {
	ctx, cancel := context.WithCancel(ctx)
	r := &reading{cancel: cancel, done: make(chan struct{})}
	w.mu.Lock()
	w.running[k] = r
	w.mu.Unlock()
	p := &partition{Worker: w, number: k}
	go func() {
		defer close(r.done)
		p.run(ctx)
	}()
}

// stop ends the reading of partition k and returns when it has ended.
func (w *Worker) stop(k int) {
	w.mu.Lock()
	r := w.running[k]
	delete(w.running, k)
	w.mu.Unlock()
	if r != nil {
		r.cancel()
		<-r.done
	}
}

// followFleet folds facts as they come, also where this worker owns no partition.
func (w *Worker) followFleet(ctx context.Context) {
	retry := backoff{first: 50 * time.Millisecond, most: 2 * time.Second}
	for ctx.Err() == nil {
		err := w.followFleetOnce(ctx, &retry)
		if ctx.Err() == nil {
			w.outages.fails(partLog, err)
			w.logger.WarnContext(ctx, "fleet facts interrupted", "reason", codeOf(err), "error", err)
			retry.wait(ctx)
		}
	}
}

func (w *Worker) followFleetOnce(ctx context.Context, retry *backoff) error {
	if err := w.fleet.Refresh(ctx); err != nil {
		return err
	}
	at, err := w.fleet.CheckLog(ctx, w.log)
	if err != nil {
		return err
	}
	reader, err := w.log.OpenFleet(ctx, at)
	if err != nil {
		return err
	}
	defer reader.Close()
	w.outages.works(partLog)
	for {
		msgs, err := reader.Next(ctx)
		if err != nil {
			return err
		}
		if err := w.fleet.Ingest(ctx, msgs); err != nil {
			return err
		}
		retry.reset()
	}
}
