package reconcile

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"consilience/reason"
)

// unwellAfter is how long something may fail before the process calls itself unwell:
// longer than a takeover, a restart of a server, or an election takes.
const unwellAfter = 5 * time.Second

// What may fail besides a partition.
const (
	partStore = "store" // the heartbeat
	partLog   = "log"   // the fleet's facts
)

// partName is a partition as /healthz names it.
func partName(partition int) string { return fmt.Sprintf("partition %d", partition) }

// outages is what fails in this process, and since when.
type outages struct {
	clock Clock

	mu      sync.Mutex
	failing map[string]outage
}

type outage struct {
	since time.Time
	why   string
}

func newOutages(c Clock) *outages { return &outages{clock: c, failing: map[string]outage{}} }

// tries notes that something was begun that has to answer; what never does fails from here on.
func (o *outages) tries(part string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, known := o.failing[part]; !known {
		o.failing[part] = outage{o.clock.Now(), string(reason.TimedOut) + ": no answer"}
	}
}

// fails notes that part failed for err; it fails since the first time.
func (o *outages) fails(part string, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	x, known := o.failing[part]
	if !known {
		x.since = o.clock.Now()
	}
	x.why = string(codeOf(err)) + ": " + err.Error()
	o.failing[part] = x
}

// works takes back all that part failed for.
func (o *outages) works(part string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.failing, part)
}

// fresh reports that part has not failed since it last worked.
func (o *outages) fresh(part string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	_, failed := o.failing[part]
	return !failed
}

// lasting are the outages that are no passing ones, and why.
func (o *outages) lasting() map[string]string {
	o.mu.Lock()
	defer o.mu.Unlock()
	out := map[string]string{}
	for part, x := range o.failing {
		if o.clock.Now().Sub(x.since) > unwellAfter {
			out[part] = x.why
		}
	}
	return out
}

// codeOf is the reason of an error as logs and metrics name it. What the drivers of
// the store and of the log return without one is that these do not answer.
func codeOf(err error) reason.Code {
	code := reason.Of(err)
	switch {
	case err == nil || code != "":
		return code
	case errors.Is(err, context.DeadlineExceeded):
		return reason.TimedOut
	}
	return reason.Unreachable
}

// recovers ends the outage of a partition that has nothing to merge: its position,
// the facts and the log were just read. One that has entries to merge works again
// once it has merged some.
func (p *partition) recovers(ctx context.Context, pos Position) error {
	if p.outages.fresh(partName(p.number)) {
		return nil
	}
	newest, err := p.log.Newest(ctx, p.number)
	if err == nil && newest <= pos.Seq {
		p.outages.works(partName(p.number))
	}
	return err
}
