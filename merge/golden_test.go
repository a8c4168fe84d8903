package merge

import "testing"

// N-48, N-49: examples-merge.md E. Never above base, never above reputation.
func TestEffectiveExamples(t *testing.T) {
	for _, c := range []struct{ base, reputation, depth, support, proven, unproven uint32 }{
		{900_000, 300_000, 0, 270_000, 135_000, 27_000},
		{1_000_000, 300_000, 1, 270_000, 135_000, 27_000},
		{950_000, 533_333, 0, 506_666, 253_333, 50_666},
		{1, 300_000, 0, 0, 0, 0},
		{800_000, 883_333, 3, 515_159, 257_579, 51_515},
		{1_000_000, 980_000, 0, 980_000, 490_000, 98_000},
	} {
		depth := int(c.depth)
		if e := Effective(c.base, c.reputation, depth, 900_000); e != c.support {
			t.Errorf("E(%d, %d, %d) = %d, want %d", c.base, c.reputation, depth, e, c.support)
		}
		if e := DoubtEffective(c.base, c.reputation, depth, 900_000, 500_000); e != c.proven {
			t.Errorf("proven doubt (%d, %d, %d) = %d, want %d", c.base, c.reputation, depth, e, c.proven)
		}
		if e := DoubtEffective(c.base, c.reputation, depth, 900_000, 100_000); e != c.unproven {
			t.Errorf("unproven doubt (%d, %d, %d) = %d, want %d", c.base, c.reputation, depth, e, c.unproven)
		}
	}
}

func repeat(e uint32, n int) []uint32 {
	es := make([]uint32, n)
	for i := range es {
		es[i] = e
	}
	return es
}

// N-51, N-64: examples-merge.md N, in any order.
func TestCombineExamples(t *testing.T) {
	for _, c := range []struct {
		es   []uint32
		want uint32
	}{
		{nil, 0}, {[]uint32{300_000}, 300_000}, {repeat(506_666, 2), 756_621},
		{repeat(285_000, 7), 904_469}, {repeat(999_000, 2), 999_000}, {repeat(0, 70), 0},
	} {
		if got := Combine(c.es); got != c.want {
			t.Errorf("combine(%v) = %d, want %d", c.es, got, c.want)
		}
	}
	permute([]uint32{333_333, 142_857, 271_828, 161_803}, func(es []uint32) {
		if got := Combine(es); got != 651_227 {
			t.Errorf("combine(%v) = %d, want 651227", es, got)
		}
	})
}

// permute calls use with every order of es.
func permute(es []uint32, use func([]uint32)) {
	var rec func(k int)
	rec = func(k int) {
		if k == len(es) {
			use(es)
		}
		for i := k; i < len(es); i++ {
			es[k], es[i] = es[i], es[k]
			rec(k + 1)
			es[k], es[i] = es[i], es[k]
		}
	}
	rec(0)
}

// N-45, N-46: examples-merge.md C.
func TestConfidenceExamples(t *testing.T) {
	for _, c := range []struct {
		supports, doubts []uint32
		want             uint32
	}{
		{[]uint32{540_000}, nil, 540_000},
		{[]uint32{540_000}, []uint32{30_000}, 532_425},
		{repeat(500_000, 2), repeat(490_000, 2), 438_296},
		{repeat(500_000, 3), repeat(490_000, 2), 645_478},
		{repeat(500_000, 64), repeat(490_000, 5), 971_805},
		{[]uint32{150}, []uint32{490_000}, 150},
	} {
		if got := Confidence(Combine(c.supports), Combine(c.doubts)); got != c.want {
			t.Errorf("confidence(%v; %v) = %d, want %d", c.supports, c.doubts, got, c.want)
		}
	}
}

// N-72: examples-merge.md B.
func TestBeliefExamples(t *testing.T) {
	for _, c := range []struct {
		confidence uint32
		rivals     []uint32
		want       uint32
	}{
		{540_000, nil, 540_000},
		{900_000, []uint32{900_000}, 473_684},
		{970_000, []uint32{300_000}, 957_686},
		{970_000, repeat(300_000, 74), 957_686},
		{999_000, repeat(300_000, 4096), 998_572},
		{750_000, []uint32{500_000, 400_000}, 600_000},
	} {
		var rivals []Standing
		for _, r := range c.rivals {
			rivals = append(rivals, Standing{Confidence: r})
		}
		if got := BeliefAmong(Standing{Confidence: c.confidence}, rivals); got != c.want {
			t.Errorf("belief(%d; %v) = %d, want %d", c.confidence, c.rivals, got, c.want)
		}
	}
}

// N-72: examples-merge.md W, on the combined supports.
func TestOutweighsExamples(t *testing.T) {
	for _, c := range []struct {
		x, y []uint32
		want bool
	}{
		{[]uint32{900_000}, nil, true},
		{[]uint32{900_000}, []uint32{300_000}, true},
		{[]uint32{900_000}, []uint32{450_000}, false},
		{repeat(600_000, 4), []uint32{500_000}, true},
		{repeat(600_000, 4), []uint32{600_000}, true},
		{repeat(506_666, 5), []uint32{506_666, 300_000}, false},
	} {
		if got := Outweighs(Combine(c.x), Combine(c.y)); got != c.want {
			t.Errorf("%v outweighs %v: %t, want %t", c.x, c.y, got, c.want)
		}
	}
}

// N-72: who may be relied on under each rule, at its very boundary.
func TestAuthoritative(t *testing.T) {
	strong := Standing{Confidence: 950_000, Support: 950_000, Groups: 2}
	for _, c := range []struct {
		name   string
		rule   string
		x      Standing
		rivals []Standing
		want   bool
	}{
		{"fleet", "fleet", strong, nil, true},
		{"fleet at its bound", "fleet", Standing{Confidence: 900_000, Groups: 2}, nil, true},
		{"fleet below its bound", "fleet", Standing{Confidence: 899_999, Groups: 2}, nil, false},
		{"fleet with one group", "fleet", Standing{Confidence: 950_000, Groups: 1}, nil, false},
		{"open", "open", Standing{Confidence: 500_000}, nil, true},
		{"open below its bound", "open", Standing{Confidence: 499_999}, nil, false},
		{"strict", "strict", strong, []Standing{{Support: 100_000}}, true},
		{"strict not outweighing", "strict", strong, []Standing{{Support: 600_000}}, false},
		{"strict, masked rival", "strict", strong, []Standing{{Support: 600_000, Status: Quarantined}}, true},
		{"confirmed", "strict", Standing{Confidence: 50_000, Verdict: Confirmed}, nil, true},
		{"confirmed near zero", "fleet", Standing{Confidence: 49_999, Verdict: Confirmed}, nil, false},
		{"confirmed rival", "open", strong, []Standing{{Confidence: 1, Verdict: Confirmed}}, false},
		{"both confirmed", "open", Standing{Confidence: 950_000, Verdict: Confirmed}, []Standing{{Verdict: Confirmed}}, false},
		{"contradicted", "open", Standing{Confidence: 950_000, Verdict: Contradicted}, nil, false},
		{"quarantined", "open", Standing{Confidence: 950_000, Status: Quarantined}, nil, false},
		{"contradicted rival", "open", strong, []Standing{{Confidence: 999_000, Verdict: Contradicted}}, true},
	} {
		if got := Authoritative(c.rule, 50_000, c.x, c.rivals); got != c.want {
			t.Errorf("%s: %t, want %t", c.name, got, c.want)
		}
	}
}
