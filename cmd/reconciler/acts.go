package main

import (
	"context"
	"fmt"

	"consilience/agent"
	"consilience/command"
	"consilience/internal/cli"
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
	fmt.Fprintf(p.out, "  %-15s confirms %v: %s\n", "the operator", s.What, s.Reason)
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

// show prints the store: what it holds, how sure it is, and why one may rely on it.
func (p *play) show(ctx context.Context, s step) error {
	items, err := p.stack.store.Overview(ctx, p.space, 100)
	if err != nil {
		return err
	}
	rows := make([]shown, 0, len(items))
	table := [][]string{}
	for _, it := range items {
		r := shown{it.Content, it.Confidence, it.Belief, it.Authoritative, it.Status}
		rows = append(rows, r)
		table = append(table, []string{r.Confidence, r.Belief, mark(r.Authoritative), r.Status, r.Content})
	}
	if p.summary.Before == nil {
		p.summary.Before = rows
	} else {
		p.summary.After = rows
	}
	heading(p.out, s.Title)
	cli.Table(p.out, []string{"CONFIDENCE", "BELIEF", "AUTHORITATIVE", "STATUS", "CONTENT"}, table)
	return nil
}

func mark(yes bool) string {
	if yes {
		return "yes"
	}
	return "-"
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
	heading(p.out, fmt.Sprintf("explain %v %v: %s", s.What[0], s.What[1], s.Note))
	e.table(p.out)
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
	r.table(p.out)
	return nil
}

// replay rebuilds the store from its log into an empty database of the same
// private Postgres and compares the digests.
func (p *play) replay(ctx context.Context, _ step) error {
	heading(p.out, "Replay: the store again, from the log alone, into an empty database")
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
	return nil
}
