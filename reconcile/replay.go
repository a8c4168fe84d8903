package reconcile

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"time"

	"consilience/command"
	"consilience/identity"
	"consilience/merge"
	"consilience/reason"
)

// Rebuilt is a store that a replay can fill.
type Rebuilt interface {
	Store
	// Empty reports whether nothing was ever merged into the store.
	Empty(ctx context.Context) (bool, error)
}

// Replay says how to build a store again from its log.
type Replay struct {
	Config
	// To is the last sequence to merge. Defaults to the newest of the log.
	To uint64
	// Progress is called after each batch with the sequence reached and the last
	// one to come. Defaults to nobody.
	Progress func(at, last uint64)
}

// Run fills store, which MUST be empty, from log: the same opening and the same
// merging as a worker's, so that the digest of every space equals that of any
// store that the log has led to. Outcomes are kept and not published again. Run
// returns reason.AlreadyKnown for a store that is not empty.
func (r Replay) Run(ctx context.Context, log Log, store Rebuilt) error {
	if empty, err := store.Empty(ctx); err != nil || !empty {
		return refuseFull(err)
	}
	w, err := NewWorker(ctx, r.Config, log, store, silent{})
	if err != nil {
		return err
	}
	if _, err := w.fleet.CheckLog(ctx, log); err != nil {
		return err
	}
	last, err := r.last(ctx, log)
	if err != nil || last == 0 {
		return err
	}
	reader, err := log.OpenAll(ctx)
	if err != nil {
		return err
	}
	defer reader.Close()
	return r.follow(ctx, newRebuild(w), reader, last)
}

func refuseFull(err error) error {
	if err != nil {
		return err
	}
	return reason.New(reason.AlreadyKnown, "the database is not empty").Advise("name an empty database; a store is never replayed over another")
}

// last is the newest entry that the replay will be given. The newest number that
// the log gave out may belong to an entry that was erased.
func (r Replay) last(ctx context.Context, log Log) (uint64, error) {
	var newest uint64
	for k := range Partitions {
		n, err := log.Newest(ctx, k)
		if err != nil {
			return 0, err
		}
		newest = max(newest, n)
	}
	if r.To > 0 {
		newest = min(newest, r.To)
	}
	return newest, nil
}

// follow merges what reader gives up to last. Where To falls between two entries,
// the first one above it ends the replay.
func (r Replay) follow(ctx context.Context, b *rebuild, reader Reader, last uint64) error {
	for at := uint64(0); at < last; {
		msgs, err := reader.Next(ctx)
		if err != nil {
			return err
		}
		n := len(msgs)
		for n > 0 && msgs[n-1].Seq > last {
			n--
		}
		if len(msgs) > 0 {
			at = msgs[len(msgs)-1].Seq
		}
		for msgs = msgs[:n]; len(msgs) > 0; msgs = msgs[n:] {
			n = b.cfg.Batch.cut(msgs)
			if err := b.merge(ctx, msgs[:n]); err != nil {
				return err
			}
		}
		if r.Progress != nil {
			r.Progress(min(at, last), last)
		}
	}
	return nil
}

// rebuild is a worker that owns all partitions and reads the whole log at once.
type rebuild struct {
	*Worker
	partitions [Partitions]*partition
	positions  [Partitions]Position
}

func newRebuild(w *Worker) *rebuild {
	b := &rebuild{Worker: w}
	for k := range Partitions {
		b.partitions[k] = &partition{Worker: w, number: k}
		b.positions[k].Partition = k
	}
	return b
}

// merge folds the facts of msgs and merges each partition's share, some at once:
// partitions know nothing of each other.
func (b *rebuild) merge(ctx context.Context, msgs []Message) error {
	if err := b.fleet.Ingest(ctx, msgs); err != nil {
		return err
	}
	entries := b.opener.Open(msgs)
	errs := make([]error, Partitions)
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for k := range Partitions {
		mine := shareOf(k, entries)
		if len(mine) == 0 {
			continue
		}
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			b.positions[k], errs[k] = b.partitions[k].persist(ctx, b.positions[k], mine)
			if errs[k] == nil {
				errs[k] = b.outcomes.publish(ctx, k)
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// shareOf are the entries of partition k: those of its spaces, and every fact.
func shareOf(k int, entries []merge.Entry) []merge.Entry {
	var mine []merge.Entry
	for _, e := range entries {
		if isFleet(e.Subject) || partitionOf(e.Subject) == k {
			mine = append(mine, e)
		}
	}
	return mine
}

// partitionOf is the partition of a published subject mem.space.<space>.…, also
// where the rest of it names nothing that the log knows.
func partitionOf(subject string) int {
	space, _, _ := strings.Cut(strings.TrimPrefix(subject, "mem.space."), ".")
	return command.Partition(space)
}

// silent announces nothing: whoever waits for a replayed outcome has heard it.
type silent struct{}

func (silent) Announce(context.Context, identity.ID, []byte) error { return nil }
func (silent) Flush(context.Context) error                         { return nil }

// attempts is how often a replay tries a batch again that passes.
const attempts = 10

// persist merges entries after pos, trying again what passes. A commit whose
// answer was lost shows in the position.
func (p *partition) persist(ctx context.Context, pos Position, entries []merge.Entry) (Position, error) {
	retry := backoff{first: 20 * time.Millisecond, most: time.Second}
	for try := 1; ; try++ {
		n := together(entries)
		next, err := p.merge(ctx, pos, entries[:n])
		if err == nil && n < len(entries) {
			pos, entries, try = next, entries[n:], 0
			continue
		}
		if err == nil || try == attempts || !p.passes(ctx, err) || ctx.Err() != nil {
			return next, err
		}
		retry.wait(ctx)
		at, err := p.store.Position(ctx, p.number)
		if err != nil {
			continue
		}
		pos = at
		p.cfg.Finders.Forget(p.number)
		for len(entries) > 0 && entries[0].Seq <= pos.Seq {
			entries = entries[1:]
		}
		if len(entries) == 0 {
			return pos, nil
		}
	}
}
