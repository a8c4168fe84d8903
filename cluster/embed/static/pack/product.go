package main

// matrix is a weight matrix of a linear layer, in panels of 16 columns: panel p
// holds, for each input, the weights to the outputs 16p to 16p+15.
type matrix struct {
	in, out int
	panels  []float32
	bias    []float32
}

const panel = 16

// newMatrix arranges weights given row by row, one row an output.
func newMatrix(weights, bias []float32, in, out int) matrix {
	m := matrix{in, out, make([]float32, in*out), bias}
	for o := range out {
		for i := range in {
			m.panels[(o/panel)*in*panel+i*panel+o%panel] = weights[o*in+i]
		}
	}
	return m
}

// apply returns x times the matrix, plus the bias, for rows of x in groups of four.
// Each output is summed over the inputs in ascending order, whatever the kernel.
func (m matrix) apply(x []float32) []float32 {
	rows := len(x) / m.in
	y := make([]float32, rows*m.out)
	for p := range m.out / panel {
		columns := m.panels[p*m.in*panel : (p+1)*m.in*panel]
		for r := 0; r < rows; r += 4 {
			product4(x[r*m.in:(r+4)*m.in], columns, y[r*m.out+p*panel:], m.in, m.out)
		}
	}
	for r := range rows {
		for o, b := range m.bias {
			y[r*m.out+o] += b
		}
	}
	return y
}

// product4Portable multiplies four rows of x with one panel; stride is the length
// of a row of y.
func product4Portable(x, columns, y []float32, in, stride int) {
	for r := range 4 {
		sums := y[r*stride : r*stride+panel]
		clear(sums)
		for i, v := range x[r*in : (r+1)*in] {
			for c, w := range columns[i*panel : (i+1)*panel] {
				sums[c] += float32(v * w)
			}
		}
	}
}
