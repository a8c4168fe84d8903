//go:build !amd64

package main

func product4(x, columns, y []float32, in, stride int) {
	product4Portable(x, columns, y, in, stride)
}
