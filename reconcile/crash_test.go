package reconcile_test

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"consilience/internal/testkit"
)

// steps are the places between reading and the outcome at which a worker is
// killed. The sixteen partitions pass most of them once for the facts alone; the
// passing after that brings deltas.
var steps = map[string]int{
	"read": 18, "opened": 18, "begun": 18, "loaded": 3, "merged": 3, "written": 18, "positioned": 18, "committed": 18, "published": 2,
}

// A worker that is killed at any step between reading and the outcome loses no
// delta and merges none twice, and whoever takes over ends where a replay ends
// (N-40 retry-safe).
func TestKilledAtEveryStep(t *testing.T) {
	t.Parallel()
	for step, n := range steps {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "facts", "places")
			s := w.story(uint64(n))
			s.tell(10)
			first := w.child(w.pgURL, fmt.Sprintf("%s:%d", step, n))
			testkit.Eventually(t, patience, "the worker dies at the step", func() bool {
				s.tell(1)
				select {
				case <-first.Done():
					return true
				default:
					return false
				}
			})
			w.child(w.pgURL, "")
			store := w.open(w.pgURL)
			w.settle(store)
			s.allMerged(store)
			w.sameAsReplay(store)
			testkit.Eventually(t, patience, "every outcome is published", func() bool {
				return w.count(store, "SELECT count(*) FROM consilience.outcome WHERE NOT published") == 0
			})
		})
	}
}

// The partitions of a worker that was killed are taken over.
func TestTakeoverAfterKill(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "facts")
	s := w.story(1)
	store := w.open(w.pgURL)
	first := w.child(w.pgURL, "")
	s.tell(5)
	w.settle(store)
	second := w.child(w.pgURL, "")
	second.WaitLine("running")
	testkit.Eventually(t, patience, "two workers share the partitions", func() bool {
		return w.count(store, "SELECT count(DISTINCT owner) FROM consilience.position WHERE owner <> ''") == 2
	})
	s.tell(20)
	first.Kill()
	killed := time.Now()
	s.tell(5)
	w.settle(store)
	t.Logf("taken over, and all merged, %v after the kill", time.Since(killed).Round(10*time.Millisecond))
	s.allMerged(store)
	w.sameAsReplay(store)
}

// A worker that is stopped in the middle of a transaction, loses its partitions to
// another and wakes up does no harm.
func TestPausedWorkerWakesUp(t *testing.T) {
	t.Parallel()
	for _, step := range []string{"read", "begun", "written", "committed", "published"} {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "facts", "places")
			s := w.story(3)
			store := w.open(w.pgURL)
			s.tell(20)
			sleeper := w.child(w.pgURL, step+":1:stop")
			testkit.Eventually(t, patience, "the worker is stopped", func() bool { return stopped(t, sleeper.PID()) })
			w.child(w.pgURL, "")
			s.tell(20)
			w.settle(store)
			sleeper.Signal(syscall.SIGCONT)
			s.tell(20)
			w.settle(store)
			testkit.Eventually(t, patience, "both workers read partitions", func() bool {
				return w.count(store, "SELECT count(DISTINCT owner) FROM consilience.position WHERE owner <> ''") == 2
			})
			s.tell(20)
			w.settle(store)
			s.allMerged(store)
			w.sameAsReplay(store)
		})
	}
}

// stopped reports whether a process is stopped by a signal.
func stopped(t *testing.T, pid int) bool {
	t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Skipf("no /proc: %v", err)
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	return strings.HasPrefix(after, "T")
}
