package reputation

import "consilience/wire"

// EMAV1 is "ema-v1": exponential moving averages, so that recent judgements weigh
// more than old ones. Each average starts at 0 and lies in 0..M:
//
//	a, acceptance:     a content accepted moves it 1/32, one corroborated 1/8 of the way to M
//	c, confirmation:   a confirmation moves it 1/8 of the way to M, a contradiction 1/4 of the way to 0
//	x, contradiction:  a contradiction moves it 1/4 of the way to M, a confirmation 1/8 of the way to 0
//	value = clamp((r0 + (M - r0) * (8*c + 2*a) div (10*M)) * (M - x)^2 div M^2, 20000, 980000)
//
// all rounded down. Acceptance alone lifts a newcomer at most a fifth of the way
// to M. Taking evidence back changes the tallies and leaves the averages, which
// forget by themselves.
type EMAV1 struct{ breaker }

// The averages in [Record.Averages].
const (
	acceptance = iota
	confirmation
	contradiction
)

// move is one step of an average: 1/divisor of the way, to M or to 0.
type move struct {
	average int
	divisor uint32
	up      bool
}

// moves says what each kind of evidence does to the averages.
var moves = [...][]move{
	Accepted:     {{acceptance, 32, true}},
	Corroborated: {{acceptance, 8, true}},
	Confirmed:    {{confirmation, 8, true}, {contradiction, 8, false}},
	Contradicted: {{contradiction, 4, true}, {confirmation, 4, false}},
}

// Name implements [Policy].
func (EMAV1) Name() string { return "ema-v1" }

// New implements [Policy].
func (p EMAV1) New(r0 uint32, vouched bool) Record {
	r := Record{R0: r0}
	for i := 0; vouched && i < VouchedCredits; i++ {
		r = p.Apply(r, Event{Confirmed, 1})
	}
	return r
}

// Apply implements [Policy].
func (EMAV1) Apply(r Record, e Event) Record {
	r = count(r, e)
	if e.N < 1 {
		return r
	}
	for _, m := range moves[e.Kind] {
		a := &r.Averages[m.average]
		if m.up {
			*a += (wire.Scale - *a) / m.divisor
		} else {
			*a -= *a / m.divisor
		}
	}
	return r
}

// Value implements [Policy].
func (EMAV1) Value(r Record) uint32 {
	const m = wire.Scale
	r0 := min(uint64(r.R0), m)
	earned := 8*uint64(r.Averages[confirmation]) + 2*uint64(r.Averages[acceptance])
	clean := m - uint64(r.Averages[contradiction])
	v := (r0 + (m-r0)*earned/(10*m)) * (clean * clean) / (m * m)
	return uint32(max(MinValue, min(MaxValue, v)))
}
