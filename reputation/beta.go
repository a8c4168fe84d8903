package reputation

import (
	"math/bits"

	"consilience/wire"
)

// BetaV1 is "beta-v1", the default: a ratio of good to all evidence around a base
// that weighs as four judgements (merge.md "Reputation"):
//
//	good = M*C + min(M, 100000*K + 10000*A)        bad = 3*M*X
//	value = clamp((4*r0 + good) * M div (4*M + good + bad), 20000, 980000)
type BetaV1 struct{ breaker }

// Weights of beta-v1, in ppm of one judgement.
const (
	baseWeight         = 4
	badWeight          = 3
	corroboratedWeight = 100_000
	acceptedWeight     = 10_000
)

// Name implements [Policy].
func (BetaV1) Name() string { return "beta-v1" }

// New implements [Policy].
func (BetaV1) New(r0 uint32, vouched bool) Record {
	r := Record{R0: r0}
	if vouched {
		r.Confirmed = VouchedCredits
	}
	return r
}

// Apply implements [Policy].
func (BetaV1) Apply(r Record, e Event) Record { return count(r, e) }

// Value implements [Policy].
func (BetaV1) Value(r Record) uint32 {
	const m = wire.Scale
	unjudged := min(m, corroboratedWeight*uint64(r.Corroborated)+acceptedWeight*uint64(r.Accepted))
	good := m*uint64(r.Confirmed) + unjudged
	bad := badWeight * m * uint64(r.Contradicted)
	hi, lo := bits.Mul64(baseWeight*uint64(r.R0)+good, m)
	v, _ := bits.Div64(hi, lo, baseWeight*m+good+bad)
	return uint32(max(MinValue, min(MaxValue, v)))
}
