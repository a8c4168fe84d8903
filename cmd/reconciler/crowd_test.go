package main

import (
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"testing"
	"time"

	"consilience/command"
	"consilience/delta"
	"consilience/identity"
	"consilience/record"
)

// crowd are contributors that speak to a store by what they put on its log.
type crowd struct {
	t    testing.TB
	ctx  context.Context
	s    *stack
	desk *desk
	dir  string

	id    map[string]identity.ID
	key   map[string]identity.PrivateKey
	spoke map[string]uint64 // last sequence by name and space
}

func newCrowd(t testing.TB, s *stack, dir string) *crowd {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	t.Cleanup(cancel)
	return &crowd{
		t: t, ctx: ctx, s: s, dir: dir, id: map[string]identity.ID{}, key: map[string]identity.PrivateKey{}, spoke: map[string]uint64{},
		desk: &desk{key: s.operator, id: s.storeID, bus: s.bus, store: s.store, fleet: s.worker.Fleet()},
	}
}

// create makes a contributor that nobody enrolled yet.
func (c *crowd) create(name string) error {
	k, err := identity.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	c.id[name], c.key[name] = k.Public().ID(), k
	home := filepath.Join(c.dir, name)
	if err := os.MkdirAll(home, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(home, "public.key"), identity.MarshalPublic(k.Public()), 0o600)
}

// derive makes a child of parent and waits until the fleet knows it.
func (c *crowd) derive(name, parent string) error {
	if err := c.create(name); err != nil {
		return err
	}
	child := *c.desk
	child.key, child.cosigners = c.key[name], []identity.PrivateKey{c.key[parent]}
	body := command.Derive{Child: c.key[name].Public(), Name: name, Parents: []identity.ID{c.id[parent]}}
	_, err := child.fact(c.ctx, command.KindDerive, body)
	return err
}

// said is what became of a delta.
type said struct {
	record, item string // of its last statement
	refused      string // the reason
}

// say proposes texts to a space and waits until they are merged or refused.
func (c *crowd) say(name, space string, texts ...string) (said, error) {
	var records []record.Record
	for _, text := range texts {
		r, err := c.text(name, text)
		if err != nil {
			return said{}, err
		}
		records = append(records, r)
	}
	return c.propose(name, space, records...)
}

// text is a record of a contributor that refers to others.
func (c *crowd) text(name, text string, refs ...record.Record) (record.Record, error) {
	var pairs []record.Pair
	for _, r := range refs {
		pairs = append(pairs, record.Pair{Record: r.ID, Hash: r.ContentHash})
	}
	return record.New(record.Text, []byte(text), pairs, c.id[name], uint64(time.Now().UnixMilli()))
}

// propose sends a delta of new records and waits until it is merged or refused.
func (c *crowd) propose(name, space string, records ...record.Record) (said, error) {
	c.spoke[name+" "+space]++
	d := delta.Delta{
		Store: c.s.storeID, Space: space, Contributor: c.id[name], Sequence: c.spoke[name+" "+space], CreatedAt: uint64(time.Now().UnixMilli()),
	}
	for _, r := range records {
		d.New = append(d.New, delta.New{Record: r.ID, Base: 900_000})
	}
	raw, _, err := delta.Seal(d, records, c.key[name])
	if err != nil {
		return said{}, err
	}
	seq, err := c.s.bus.Publish(c.ctx, command.DeltaSubject(space, c.id[name]), raw)
	if err != nil {
		return said{}, err
	}
	return c.became(seq, space, records[len(records)-1])
}

// became waits for the entry at seq and says what it did.
func (c *crowd) became(seq uint64, space string, r record.Record) (said, error) {
	if err := passed(c.ctx, c.s.store, command.Partition(space), seq); err != nil {
		return said{}, err
	}
	code, _, refused, err := c.s.store.Refusal(c.ctx, seq)
	if err != nil || refused {
		return said{refused: code}, err
	}
	item, err := c.s.store.ItemOf(c.ctx, space, r.Is())
	return said{record: r.ID.String(), item: item.String()}, err
}
