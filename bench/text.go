package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"consilience/cluster/embed/static"
	"consilience/cluster/measure"
	"consilience/command"
)

// texts measures new texts through the whole system, publish to committed, under the
// built-in model: varied ones in one space, which one worker merges alone, varied
// ones in several spaces, and texts that are all similar to each other.
func (w *world) texts(ctx context.Context, cfg config) error {
	sentences, err := readSentences(cfg.text)
	if err != nil {
		return err
	}
	for _, kind := range []struct {
		name   string
		spaces int
		text   func(seed int) func() string
	}{
		{"varied texts, one space", 1, sentences.varied},
		{"varied texts, 8 spaces", spaces, sentences.varied},
		{"near-identical facts, 8 spaces", spaces, facts},
	} {
		if err := w.textsOf(ctx, cfg, kind.name, kind.spaces, kind.text); err != nil {
			return err
		}
	}
	return nil
}

// textsOf fills spaces with texts and measures the rate at which more are committed.
func (w *world) textsOf(ctx context.Context, cfg config, name string, count int, text func(seed int) func() string) error {
	policy := command.DefaultPolicy()
	policy.Embedder, policy.Threshold = static.Name, 800_000
	var who []*speaker
	for n := range count {
		id := fmt.Sprintf("texts-%d-%d", len(name), n)
		s, err := w.speaker(ctx, "speaker-"+id, "space-"+id, policy)
		if err != nil {
			return err
		}
		s.text = text(n)
		who = append(who, s)
	}
	began := time.Now()
	if _, err := w.load(ctx, cfg, who, cfg.items); err != nil {
		return err
	}
	filled := float64(cfg.items) / time.Since(began).Seconds()
	before := w.spent()
	rate, err := w.load(ctx, cfg, who, cfg.sample)
	if err != nil {
		return err
	}
	fmt.Printf("%s, publish to committed, deltas of %d: %.0f texts/s at %d texts (wanted: 2,000), %.0f texts/s until there; %d workers, peak memory of one %d MB\n",
		name, cfg.batch, rate, cfg.items, filled, workers, w.peak()>>20)
	fmt.Printf("  %s\n", w.spent().since(before))
	return nil
}

// sentences are of people, cut in thirds of some words each.
type sentences struct{ thirds [3][]string }

// readSentences reads the files of pairs in a folder.
func readSentences(folder string) (*sentences, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.tsv"))
	if err != nil {
		return nil, err
	}
	s := &sentences{}
	known := map[string]bool{}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		pairs, err := measure.ReadPairs(f)
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, p := range pairs {
			if !known[p.A] {
				s.add(p.A)
			}
			known[p.A] = true
		}
	}
	if len(s.thirds[0]) == 0 {
		return nil, fmt.Errorf("%s: no pairs of sentences in it", folder)
	}
	return s, nil
}

func (s *sentences) add(text string) {
	words := strings.Fields(text)
	if len(words) < 6 {
		return
	}
	for i := range s.thirds {
		s.thirds[i] = append(s.thirds[i], strings.Join(words[len(words)*i/3:len(words)*(i+1)/3], " "))
	}
}

// varied returns texts of thirds that belong to different sentences, none twice.
func (s *sentences) varied(seed int) func() string {
	r := rand.New(rand.NewPCG(uint64(seed), 1))
	said := map[string]bool{}
	return func() string {
		for {
			var parts []string
			for _, third := range s.thirds {
				parts = append(parts, third[r.IntN(len(third))])
			}
			if text := strings.Join(parts, " "); !said[text] {
				said[text] = true
				return text
			}
		}
	}
}

// facts returns operational facts that differ in a host, a service and a version.
func facts(seed int) func() string {
	services := []string{"nginx", "postgres", "redis", "consul", "envoy"}
	n := 0
	return func() string {
		n++
		return fmt.Sprintf("web-%d-%02d runs %s 1.%d.%d", seed, n/100, services[n%5], n%20, n/20%5)
	}
}
