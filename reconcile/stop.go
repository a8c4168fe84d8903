package reconcile

import (
	"context"
	"strings"

	"consilience/reason"
)

// halting are the reasons that no retry mends: the log is not the one that the
// store has seen, or an entry fails every time for a cause that is not its own.
// The partition stands still, says so, and looks again now and then.
var halting = map[reason.Code]bool{
	reason.LogRestored: true, reason.StreamForeign: true, reason.PartitionHalted: true, reason.SchemaMismatch: true,
}

// halts reports whether err stops the partition.
func (p *partition) halts(err error) bool { return halting[reason.Of(err)] }

// halt marks the partition as stopped, in the store, in the metrics and in the
// log line that an operator reads. The same stop is said once.
func (p *partition) halt(ctx context.Context, err error) {
	mark := string(reason.Of(err)) + ": " + err.Error()
	p.metrics.stopped(p.number, mark)
	if mark == p.halted {
		return
	}
	p.logger.ErrorContext(ctx, "partition stopped", "partition", p.number, "reason", reason.Of(err), "error", err)
	if err := p.store.SetStopped(ctx, p.number, mark); err != nil {
		p.logger.WarnContext(ctx, "stop is not marked in the store", "partition", p.number, "reason", codeOf(err), "error", err)
		return
	}
	p.halted = mark
}

// goesOn takes the mark of a stop off once its cause has gone: a log is right
// again when it was checked, an entry that failed when it has been merged.
func (p *partition) goesOn(ctx context.Context, mark string, merged bool) error {
	p.halted = mark
	if mark == "" {
		p.metrics.stopped(p.number, "")
		return nil
	}
	if !merged && strings.HasPrefix(mark, string(reason.PartitionHalted)) {
		return nil
	}
	if err := p.store.SetStopped(ctx, p.number, ""); err != nil {
		return err
	}
	p.halted = ""
	p.metrics.stopped(p.number, "")
	p.logger.InfoContext(ctx, "partition goes on", "partition", p.number)
	return nil
}
