package projection_test

import (
	"context"
	"syscall"
	"testing"
	"time"

	"consilience/projection"
)

// perCore reports records by the processor time they took, which a busy machine
// does not change much.
func perCore(b *testing.B) (report func()) {
	b.ReportAllocs()
	start := processorTime(b)
	return func() {
		b.ReportMetric(float64(b.N)/(processorTime(b)-start).Seconds(), "records/core-s")
	}
}

func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// The bar is 5,000 records a second on one core; the published record has two
// entries.
func BenchmarkVerifyFull(b *testing.B) {
	g := genuine(b)
	v := g.verifier(b)
	report := perCore(b)
	for b.Loop() {
		if _, err := v.Full(context.Background(), g.record, g.material); err != nil {
			b.Fatal(err)
		}
	}
	report()
}

func BenchmarkVerifyEnvelope(b *testing.B) {
	g := genuine(b)
	v := g.verifier(b)
	report := perCore(b)
	for b.Loop() {
		if _, err := v.Envelope(context.Background(), g.record); err != nil {
			b.Fatal(err)
		}
	}
	report()
}

// Opening two sealed objects natively is part of this one.
func BenchmarkVerifyNative(b *testing.B) {
	g := genuine(b)
	g.material.Source = apertomemoryWithKeys(b).Source()
	g.policy.AcceptOtherBodies = true
	v := g.verifier(b)
	report := perCore(b)
	for b.Loop() {
		if _, err := v.Full(context.Background(), g.record, g.material); err != nil {
			b.Fatal(err)
		}
	}
	report()
}

func BenchmarkProduce(b *testing.B) {
	w := newWorkshop()
	for _, o := range []string{"a", "b", "c", "d"} {
		w.add(o, "a body of "+o, projection.Trusted)
	}
	for b.Loop() {
		w.clock = []time.Time{noon, noon.Add(time.Second)}
		w.log = nil
		if _, err := w.produce(b); err != nil {
			b.Fatal(err)
		}
	}
}
