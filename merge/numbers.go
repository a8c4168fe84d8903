package merge

import (
	"math/big"
	"math/bits"

	"consilience/wire"
)

// Bounds of the numbers (merge.md), ppm unless they say otherwise.
const (
	// MaxConfidence caps every effective value, S, D and confidence: nothing is certain.
	MaxConfidence = 999_000
	// MinSupported is what doubts leave of an item's support, if it has that much.
	MinSupported = 1000
	// MaxGroups is the number of groups that count on each side of an item.
	MaxGroups = 64
)

const (
	one  = uint64(wire.Scale)
	one2 = one * one
	one3 = one * one * one
)

// DepthFactor is F(depth): factor per step of derivation, rounded down at each.
func DepthFactor(depth int, factor uint32) uint32 {
	f := one
	for range depth {
		f = f * uint64(factor) / one
	}
	return uint32(f)
}

// Effective is E of a support: value times reputation times F(depth), never above
// either (draft section 3.2).
func Effective(value, reputation uint32, depth int, factor uint32) uint32 {
	e := uint64(value) * uint64(reputation) * uint64(DepthFactor(depth, factor)) / one2
	return uint32(min(MaxConfidence, e))
}

// DoubtEffective is E of a doubt: as of a support, times the step that its
// contributor may lower an item by.
func DoubtEffective(strength, reputation uint32, depth int, factor, step uint32) uint32 {
	return uint32(uint64(Effective(strength, reputation, depth, factor)) * uint64(step) / one)
}

// Combine is N: one minus the product of the complements, exact, rounded once, so
// that no order of the values matters.
func Combine(es []uint32) uint32 {
	small, large, n := one, (*big.Int)(nil), 0 // product of n+1 complements, the first being one
	for _, e := range es {
		if e == 0 {
			continue
		}
		n++
		left := one - uint64(min(e, wire.Scale))
		switch {
		case n == 1:
			small = left
		case n <= 3: // at most 10^18, which fits
			small *= left
		default:
			if large == nil {
				large = new(big.Int).SetUint64(small)
			}
			large.Mul(large, new(big.Int).SetUint64(left))
		}
	}
	if n == 0 {
		return 0
	}
	return uint32(min(MaxConfidence, one-scaleDown(small, large, n-1)))
}

// scaleDown divides the product by one to the power of n, rounded up.
func scaleDown(small uint64, large *big.Int, n int) uint64 {
	if large == nil {
		by := [...]uint64{1, one, one2}[n]
		return (small + by - 1) / by
	}
	by := new(big.Int).Exp(new(big.Int).SetUint64(one), big.NewInt(int64(n)), nil)
	q, r := large.QuoRem(large, by, new(big.Int))
	if r.Sign() > 0 {
		return q.Uint64() + 1
	}
	return q.Uint64()
}

// Against is C's and B's core: what remains of a when b speaks against it.
func Against(a, b uint32) uint32 {
	x, y := uint64(min(a, wire.Scale)), uint64(min(b, wire.Scale))
	if y == one {
		return 0
	}
	return uint32(one * x * (one - y) / (one2 - x*y))
}

// Confidence is C: support against doubt, which lowers but never deletes.
func Confidence(support, doubt uint32) uint32 {
	return max(Against(support, doubt), min(support, MinSupported))
}

// Belief is B: an item's confidence against the largest confidence among its
// active, uncontradicted rivals, 0 if it has none.
func Belief(confidence, rival uint32) uint32 { return Against(confidence, rival) }

// Outweighs is W: support x has 80 % of the evidence against support y.
func Outweighs(x, y uint32) bool {
	left := one - uint64(min(y, wire.Scale))
	xh, xl := bits.Mul64(one-uint64(min(x, wire.Scale)), one3)
	yh, yl := bits.Mul64(left*left, left*left)
	return xh < yh || xh == yh && xl <= yl
}
