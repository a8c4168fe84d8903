package cluster

import "testing"

var benchmarkPair = [2]string{
	"A man with a hard hat is dancing in front of the old building near the river.",
	"Near the river, a man who wears a helmet dances before an ancient building.",
}

func BenchmarkRead(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Read(benchmarkPair[0])
	}
}

func BenchmarkJudge(b *testing.B) {
	x, y := Read(benchmarkPair[0]), Read(benchmarkPair[1])
	b.ReportAllocs()
	for b.Loop() {
		Judge(x, y)
	}
}
