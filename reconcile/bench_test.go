package reconcile_test

import (
	"fmt"
	"testing"
	"time"

	"consilience/bus"
	"consilience/command"
	"consilience/record"
)

// BenchmarkNewItems merges deltas of 50 new claims, from a log that is there
// already, with one worker.
func BenchmarkNewItems(b *testing.B) {
	for b.Loop() {
		w := newWorld(b, "a", "b", "c", "d")
		const authors, deltas, claims = 8, 50, 50
		var msgs []bus.Msg
		for i := range authors {
			a := w.enroll(fmt.Sprintf("author-%d", i))
			for j := range deltas {
				space := w.spaces[j%len(w.spaces)]
				var rs []record.Record
				for k := range claims {
					rs = append(rs, a.claim(fmt.Sprintf("subject %d", (i*deltas+j)*claims+k), "has", "a value of some length"))
				}
				raw, _ := a.seal(a.next(space, rs...), rs...)
				msgs = append(msgs, bus.Msg{Subject: command.DeltaSubject(space, a.id), Data: raw})
			}
		}
		_, err := w.bus.PublishBatch(b.Context(), msgs)
		w.must(err)
		store := w.open(w.pgURL)
		began := time.Now()
		_, stop := w.worker(w.pgURL, "one", &logs{})
		w.settle(store)
		b.ReportMetric(authors*deltas*claims/time.Since(began).Seconds(), "items/s")
		stop()
	}
}

// BenchmarkStory merges a random history from a log that is there already.
func BenchmarkStory(b *testing.B) {
	for b.Loop() {
		w := newWorld(b, "facts", "places")
		s := w.story(1)
		s.tell(1000)
		store := w.open(w.pgURL)
		began := time.Now()
		_, stop := w.worker(w.pgURL, "one", &logs{})
		w.settle(store)
		b.ReportMetric(1000/time.Since(began).Seconds(), "entries/s")
		stop()
	}
}
