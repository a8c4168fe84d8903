package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"time"

	"consilience/command"
	"consilience/reason"
	"consilience/recall/selection"
)

// recalls is how many recalls are measured.
const recalls = 400

// recall measures a recall of 20 results from the full store, from the request's
// departure to its reply, and what taking the words costs.
func (w *world) recall(ctx context.Context, _ config) error {
	began := time.Now()
	for _, s := range w.fleet {
		if err := w.warm(ctx, s); err != nil {
			return err
		}
	}
	var contents int64
	if err := w.pool.QueryRow(ctx, "SELECT coalesce(sum(contents), 0) FROM consilience.search_mark").Scan(&contents); err != nil {
		return err
	}
	took := time.Since(began)
	fmt.Printf("words of %d contents taken in %v: %.0f contents/s, beside the merge\n", contents, took.Round(time.Millisecond), float64(contents)/took.Seconds())
	for _, kind := range []struct {
		name string
		ask  func(s *speaker, n int) selection.Request
	}{
		{"a rare word and two common ones", func(s *speaker, n int) selection.Request {
			return byText(fmt.Sprintf("kernel of host %06d", 1+n%s.said))
		}},
		{"a claim's key", func(s *speaker, n int) selection.Request {
			return selection.Request{Query: selection.Query{Claim: &selection.ClaimKey{
				Subject: fmt.Sprintf("host-%06d.%s.example", 1+n%s.said, s.name), Predicate: "kernel",
			}}}
		}},
		{"common words", func(*speaker, int) selection.Request { return byText("which kernel does the host run") }},
		{"a word of one in 211", func(_ *speaker, n int) selection.Request { return byText(fmt.Sprint("kernel ", n%211)) }},
	} {
		seen, results, err := w.recallAll(ctx, w.fleet, kind.ask)
		if err != nil {
			return err
		}
		slices.Sort(seen)
		fmt.Printf("recall by %s, %.1f results: p50 %v, p99 %v of %d (wanted: p99 under 50ms at 20 results)\n",
			kind.name, results, quantile(seen, 0.5), quantile(seen, 0.99), len(seen))
	}
	return nil
}

// recallAlone measures recalls and nothing else.
func (w *world) recallAlone(ctx context.Context, cfg config) error {
	for _, step := range []func(context.Context, config) error{
		func(ctx context.Context, _ config) error { return w.assemble(ctx) }, w.fill, w.recall,
	} {
		if err := step(ctx, cfg); err != nil {
			return err
		}
	}
	return nil
}

func byText(text string) selection.Request {
	return selection.Request{Query: selection.Query{Text: text}}
}

// warm asks until the words of the speaker's space are taken.
func (w *world) warm(ctx context.Context, s *speaker) error {
	for {
		_, err := w.recallOnce(ctx, s, byText("kernel"))
		if reason.Of(err) != reason.TimedOut {
			return err
		}
	}
}

// recallAll asks as the speakers in turn.
func (w *world) recallAll(ctx context.Context, who []*speaker, ask func(*speaker, int) selection.Request) (seen []time.Duration, results float64, err error) {
	total := 0
	for n := range recalls {
		s := who[n%len(who)]
		request := ask(s, n*7919)
		began := time.Now()
		reply, err := w.recallOnce(ctx, s, request)
		if err != nil {
			return nil, 0, err
		}
		seen = append(seen, time.Since(began))
		total += len(reply.Objects)
	}
	return seen, float64(total) / recalls, nil
}

func (w *world) recallOnce(ctx context.Context, s *speaker, r selection.Request) (reply command.RecallReply, err error) {
	id := s.key.Public().ID()
	q := command.Request{
		Verb: command.VerbRecall, Store: w.store, Space: s.space, Contributor: id,
		Time: uint64(time.Now().UnixMilli()), Body: command.RecallRequest{Request: r.Encode()},
	}
	if _, err := rand.Read(q.Nonce[:]); err != nil {
		return reply, err
	}
	raw, err := w.bus.Request(ctx, command.APISubject(q.Verb, id), command.SealRequest(q, s.key))
	if err != nil {
		return reply, err
	}
	answer, _, err := command.OpenReply(raw)
	if err == nil {
		err = answer.Answers(q)
	}
	if err == nil {
		err = answer.Err()
	}
	if err != nil {
		return reply, err
	}
	return answer.Body.(command.RecallReply), nil
}
