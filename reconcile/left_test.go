package reconcile

import (
	"context"
	"testing"

	"consilience/internal/testkit"
)

// A worker that another one relieved of a partition that stands still is well again:
// its health is about the partitions that it reads.
func TestALeftPartitionIsNobodysFault(t *testing.T) {
	t.Parallel()
	w := &Worker{cfg: Config{}.withDefaults(), metrics: NewMetrics(), outages: newOutages(&testkit.Clock{})}
	w.outages.fails(partName(3), context.DeadlineExceeded)
	w.metrics.stopped(3, "log_restored")
	w.metrics.stopped(4, "log_restored")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	(&partition{Worker: w, number: 3}).run(ended)
	if still := w.metrics.Stopped(); len(still) != 1 || still[4] == "" {
		t.Errorf("standing still: %v, want partition 4 alone", still)
	}
	if !w.outages.fresh(partName(3)) {
		t.Error("a partition that was left still fails")
	}
}
