package main

import (
	"encoding/binary"
	"math"
)

// quantise writes the file that package static reads: the number of tokens and of
// dimensions as little-endian uint32, for each token a uint16 scale, then for each
// token its values as int8. A value counts as int8 times scale.
func quantise(rows [][]float64) []byte {
	var largest float64
	for _, row := range rows {
		largest = max(largest, peak(row))
	}
	out := binary.LittleEndian.AppendUint32(nil, uint32(len(rows)))
	out = binary.LittleEndian.AppendUint32(out, dims)
	scales := make([]float64, len(rows))
	for t, row := range rows {
		scales[t] = math.Max(1, math.RoundToEven(peak(row)/largest*math.MaxUint16))
		out = binary.LittleEndian.AppendUint16(out, uint16(scales[t]))
	}
	for t, row := range rows {
		step := scales[t] / math.MaxUint16 * largest / math.MaxInt8
		for _, v := range row {
			out = append(out, byte(int8(max(-127, min(127, math.RoundToEven(v/step))))))
		}
	}
	return out
}

func peak(row []float64) float64 {
	var p float64
	for _, v := range row {
		p = max(p, math.Abs(v))
	}
	return p
}
