package main

import "golang.org/x/sys/cpu"

//go:noescape
func product4AVX(x, columns, y *float32, in, stride int)

func product4(x, columns, y []float32, in, stride int) {
	if !cpu.X86.HasAVX {
		product4Portable(x, columns, y, in, stride)
		return
	}
	_ = y[3*stride+panel-1]
	product4AVX(&x[0], &columns[0], &y[0], in, stride)
}
