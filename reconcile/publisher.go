package reconcile

import (
	"context"
	"sync"
	"time"

	"consilience/identity"
	"consilience/internal/failpoint"
)

// outcomeChunk is how many outcomes are published between two marks.
const outcomeChunk = 512

// publisher publishes outcomes from their table, after the commit that wrote
// them. A crash in between leaves them unmarked, and whoever reads the partition
// next publishes them, perhaps for the second time: an outcome names its delta,
// so hearing it twice is hearing it once.
type publisher struct {
	*Worker
	announcer Announcer
	awake     chan struct{}

	mu  sync.Mutex
	due map[int]bool // partitions that may have unpublished outcomes
}

func newPublisher(w *Worker, a Announcer) *publisher {
	return &publisher{Worker: w, announcer: a, awake: make(chan struct{}, 1), due: map[int]bool{}}
}

// wake says that the partition may have outcomes to publish.
func (p *publisher) wake(partition int) {
	p.mu.Lock()
	p.due[partition] = true
	p.mu.Unlock()
	select {
	case p.awake <- struct{}{}:
	default:
	}
}

// take returns the partitions that were woken since the last take.
func (p *publisher) take() map[int]bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	due := p.due
	p.due = map[int]bool{}
	return due
}

// run publishes what is due until ctx ends.
func (p *publisher) run(ctx context.Context) {
	retry := backoff{first: 50 * time.Millisecond, most: 2 * time.Second}
	for {
		select {
		case <-p.awake:
		case <-ctx.Done():
			return
		}
		for k := range p.take() {
			if err := p.publish(ctx, k); err != nil && ctx.Err() == nil {
				p.logger.WarnContext(ctx, "outcomes not published", "partition", k, "reason", codeOf(err), "error", err)
				p.wake(k)
				retry.wait(ctx)
				continue
			}
			retry.reset()
		}
	}
}

// publish publishes every unpublished outcome of a partition.
func (p *publisher) publish(ctx context.Context, partition int) error {
	for {
		due, err := p.store.Unpublished(ctx, partition, outcomeChunk)
		if err != nil || len(due) == 0 {
			return err
		}
		for _, o := range due {
			sealed := identity.Sign(identity.PurposeReply, o.Payload, p.cfg.Key)
			if err := p.announcer.Announce(ctx, o.Contributor, sealed); err != nil {
				return err
			}
		}
		if err := p.announcer.Flush(ctx); err != nil {
			return err
		}
		failpoint.Hit("published")
		if err := p.store.MarkPublished(ctx, due); err != nil {
			return err
		}
		if len(due) < outcomeChunk {
			return nil
		}
	}
}
