package merge

import (
	"fmt"
	"testing"

	"consilience/command"
)

// benchmarkWorld is a space with a few contributors, and what applies to it.
func benchmarkWorld(b *testing.B) *world {
	w := newWorld(b, func(p *command.Policy) { p.Admission = command.AdmissionOpen })
	for i := range 8 {
		w.enroll(fmt.Sprintf("c%d", i), enrolled{vouched: i%2 == 0})
	}
	return w
}

// drain applies an entry and drains the plan.
func (w *world) drain(b *testing.B, body Body) *Plan {
	seq := w.next()
	e := Entry{Seq: seq, Time: seq, Body: body}
	if _, err := w.state.Apply(e, w.fleet.At(seq), nil); err != nil {
		b.Fatal(err)
	}
	return w.state.Drain()
}

// BenchmarkApplyNewClaims is a delta of 50 claims that are all new, over a working
// set of its own, as every batch has.
func BenchmarkApplyNewClaims(b *testing.B) {
	w, n := benchmarkWorld(b), 0
	for b.Loop() {
		b.StopTimer()
		w.state = NewState(SpaceState{Num: 1, Name: spaceName})
		w.state.Complete = true
		d := w.by("c0")
		for range 50 {
			n++
			d.claims(fmt.Sprintf("subject %d", n), n, 900_000)
		}
		body := d.body()
		b.StartTimer()
		w.drain(b, body)
	}
}

// BenchmarkApplyJoins is a delta of 50 claims that seven others hold already.
func BenchmarkApplyJoins(b *testing.B) {
	w := benchmarkWorld(b)
	for i := range 7 {
		d := w.by(fmt.Sprintf("c%d", i+1))
		for n := range 50 {
			d.claims(fmt.Sprintf("subject %d", n), n, 900_000)
		}
		d.merged()
	}
	w.state.Drain()
	for b.Loop() {
		b.StopTimer()
		d := w.by("c0")
		for n := range 50 {
			d.claims(fmt.Sprintf("subject %d", n), n, 900_000)
		}
		body := d.body()
		for _, it := range w.state.items {
			it.Statements = it.Statements[:7] // as it was before the delta
		}
		b.StartTimer()
		w.drain(b, body)
	}
}

// BenchmarkRecompute is one item on which n contributors have a statement.
func BenchmarkRecompute(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			w := newWorld(b)
			for i := range n {
				w.enroll(fmt.Sprintf("m%d", i), enrolled{})
				w.by(fmt.Sprintf("m%d", i)).claims("s", 1, uint32(1+i*900)).merged()
			}
			it := w.of("s", 1)
			t := w.state.step(w.seq, w.now(), "", "")
			for b.Loop() {
				t.recompute(it, false)
			}
		})
	}
}
