package main

import (
	"cmp"
	"math"
	"slices"
)

const (
	dims = 256
	// ordinary is the first token that is a word or part of one; before it are
	// unused and control tokens and single signs, which do not shape the directions.
	ordinary = 1000
)

// reduce turns the outputs into rows of dims values: along the directions in which
// the ordinary tokens' outputs vary most, weighed down by frequency.
func reduce(outputs [][]float32) [][]float64 {
	centred := centre(outputs)
	axes := principal(covariance(centred[ordinary:]))
	weight := weights(len(outputs))
	rows := make([][]float64, len(outputs))
	for t, x := range centred {
		rows[t] = make([]float64, dims)
		for d, axis := range axes[:dims] {
			rows[t][d] = dot(x, axis) * weight[t]
		}
	}
	return turned(rows)
}

// turned rotates the rows so that the first values hold most of what an average
// text has, each token counting by its frequency. It changes no cosine: it lets a
// search skip most texts after a look at the first values.
func turned(rows [][]float64) [][]float64 {
	share := frequencies(len(rows))
	weighed := make([][]float64, 0, len(rows))
	for t, row := range rows {
		scaled := make([]float64, len(row))
		for d, v := range row {
			scaled[d] = v * math.Sqrt(share[t])
		}
		weighed = append(weighed, scaled)
	}
	axes := principal(covariance(weighed[ordinary:]))
	out := make([][]float64, len(rows))
	for t, row := range rows {
		out[t] = make([]float64, len(row))
		for d, axis := range axes {
			out[t][d] = dot(row, axis)
		}
	}
	return out
}

func centre(outputs [][]float32) [][]float64 {
	mean := make([]float64, hidden)
	for _, x := range outputs {
		for d, v := range x {
			mean[d] += float64(v)
		}
	}
	centred := make([][]float64, len(outputs))
	for t, x := range outputs {
		centred[t] = make([]float64, hidden)
		for d, v := range x {
			centred[t][d] = float64(v) - mean[d]/float64(len(outputs))
		}
	}
	return centred
}

func dot(a, b []float64) float64 {
	var sum float64
	for i, v := range a {
		sum += float64(v * b[i])
	}
	return sum
}

func covariance(rows [][]float64) [][]float64 {
	c := make([][]float64, len(rows[0]))
	for i := range c {
		c[i] = make([]float64, len(c))
	}
	for _, x := range rows {
		for i, v := range x {
			for j, w := range x[:i+1] {
				c[i][j] += float64(v * w)
			}
		}
	}
	for i := range c {
		for j := range i {
			c[j][i] = c[i][j]
		}
	}
	return c
}

// principal returns the eigenvectors of a symmetric matrix as rows, by falling
// eigenvalue, with their largest part positive: cyclic Jacobi rotations.
func principal(a [][]float64) [][]float64 {
	vectors := make([][]float64, len(a))
	for i := range vectors {
		vectors[i] = make([]float64, len(a))
		vectors[i][i] = 1
	}
	for range 16 {
		for p := range a {
			for q := p + 1; q < len(a); q++ {
				rotate(a, vectors, p, q)
			}
		}
	}
	order := make([]int, len(a))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(a[j][j], a[i][i]) })
	axes := make([][]float64, len(a))
	for i, o := range order {
		axes[i] = upright(vectors[o])
	}
	return axes
}

// rotate makes a[p][q] zero by a rotation, which the eigenvectors follow.
func rotate(a, vectors [][]float64, p, q int) {
	if math.Abs(a[p][q]) < 1e-18 {
		return
	}
	theta := (a[q][q] - a[p][p]) / (2 * a[p][q])
	t := 1 / (math.Abs(theta) + math.Sqrt(float64(theta*theta)+1))
	if theta < 0 {
		t = -t
	}
	c := 1 / math.Sqrt(float64(t*t)+1)
	s := float64(t * c)
	turn(a[p], a[q], c, s)
	for _, row := range a {
		row[p], row[q] = float64(c*row[p])-float64(s*row[q]), float64(s*row[p])+float64(c*row[q])
	}
	turn(vectors[p], vectors[q], c, s)
}

func turn(x, y []float64, c, s float64) {
	for i := range x {
		x[i], y[i] = float64(c*x[i])-float64(s*y[i]), float64(s*x[i])+float64(c*y[i])
	}
}

func upright(v []float64) []float64 {
	largest := 0
	for i := range v {
		if math.Abs(v[i]) > math.Abs(v[largest]) {
			largest = i
		}
	}
	if v[largest] < 0 {
		for i := range v {
			v[i] = -v[i]
		}
	}
	return v
}

// weights are the smooth inverse frequencies a / (a + p) of Arora et al. (ICLR
// 2017).
func weights(n int) []float64 {
	const a = 1e-4
	weight := frequencies(n)
	for t, p := range weight {
		weight[t] = a / (a + p)
	}
	return weight
}

// frequencies are by Zipf's law from the place in the vocabulary, which is sorted by
// frequency from the first ordinary token on.
func frequencies(n int) []float64 {
	var sum float64
	share := make([]float64, n)
	for t := range share {
		share[t] = 1 / math.Max(float64(t-(ordinary-2)), 2)
		if t >= ordinary {
			sum += share[t]
		}
	}
	for t := range share {
		share[t] /= sum
	}
	return share
}
