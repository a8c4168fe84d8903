package reputation

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"consilience/reason"
	"consilience/wire"
)

// examples-merge.md R.
func TestBetaExamples(t *testing.T) {
	for _, c := range []struct {
		name string
		r    Record
		want uint32
	}{
		{"newcomer", Record{R0: 300_000}, 300_000},
		{"500 corroborated, 5000 accepted, no human", Record{R0: 300_000, Corroborated: 500, Accepted: 5000}, 440_000},
		{"two confirmations", Record{R0: 300_000, Confirmed: 2}, 533_333},
		{"vouched", BetaV1{}.New(300_000, true), 533_333},
		{"20 confirmed 1 contradicted", Record{R0: 300_000, Confirmed: 20, Contradicted: 1}, 785_185},
		{"25 confirmed 3 contradicted", Record{R0: 300_000, Confirmed: 25, Contradicted: 3}, 689_473},
		{"floor", Record{R0: 20_000, Contradicted: 100}, MinValue},
		{"ceiling", Record{R0: 980_000, Confirmed: 10_000}, MaxValue},
	} {
		if got := (BetaV1{}).Value(c.r); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// beta-v1 is exact: what big integers give, for any record.
func TestBetaIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	big64 := func(n uint32) *big.Int { return new(big.Int).SetUint64(uint64(n)) }
	m := big.NewInt(wire.Scale)
	for range 20_000 {
		r := Record{R0: 1 + rng.Uint32N(wire.Scale), Confirmed: rng.Uint32() >> rng.IntN(32),
			Contradicted: rng.Uint32() >> rng.IntN(32), Corroborated: rng.Uint32() >> rng.IntN(32), Accepted: rng.Uint32() >> rng.IntN(32)}
		unjudged := new(big.Int).Mul(big.NewInt(100_000), big64(r.Corroborated))
		unjudged.Add(unjudged, new(big.Int).Mul(big.NewInt(10_000), big64(r.Accepted)))
		if unjudged.Cmp(m) > 0 {
			unjudged.Set(m)
		}
		good := new(big.Int).Mul(m, big64(r.Confirmed))
		good.Add(good, unjudged)
		bad := new(big.Int).Mul(big.NewInt(3*wire.Scale), big64(r.Contradicted))
		above := new(big.Int).Mul(big.NewInt(4), big64(r.R0))
		above.Add(above, good).Mul(above, m)
		below := new(big.Int).Add(big.NewInt(4*wire.Scale), good)
		below.Add(below, bad)
		want := min(MaxValue, max(MinValue, above.Quo(above, below).Uint64()))
		if got := (BetaV1{}).Value(r); uint64(got) != want {
			t.Fatalf("%+v: %d, want %d", r, got, want)
		}
	}
}

// ema-v1, step by step.
func TestEMAExamples(t *testing.T) {
	p := EMAV1{}
	events := func(es ...EventKind) Record {
		r := p.New(300_000, false)
		for _, e := range es {
			r = p.Apply(r, Event{e, 1})
		}
		return r
	}
	for _, c := range []struct {
		name string
		r    Record
		want uint32
	}{
		{"newcomer", events(), 300_000},
		{"accepted", events(Accepted), 304_375},
		{"corroborated", events(Accepted, Corroborated), 321_328},
		{"confirmed", events(Confirmed), 370_000},
		{"vouched", p.New(300_000, true), 431_250},
		{"contradicted", events(Contradicted), 168_750},
		{"confirmed, then contradicted", events(Confirmed, Contradicted), 198_281},
		{"contradicted, then confirmed", events(Contradicted, Confirmed), 225_830},
	} {
		if got := p.Value(c.r); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
	acceptedOnly := events()
	for range 5000 {
		acceptedOnly = p.Apply(acceptedOnly, Event{Accepted, 1})
	}
	if v := p.Value(acceptedOnly); v > 440_000 || v < 430_000 {
		t.Errorf("acceptance alone gives %d", v)
	}
}

// The breaker: three contradictions in the last ten lock, longer each time; a
// contradiction while locked starts over; unlocking empties the window.
func TestBreaker(t *testing.T) {
	for _, p := range []Policy{BetaV1{}, EMAV1{}} {
		r := p.New(300_000, true)
		judge := func(verdicts string) (changes int) {
			for _, v := range verdicts {
				next, changed := p.Judge(r, v == '+')
				if r = next; changed {
					changes++
				}
			}
			return changes
		}
		if n := judge("--+++++++++-"); n != 0 || p.Locked(r) {
			t.Errorf("%s: locked by three in more than ten", p.Name())
		}
		if n := judge("--"); n != 1 || !p.Locked(r) || r.Left != 5 || p.Proven(r) {
			t.Errorf("%s: not locked by three in ten: %+v", p.Name(), r)
		}
		if n := judge("++++-"); n != 0 || r.Left != 5 {
			t.Errorf("%s: a contradiction does not start over: %+v", p.Name(), r)
		}
		if n := judge("+++++"); n != 1 || p.Locked(r) || len(r.Window) != 0 || !p.Proven(r) {
			t.Errorf("%s: not unlocked after five: %+v", p.Name(), r)
		}
		if n := judge("---"); n != 1 || r.Left != 10 || r.Locks != 2 {
			t.Errorf("%s: the second lock is not longer: %+v", p.Name(), r)
		}
	}
}

// N-10, N-53: whatever happens to a contributor, its reputation stays in (0, 1],
// and no policy writes to a record that it was given.
func TestRandomEvidence(t *testing.T) {
	for _, name := range []string{"beta-v1", "ema-v1"} {
		p, err := ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range 10_000 {
			rng := rand.New(rand.NewPCG(uint64(seed), 5))
			r := p.New(1+rng.Uint32N(wire.Scale), rng.IntN(2) == 0)
			for range 40 {
				before := r.Clone()
				next := someEvidence(p, r, rng)
				if p.Value(before) != p.Value(r) || len(before.Window) != len(r.Window) {
					t.Fatalf("%s wrote to its input", name)
				}
				r = next
				if v := p.Value(r); v < MinValue || v > MaxValue || Own(p, r) != v {
					t.Fatalf("%s: value %d of %+v", name, v, r)
				}
				if len(r.Window) > windowLength {
					t.Fatalf("%s: a window of %d", name, len(r.Window))
				}
			}
		}
	}
}

func someEvidence(p Policy, r Record, rng *rand.Rand) Record {
	if rng.IntN(3) == 0 {
		next, _ := p.Judge(r, rng.IntN(2) == 0)
		return next
	}
	return p.Apply(r, Event{EventKind(rng.IntN(4)), []int{1, 1, -1}[rng.IntN(3)]})
}

type constant struct {
	BetaV1
	value uint32
}

func (constant) Name() string          { return "constant" }
func (c constant) Value(Record) uint32 { return c.value }

// N-10, N-53: a plug-in outside (0, 1] is refused, one within is there by its name.
func TestRegister(t *testing.T) {
	for _, v := range []uint32{0, wire.Scale + 1} {
		if err := Register(constant{value: v}); reason.Of(err) != reason.OutOfRange {
			t.Errorf("value %d: %v", v, err)
		}
		if _, err := ByName("constant"); reason.Of(err) != reason.PolicyInvalid {
			t.Errorf("value %d is registered", v)
		}
	}
	if err := Register(constant{value: wire.Scale}); err != nil {
		t.Fatal(err)
	}
	if p, err := ByName("constant"); err != nil || p.Value(Record{}) != wire.Scale {
		t.Errorf("%v, %v", p, err)
	}
	if err := Register(BetaV1{}); reason.Of(err) != reason.AlreadyKnown {
		t.Errorf("a second beta-v1: %v", err)
	}
	if v := Own(constant{value: 0}, Record{}); v != 1 {
		t.Errorf("an unregistered plug-in's value is %d", v)
	}
}
