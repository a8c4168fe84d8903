// Package vector searches vectors of int8 exactly: it returns every stored vector
// whose cosine with a query is at least a threshold, and nothing depends on the
// machine, on the order of insertion or on the kernel that the processor offers.
//
// The tour: vector.go is a vector and its similarity, in integers; index.go holds
// vectors, in the pieces of page.go; scan.go searches them; sketch.go is the bound by
// which most of them are skipped; kernel*.go and kernel_amd64.s are the inner products.
// For who asks for the nearest ones and not for all above a threshold, shelf.go holds
// vectors without copies, climb.go searches them, and sum*.go adds the products.
package vector

import (
	"math"
	"math/bits"
)

// MaxDims is the largest number of dimensions.
const MaxDims = 8192

// Peak is the largest value of a vector, and minus it the smallest. It leaves a bit
// of int8 free, so that four products can be added in 16 bits.
const Peak = 63

// Million is a similarity of one, in ppm.
const Million = 1_000_000

// Vector is a direction, of values from -[Peak] to [Peak]. All zeros is the vector of a text of which nothing is
// known; it is similar to nothing.
type Vector []int8

// Valid reports a vector of the given dimensions whose values are in range.
func (v Vector) Valid(dims int) bool {
	for _, x := range v {
		if x < -Peak || x > Peak {
			return false
		}
	}
	return len(v) == dims
}

// Norm2 is the sum of squares.
func (v Vector) Norm2() int32 { return Dot(v, v) }

// Dot is the inner product of two vectors of one length.
func Dot(a, b Vector) int32 { return dot(a, b) }

// Quantise scales values to the length of int8, rounding half to even, so that the
// largest is [Peak]. It returns nil if one is not finite, zeros if all are zero.
func Quantise(values []float32) Vector {
	var largest float64
	for _, x := range values {
		largest = max(largest, math.Abs(float64(x)))
	}
	v := make(Vector, len(values))
	for i, x := range values {
		f := float64(x)
		if f-f != 0 {
			return nil
		}
		if largest > 0 {
			v[i] = int8(math.RoundToEven(f / largest * Peak))
		}
	}
	return v
}

// atLeast reports dot / sqrt(a2*b2) >= threshold ppm, exactly: both sides squared,
// in 128 bits.
func atLeast(dot, a2, b2 int32, threshold int32) bool {
	if dot <= 0 {
		return threshold <= 0 && dot == 0
	}
	left1, left0 := square(uint64(dot), Million)
	return !less(left1, left0, a2, b2, threshold)
}

// square is (x*scale)^2 in 128 bits; x*scale stays below 2^52.
func square(x, scale uint64) (high, low uint64) { return bits.Mul64(x*scale, x*scale) }

// less reports (high, low) < a2*b2*threshold^2. The threshold is at most a million,
// so its square is below 2^40; a2*b2 is below 2^62.
func less(high, low uint64, a2, b2 int32, threshold int32) bool {
	h, l := bits.Mul64(uint64(a2)*uint64(b2), uint64(threshold)*uint64(threshold))
	return high < h || high == h && low < l
}

// Similarity is the cosine in ppm, rounded down; 0 for what points away. The float
// only guesses: the exact test has the last word.
func Similarity(dot, a2, b2 int32) int32 {
	if dot <= 0 || a2 <= 0 || b2 <= 0 {
		return 0
	}
	guess := float64(dot) / math.Sqrt(float64(a2)*float64(b2)) * Million
	s := int32(max(0, min(Million, guess)))
	for s > 0 && !atLeast(dot, a2, b2, s) {
		s--
	}
	for s < Million && atLeast(dot, a2, b2, s+1) {
		s++
	}
	return s
}
