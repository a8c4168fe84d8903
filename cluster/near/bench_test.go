package near

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"consilience/cluster/embed/static"
	"consilience/cluster/measure"
	"consilience/cluster/vector"
	"consilience/internal/testkit"
)

// BenchmarkNewTexts asks about texts and adds them, in transactions of 500, to an index
// of 100,000: of varied sentences, and of facts that are all similar.
func BenchmarkNewTexts(b *testing.B) {
	varied := sentences(b)
	n := 0
	for _, kind := range []struct {
		name string
		next func() string
	}{
		{"varied", varied},
		{"near-identical", func() string { n++; return fact(n, 0) }},
	} {
		b.Run(kind.name, func(b *testing.B) {
			x := New(threshold, static.Dims)
			for range 100_000 {
				text := textOf(kind.next())
				x.Add(itemOf(text.Text), text.Text, text.Vector)
			}
			x.Mark()
			b.ResetTimer()
			done := 0
			for b.Loop() {
				b.StopTimer()
				ask := make([]Text, 500)
				for i := range ask {
					ask[i] = textOf(kind.next())
				}
				b.StartTimer()
				x.Prepare(ask)
				for _, q := range ask {
					x.Similar(q.Text, q.Vector)
					x.Add(itemOf(q.Text), q.Text, q.Vector)
				}
				x.Mark()
				done += len(ask)
			}
			b.ReportMetric(float64(done)/b.Elapsed().Seconds(), "texts/s")
		})
	}
}

// BenchmarkSearch searches for 64 sentences at once, on one core, among others.
func BenchmarkSearch(b *testing.B) {
	next := sentences(b)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, n := range []int{100_000, 1_000_000} {
		x := vector.NewIndex(static.Dims)
		for range n {
			x.Add(model.Vector(next()))
		}
		queries := make([]vector.Vector, 64)
		for i := range queries {
			queries[i] = model.Vector(next())
		}
		for _, threshold := range []int32{750_000, 800_000, 880_000} {
			b.Run(fmt.Sprintf("%d/%d", n, threshold), func(b *testing.B) {
				done := 0
				for b.Loop() {
					x.Search(queries, threshold, 0)
					done += len(queries)
				}
				b.ReportMetric(float64(done)/b.Elapsed().Seconds(), "queries/s")
			})
		}
	}
}

// sentences returns texts of thirds of sentences that people wrote.
func sentences(b *testing.B) func() string {
	files, err := filepath.Glob(filepath.Join(testkit.Shared(b, "data/pairs"), "*.tsv"))
	if err != nil {
		b.Fatal(err)
	}
	var thirds [3][]string
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			b.Fatal(err)
		}
		pairs, err := measure.ReadPairs(f)
		f.Close()
		if err != nil {
			b.Fatal(err)
		}
		for _, p := range pairs {
			words := strings.Fields(p.A)
			for i := range thirds {
				thirds[i] = append(thirds[i], strings.Join(words[len(words)*i/3:len(words)*(i+1)/3], " "))
			}
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	return func() string {
		return fmt.Sprintf("%s %s %s", thirds[0][r.IntN(len(thirds[0]))], thirds[1][r.IntN(len(thirds[1]))], thirds[2][r.IntN(len(thirds[2]))])
	}
}
