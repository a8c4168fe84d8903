package main

import (
	"context"
	"fmt"

	"consilience/agent"
	"consilience/command"
	"consilience/reason"
	"consilience/record"
	"consilience/wire"
)

func (p *play) revise(ctx context.Context, s step) error {
	a, err := p.actor(s.Who)
	if err != nil {
		return err
	}
	old, err := p.itemOf(ctx, s.Old)
	if err != nil {
		return err
	}
	content, err := s.New.content()
	if err != nil {
		return err
	}
	_, err = a.home.Revise(ctx, old, agent.Draft{Kind: record.Structured, Content: content, Base: 900_000, Space: p.space})
	return err
}

func (p *play) forget(ctx context.Context, s step) error {
	a, err := p.actor(s.Who)
	if err != nil {
		return err
	}
	item, err := p.itemOf(ctx, s.What)
	if err != nil {
		return err
	}
	_, err = a.home.Forget(ctx, item, uint32(s.Strength*1e6), p.space)
	return err
}

func (p *play) confirm(ctx context.Context, s step) error {
	item, err := p.itemOf(ctx, s.What)
	if err != nil {
		return err
	}
	if _, err := p.desk.judge(ctx, command.KindConfirm, command.Judgement{Space: p.space, Record: record.ID(item), Reason: s.Reason}); err != nil {
		return err
	}
	p.tell("an operator", "confirms", fmt.Sprintf("%v: %s", s.What, s.Reason))
	return nil
}

// itemOf finds the item of a claim by its exact content.
func (p *play) itemOf(ctx context.Context, t triple) (record.ItemID, error) {
	content, err := t.content()
	if err != nil {
		return record.ItemID{}, err
	}
	canonical, err := record.Canonical(record.Structured, content)
	if err != nil {
		return record.ItemID{}, err
	}
	return p.stack.store.ItemOf(ctx, p.space, record.Content{Kind: record.Structured, Hash: record.Hash(wire.Hash(canonical))})
}

func (p *play) explain(ctx context.Context, s step) error {
	item, err := p.itemOf(ctx, s.What)
	if err != nil {
		return err
	}
	e, err := explainItem(ctx, p.stack.store, p.space, item)
	if err != nil {
		return err
	}
	p.summary.Explained = append(p.summary.Explained, e)
	heading(p.out, fmt.Sprintf("explain %v", s.What))
	e.short().table(p.out)
	fmt.Fprintf(p.out, "  → %s\n", s.Note)
	return nil
}

func (p *play) quarantine(ctx context.Context, s step) error {
	who, err := p.desk.contributor(s.Who)
	if err != nil {
		return err
	}
	r, err := p.desk.quarantine(ctx, command.Quarantine{Contributor: who.ID, Reason: s.Reason}, false)
	if err != nil {
		return err
	}
	r.inShort(p.out)
	return nil
}

// replay rebuilds the store from its log into an empty database of the same
// private Postgres and compares the digests.
func (p *play) replay(ctx context.Context, s step) error {
	heading(p.out, s.Title)
	into := "replayed"
	if err := p.stack.postgres.CreateDatabase(ctx, into); err != nil {
		return err
	}
	url := p.stack.postgres.URL(into)
	cfg := replayConfig{store: p.stack.storeID, key: p.stack.service, into: url}
	if _, err := replayLog(ctx, p.app, p.stack.bus, cfg); err != nil {
		return err
	}
	var err error
	if p.summary.Digest, err = spaceDigest(ctx, p.stack.postgres.URL(database), p.space); err != nil {
		return err
	}
	if p.summary.Replayed, err = spaceDigest(ctx, url, p.space); err != nil {
		return err
	}
	fmt.Fprintf(p.out, "  digest of the store   %s\n  digest of the replay  %s\n", p.summary.Digest, p.summary.Replayed)
	if p.summary.Digest != p.summary.Replayed {
		return reason.New(reason.Tampered, "the replay has another digest than the store").On("space " + p.space)
	}
	return nil
}
