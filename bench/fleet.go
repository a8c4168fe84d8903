package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"time"

	"consilience/bus"
	"consilience/command"
	"consilience/delta"
	"consilience/identity"
	"consilience/record"
)

// spaces is how many spaces share the load; two land on most partitions of a worker.
const spaces = 8

// speaker is a contributor of one space that says new things.
type speaker struct {
	key   identity.PrivateKey
	name  string
	space string
	seq   uint64
	said  int
	text  func() string // what it says next, nil for claims
}

// assemble makes the spaces and one speaker in each.
func (w *world) assemble(ctx context.Context) error {
	if len(w.fleet) > 0 {
		return nil
	}
	for n := range spaces {
		s, err := w.speaker(ctx, fmt.Sprintf("speaker-%d", n), fmt.Sprintf("space-%d", n), command.DefaultPolicy())
		if err != nil {
			return err
		}
		w.fleet = append(w.fleet, s)
	}
	return nil
}

// speaker makes a space, and a contributor that speaks there alone.
func (w *world) speaker(ctx context.Context, name, space string, p command.Policy) (*speaker, error) {
	if _, err := w.operatorFact(ctx, command.KindSpace, command.Space{Name: space, Policy: p}); err != nil {
		return nil, err
	}
	s := &speaker{name: name, space: space}
	var err error
	if s.key, err = identity.GenerateKey(rand.Reader); err != nil {
		return nil, err
	}
	last, err := w.operatorFact(ctx, command.KindEnroll, command.Enroll{Key: s.key.Public(), Name: name, Spaces: []string{space}})
	if err != nil {
		return nil, err
	}
	return s, w.reached(ctx, last, space)
}

// child derives a speaker from s.
func (w *world) child(ctx context.Context, s *speaker, name string) (*speaker, error) {
	key, err := identity.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	d := command.Derive{Child: key.Public(), Name: name, Parents: []identity.ID{s.key.Public().ID()}}
	_, err = w.fact(ctx, command.KindDerive, d, key.Public().ID(), s.key, key)
	return &speaker{key: key, name: name, space: s.space}, err
}

// say seals a delta of n new contents.
func (s *speaker) say(store [32]byte, n int) (bus.Msg, record.ID, error) {
	now := uint64(time.Now().UnixMilli())
	id := s.key.Public().ID()
	d := delta.Delta{Store: store, Space: s.space, Contributor: id, Sequence: s.seq + 1, CreatedAt: now}
	records := make([]record.Record, n)
	for i := range n {
		s.said++
		kind, content, err := s.content()
		if err != nil {
			return bus.Msg{}, record.ID{}, err
		}
		if records[i], err = record.New(kind, content, nil, id, now); err != nil {
			return bus.Msg{}, record.ID{}, err
		}
		d.New = append(d.New, delta.New{Record: records[i].ID, Base: 900_000})
	}
	raw, _, err := delta.Seal(d, records, s.key)
	s.seq++
	return bus.Msg{Subject: command.DeltaSubject(s.space, id), Data: raw}, records[0].ID, err
}

// content is what the speaker says next.
func (s *speaker) content() (record.Kind, []byte, error) {
	if s.text != nil {
		return record.Text, []byte(s.text()), nil
	}
	claim, err := json.Marshal(map[string]any{
		"subject": fmt.Sprintf("host-%06d.%s.example", s.said, s.name), "predicate": "kernel", "value": fmt.Sprintf("6.%d.%d", s.said%17, s.said%211),
	})
	return record.Structured, claim, err
}

// sealed are deltas of n claims each, count items in all, the speakers in turn.
func (w *world) sealed(who []*speaker, count, n int) ([]bus.Msg, error) {
	msgs := make([]bus.Msg, 0, count/n)
	for i := 0; i < count/n; i++ {
		m, _, err := who[i%len(who)].say(w.store, n)
		if err != nil {
			return nil, err
		}
		msgs = append(msgs, m)
	}
	return msgs, nil
}

// publish puts messages on the log in batches and returns the last sequence.
func (w *world) publish(ctx context.Context, msgs []bus.Msg) (last uint64, err error) {
	const chunk = 200
	for len(msgs) > 0 {
		n := min(chunk, len(msgs))
		if last, err = w.bus.PublishBatch(ctx, msgs[:n]); err != nil {
			return last, err
		}
		msgs = msgs[n:]
	}
	return last, nil
}
