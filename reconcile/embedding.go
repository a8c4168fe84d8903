package reconcile

import (
	"context"
	"time"

	"consilience/cluster/embed"
	"consilience/command"
	"consilience/fleet"
	"consilience/merge"
)

// tellEvery is how often a log line says how far embedding is.
const tellEvery = 5 * time.Second

// embedAhead embeds, beside the merge, the founding texts of the partition's spaces
// under the model of each space's newest policy, whether the merge has come to that
// policy or not, until ctx ends. What is embedded already costs a look.
func (p *partition) embedAhead(ctx context.Context) {
	retry := backoff{first: 200 * time.Millisecond, most: 10 * time.Second}
	done := map[int32]string{}
	for ctx.Err() == nil {
		last := p.fleet.Last()
		if err := p.embedSpaces(ctx, done); err != nil {
			if ctx.Err() == nil {
				p.logger.WarnContext(ctx, "embedding interrupted", "partition", p.number, "reason", codeOf(err), "error", err)
			}
			retry.wait(ctx)
			continue
		}
		retry.reset()
		_ = p.fleet.Wait(ctx, last+1) // its only error is that ctx has ended
	}
}

// embedSpaces embeds each of the partition's spaces that is not done under its
// model, and marks it so.
func (p *partition) embedSpaces(ctx context.Context, done map[int32]string) error {
	var spaces []fleet.Space
	p.fleet.Now(func(v fleet.View) {
		for _, s := range v.Spaces() {
			if command.Partition(s.Name) == p.number && s.Policy.Embedder != embed.None && done[s.Num] != s.Policy.Embedder {
				spaces = append(spaces, s)
			}
		}
	})
	for _, s := range spaces {
		if err := p.cfg.Finders.Embed(ctx, s, p.told(ctx, s)); err != nil {
			return err
		}
		done[s.Num] = s.Policy.Embedder
	}
	return nil
}

// told says how far the embedding of a space is: in the metrics at once, in the log
// now and then.
func (p *partition) told(ctx context.Context, space fleet.Space) Told {
	began := p.cfg.Clock.Now()
	var said time.Time
	return func(done, all int) {
		p.metrics.embedding(p.number, space.Num, all-done)
		now := p.cfg.Clock.Now()
		message := "embedding"
		switch {
		case done == all:
			message = "embedded"
		case now.Sub(said) < tellEvery:
			return
		}
		said = now
		p.logger.InfoContext(ctx, message, "partition", p.number, "space", space.Name, "model", space.Policy.Embedder,
			"done", done, "all", all, "duration_ms", now.Sub(began).Milliseconds())
	}
}

// findings are the finders of the next transaction, by space. Those that were begun
// before an error come with it.
func (p *partition) findings(ctx context.Context, entries []merge.Entry) (all map[int32]Finding, err error) {
	defer guard(&err)
	all = map[int32]Finding{}
	lanes, _ := p.lanes(p.number, entries)
	for _, l := range lanes {
		if len(l.entries) == 0 {
			continue
		}
		f, err := p.cfg.Finders.Begin(ctx, l.space, l.entries, p.told(ctx, l.space))
		if err != nil {
			return all, err
		}
		if f != nil {
			all[l.space.Num] = f
		}
	}
	return all, nil
}
