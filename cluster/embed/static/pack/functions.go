package main

import "math"

// exp is e to the x, by a Taylor sum around the nearest multiple of ln 2. The
// standard library's differs between architectures in the last bit.
func exp(x float64) float64 {
	if x < -700 {
		return 0
	}
	k := math.Floor(float64(x/math.Ln2) + 0.5)
	r := x - float64(k*math.Ln2)
	sum, term := 1.0, 1.0
	for i := 1.0; i <= 13; i++ {
		term = float64(term*r) / i
		sum += term
	}
	return math.Ldexp(sum, int(k))
}

// gelu is x times the normal distribution's share below x. The error function is
// formula 7.1.26 of Abramowitz and Stegun, right to 1.5e-7.
func gelu(x float32) float32 {
	const p, a1, a2, a3, a4, a5 = 0.3275911, 0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429
	z := math.Abs(float64(x)) / math.Sqrt2
	t := 1 / (1 + float64(p*z))
	poly := float64(t * (a1 + float64(t*(a2+float64(t*(a3+float64(t*(a4+float64(t*a5)))))))))
	erf := 1 - float64(poly*exp(-float64(z*z)))
	if x < 0 {
		erf = -erf
	}
	return float32(float64(float64(x)*0.5) * (1 + erf))
}
