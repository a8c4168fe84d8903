package reconcile

import (
	"context"
	"errors"
	"sync"
	"time"

	"consilience/internal/failpoint"
	"consilience/merge"
	"consilience/reason"
)

// partition reads one partition and merges it, for as long as its worker owns it.
type partition struct {
	*Worker
	number int
	retry  backoff
	halted string // the mark of a stop in the store, "" while the partition goes on
	size   size
	tried  int    // entries of the transaction that was tried last
	merged uint64 // where the last transaction that is known to be committed ended
}

// size is how many entries one transaction takes, 0 for as many as there are. A
// transaction that takes longer than the server lets it would fail for ever; half
// of it may not.
type size int

func (s *size) shrink(tried int) { *s = size(max(1, tried/2)) }

// grow undoes a shrink, slowly.
func (s *size) grow() {
	if *s *= 2; *s > 1024 {
		*s = 0
	}
}

// cut is how many of n entries to take.
func (s size) cut(n int) int {
	if s == 0 {
		return n
	}
	return min(n, int(s))
}

// errMoved says that another worker moved the position while this one read.
var errMoved = errors.New("another worker merged this batch")

// run keeps a session going until ctx ends. Whatever ends one, the next begins by
// reading the position again.
func (p *partition) run(ctx context.Context) {
	p.retry = backoff{first: 10 * time.Millisecond, most: 2 * time.Second}
	var ahead sync.WaitGroup
	ahead.Go(func() { p.embedAhead(ctx) })
	defer p.leave()
	defer ahead.Wait()
	for ctx.Err() == nil {
		err := p.session(ctx)
		if ctx.Err() == nil {
			p.settle(ctx, err)
		}
	}
}

// leave forgets the partition: where it stands is another worker's to say from here.
func (p *partition) leave() {
	p.cfg.Finders.Forget(p.number)
	p.metrics.left(p.number)
	p.outages.works(partName(p.number))
}

// session merges from the position in the store until something fails.
func (p *partition) session(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	pos, err := p.store.Position(ctx, p.number)
	if err != nil {
		return err
	}
	if pos.Seq != p.merged {
		p.cfg.Finders.Forget(p.number)
	}
	// What others stored up to the position has to be known before what lies above it is read.
	if err := p.fleet.Refresh(ctx); err != nil {
		return err
	}
	if err := p.checkLog(ctx, pos); err != nil {
		return err
	}
	if err := p.recovers(ctx, pos); err != nil {
		return err
	}
	reader, err := p.log.Open(ctx, p.number, pos)
	if err != nil {
		return err
	}
	if err := p.goesOn(ctx, pos.Stopped, false); err != nil {
		reader.Close()
		return err
	}
	p.outcomes.wake(p.number)
	ahead := p.prefetch(ctx, reader)
	err = p.follow(ctx, pos, ahead)
	cancel()
	for range ahead { // until the reader is closed
	}
	return err
}

// checkLog compares the log with what the store has seen of it.
func (p *partition) checkLog(ctx context.Context, pos Position) error {
	if err := p.log.Verify(ctx, pos); err != nil {
		return err
	}
	_, err := p.fleet.CheckLog(ctx, p.log)
	return err
}

// opened is a batch that was read and opened, or why there is none.
type opened struct {
	entries []merge.Entry
	err     error
}

// prefetch reads and opens one batch ahead of the one that is being merged. It
// closes the reader, and then the channel, when ctx ends or reading fails.
func (p *partition) prefetch(ctx context.Context, r Reader) <-chan opened {
	ahead := make(chan opened, 1)
	hand := func(o opened) bool {
		select {
		case ahead <- o:
			return true
		case <-ctx.Done():
			return false
		}
	}
	go func() {
		defer close(ahead)
		defer r.Close()
		for ctx.Err() == nil {
			msgs, err := p.read(ctx, r)
			if err != nil {
				hand(opened{err: err})
				return
			}
			for len(msgs) > 0 {
				n := p.cfg.Batch.cut(msgs)
				entries := p.opener.Open(msgs[:n])
				if !hand(opened{entries: entries, err: p.prepare(ctx, entries)}) {
					return
				}
				msgs = msgs[n:]
			}
		}
	}()
	return ahead
}

// prepare makes the vectors of the texts in entries, outside the transaction. Only
// a model that does not answer is an error: what it refuses is narrowed down to the
// entry by the transaction, so that those before it are merged. What panics here does
// so there as well, and stops one partition: nobody guards this goroutine.
func (p *partition) prepare(ctx context.Context, entries []merge.Entry) error {
	defer func() { _ = recover() }()
	for len(entries) > 0 {
		n := untilReshaped(entries) // the policy in force is one for these
		lanes, _ := p.lanes(p.number, entries[:n])
		for _, l := range lanes {
			if err := p.cfg.Finders.Prepare(ctx, l.space, l.entries); err != nil && p.passes(ctx, err) {
				return err
			}
		}
		entries = entries[n:]
	}
	return nil
}

// read reads what is there and folds the facts among it.
func (p *partition) read(ctx context.Context, r Reader) ([]Message, error) {
	msgs, err := r.Next(ctx)
	if err != nil {
		return nil, err
	}
	failpoint.Hit("read")
	return msgs, p.fleet.Ingest(ctx, msgs)
}

// follow merges what prefetch hands over until that fails.
func (p *partition) follow(ctx context.Context, pos Position, ahead <-chan opened) error {
	for b := range ahead {
		if b.err != nil {
			return b.err
		}
		failpoint.Hit("opened")
		for entries := b.entries; len(entries) > 0; entries = entries[p.tried:] {
			p.tried = p.size.cut(together(entries))
			next, err := p.merge(ctx, pos, entries[:p.tried])
			if err != nil {
				return err
			}
			pos = next
			p.retry.reset()
			p.outages.works(partName(p.number))
			p.size.grow()
			if err := p.goesOn(ctx, p.halted, true); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// settle says what ended a session and waits before the next.
func (p *partition) settle(ctx context.Context, err error) {
	switch {
	case err == nil, errors.Is(err, errMoved), reason.Of(err) == reason.PartitionHeld:
		p.logger.DebugContext(ctx, "another worker merges", "partition", p.number, "error", err)
	case p.halts(err):
		p.halt(ctx, err)
		sleep(ctx, p.cfg.Recheck)
		return
	default:
		p.size.shrink(p.tried)
		p.metrics.interruption(err)
		p.outages.fails(partName(p.number), err)
		p.logger.WarnContext(ctx, "merging interrupted", "partition", p.number, "reason", codeOf(err), "error", err)
	}
	p.retry.wait(ctx)
}
