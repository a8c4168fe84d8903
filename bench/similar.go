package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"time"

	"consilience/cluster/embed/static"
	"consilience/command"
	"consilience/identity"
	"consilience/reason"
	"consilience/recall/selection"
)

// similar measures recalls of 20 results by similar text, from the request's departure
// to its reply, with all items in one space and in several: the first one, which finds
// nothing in memory, and those after it.
func (w *world) similar(ctx context.Context, cfg config) error {
	sentences, err := readSentences(cfg.similar)
	if err != nil {
		return err
	}
	for _, count := range []int{1, spaces} {
		if err := w.similarIn(ctx, cfg, count, sentences); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) similarIn(ctx context.Context, cfg config, count int, s *sentences) error {
	name := fmt.Sprintf("%d texts in %d spaces", cfg.items, count)
	who, err := w.embedded(ctx, cfg, count, s)
	if err != nil {
		return err
	}
	readers := make([]*speaker, count)
	for n, speaker := range who {
		if readers[n], err = w.reader(ctx, speaker.space); err != nil {
			return err
		}
	}
	ask := s.asked()
	if err := w.rest(ctx); err != nil {
		return err
	}
	if err := w.first(ctx, name, readers, ask); err != nil {
		return err
	}
	seen, results, err := w.recallAll(ctx, readers, ask)
	if err != nil {
		return err
	}
	slices.Sort(seen)
	fmt.Printf("recall by similar text, %s, %.1f results: p50 %v, p99 %v of %d (wanted: p99 under 50ms at 20 results); %d workers, peak memory of one %d MB\n",
		name, results, quantile(seen, 0.5), quantile(seen, 0.99), len(seen), workers, w.peak()>>20)
	return nil
}

// embedded fills spaces with texts and makes the built-in model theirs. A space that
// has it from the beginning takes the same texts some five times slower, and joins a
// few of them: its items would be fewer.
func (w *world) embedded(ctx context.Context, cfg config, count int, s *sentences) (who []*speaker, err error) {
	for n := range count {
		id := fmt.Sprintf("%d-%d", count, n)
		speaker, err := w.speaker(ctx, "similar-"+id, "similar-"+id, command.DefaultPolicy())
		if err != nil {
			return nil, err
		}
		speaker.text = s.varied(n)
		who = append(who, speaker)
	}
	began := time.Now()
	const step = 100_000
	for rest := cfg.items; rest > 0; rest -= step {
		if _, err := w.load(ctx, cfg, who, min(rest, step)); err != nil {
			return nil, err
		}
	}
	filled := time.Since(began)
	began = time.Now()
	policy := command.DefaultPolicy()
	policy.Embedder, policy.Threshold = static.Name, 800_000
	for _, speaker := range who {
		if _, err := w.operatorFact(ctx, command.KindPolicy, command.PolicyChange{Space: speaker.space, Policy: policy}); err != nil {
			return nil, err
		}
	}
	if err := w.vectors(ctx, who, cfg.items); err != nil {
		return nil, err
	}
	fmt.Printf("%d texts in %d spaces without a model: %.0f texts/s, publish to committed; given the built-in model then, embedded in %v\n",
		cfg.items, count, float64(cfg.items)/filled.Seconds(), time.Since(began).Round(time.Second))
	return who, nil
}

// vectors waits until the spaces of speakers have the vectors of n texts.
func (w *world) vectors(ctx context.Context, who []*speaker, n int) error {
	names := make([]string, len(who))
	for i, s := range who {
		names[i] = s.space
	}
	for have := 0; have < n; {
		err := w.pool.QueryRow(ctx, "SELECT count(*) FROM consilience.vector JOIN consilience.space USING (space) WHERE name = ANY ($1)", names).Scan(&have)
		if err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(2 * time.Second): // counting takes a while, too
		}
	}
	return nil
}

// rest waits until Postgres vacuums nothing: after a fill it does, on every processor.
func (w *world) rest(ctx context.Context) error {
	for busy := true; busy; {
		err := w.pool.QueryRow(ctx, "SELECT count(*) > 0 FROM pg_stat_activity WHERE backend_type = 'autovacuum worker'").Scan(&busy)
		if err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Second): // it looks for work every 5 s
		}
	}
	return nil
}

// reader enrolls a contributor that says nothing: whatever it is shown is stated on the
// log.
func (w *world) reader(ctx context.Context, space string) (*speaker, error) {
	key, err := identity.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	r := &speaker{key: key, name: "reader-" + space, space: space}
	last, err := w.operatorFact(ctx, command.KindEnroll, command.Enroll{Key: key.Public(), Name: r.name, Spaces: []string{space}})
	if err != nil {
		return nil, err
	}
	return r, w.reached(ctx, last, space)
}

// asked returns queries like the texts, and every second one of some words only.
func (s *sentences) asked() func(*speaker, int) selection.Request {
	next := s.varied(-1)
	return func(_ *speaker, n int) selection.Request {
		text := next()
		if words := strings.Fields(text); n%2 == 1 {
			text = strings.Join(words[:min(3, len(words))], " ")
		}
		return selection.Request{Query: selection.Query{Similar: text}}
	}
}

// first recalls from each space until the vectors are in the memory of every worker,
// as far as its share of the requests tells.
func (w *world) first(ctx context.Context, name string, readers []*speaker, ask func(*speaker, int) selection.Request) error {
	const rounds = 25
	for round := range rounds {
		for n, r := range readers {
			began, again := time.Now(), 0
			for {
				_, err := w.recallOnce(ctx, r, ask(r, n))
				if err == nil {
					break
				}
				if reason.Of(err) != reason.TimedOut {
					return err
				}
				again++
			}
			if took := time.Since(began); round == 0 || took > time.Second {
				fmt.Printf("recall by similar text, %s, space %d, number %d: %v, timed out %d times before\n", name, n, round, took.Round(time.Millisecond), again)
			}
		}
	}
	return nil
}
