package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"consilience/agent"
	"consilience/agent/claims"
	"consilience/bus"
	"consilience/command"
	"consilience/fleet"
	"consilience/identity"
	"consilience/internal/cli"
	"consilience/reason"
)

// importer is an import of sources under way. mu guards enrolments and out.
type importer struct {
	*app
	mu    sync.Mutex
	home  *agent.Home
	place place
	table *table
	base  uint32
	// operator and wide are set where an operator's key is at hand: one
	// connection then serves all sources.
	operator   *identity.PrivateKey
	wide       *bus.Bus
	fleet      fleet.View // before the import, where an operator's key is at hand
	enrolments []bus.Msg  // signed and not published yet
	out        summary
}

// importClaims remembers the claims as the contributor's own; a push proposes
// them.
func (a *app) importClaims(ctx context.Context, h *agent.Home, t *table, all []claims.Claim, base uint32) error {
	if err := agent.CheckClaims(all); err != nil {
		return onFile(t.path, err)
	}
	n, err := h.RememberClaims(ctx, all, t.space, base)
	if err != nil {
		return err
	}
	return a.Print(n, func(w io.Writer) { showImported(w, n) })
}

// importSources makes every source a contributor and publishes what it says.
func (a *app) importSources(ctx context.Context, h *agent.Home, t *table, all []claims.Claim, base uint32) error {
	sources, err := agent.BySource(all)
	if err != nil {
		return onFile(t.path, err)
	}
	i := &importer{app: a, home: h, table: t, base: base}
	i.out = summary{Claims: len(all), Sources: len(sources), Refused: map[string]int{}}
	defer i.close()
	if err := i.connect(ctx); err != nil {
		return err
	}
	for _, step := range []func(context.Context, []agent.Source) error{i.write, i.enroll, i.publish, i.settle} {
		if err := step(ctx, sources); err != nil {
			return goesOn(err)
		}
	}
	if err := a.Print(i.out, func(w io.Writer) { showSummary(w, i.out) }); err != nil || len(i.out.Refused) == 0 {
		return err
	}
	return cli.No()
}

// goesOn says that an import which lost its store is not lost.
func goesOn(err error) error {
	if !offline(err) {
		return err
	}
	return reason.Wrap(reason.Of(err), err, "the store was lost; what is signed is kept").On("import").
		Advise("run the same import again, it goes on where it stopped")
}

// sourcesAtOnce is the number of sources that are worked on side by side: the time
// goes into waiting for the disk, home by home.
const sourcesAtOnce = 8

// each runs f for every source, with its home open and a bar moving. f runs for
// several sources at a time. The first error stops those that have not begun.
func (i *importer) each(label string, sources []agent.Source, f func(agent.Source, *agent.Home) error) error {
	bar := i.Progress(label, int64(i.out.Claims))
	defer bar.Done()
	var group sync.WaitGroup
	var failed error
	slots := make(chan struct{}, sourcesAtOnce)
	for _, s := range sources {
		slots <- struct{}{}
		i.mu.Lock()
		stop := failed != nil
		i.mu.Unlock()
		if stop {
			break
		}
		group.Go(func() {
			defer func() { <-slots }()
			err := i.one(s, f)
			i.mu.Lock()
			defer i.mu.Unlock()
			bar.Add(len(s.Claims))
			if err != nil && failed == nil {
				failed = fmt.Errorf("source %q: %w", s.Name, err)
			}
		})
	}
	group.Wait()
	return failed
}

func (i *importer) one(s agent.Source, f func(agent.Source, *agent.Home) error) error {
	h, err := i.home.Source(s.Name)
	if err != nil {
		return err
	}
	return errors.Join(f(s, h), h.Close())
}

// write keeps the claims in the homes of their sources, signs the deltas, and the
// enrolments that are due.
func (i *importer) write(ctx context.Context, sources []agent.Source) error {
	return i.each("writing", sources, func(s agent.Source, h *agent.Home) error {
		n, err := h.RememberClaims(ctx, s.Claims, i.table.space, i.base)
		if err != nil {
			return err
		}
		if _, err = h.Seal(ctx, i.table.space); err != nil {
			return err
		}
		var m bus.Msg
		var due bool
		if i.operator != nil {
			m, due, err = h.Enrolment(*i.operator, i.fleet, i.table.space)
		}
		i.mu.Lock()
		defer i.mu.Unlock()
		i.out.Already += n.Already
		if due {
			i.enrolments = append(i.enrolments, m)
		}
		return err
	})
}

// enroll makes the sources known, all at once, before anything they say.
func (i *importer) enroll(ctx context.Context, _ []agent.Source) error {
	if len(i.enrolments) == 0 {
		return nil
	}
	i.out.Enrolled = len(i.enrolments)
	ctx, cancel := context.WithTimeout(ctx, agent.PublishPatience)
	defer cancel()
	_, err := i.wide.PublishBatch(ctx, i.enrolments)
	return err
}

// publish sends what the outboxes hold. A source that may not publish does not
// stop the others.
func (i *importer) publish(ctx context.Context, sources []agent.Source) error {
	return i.each("publishing", sources, func(_ agent.Source, h *agent.Home) error {
		return i.session(ctx, h, func(s *agent.Session) error {
			n, err := s.Publish(ctx, i.table.space)
			i.mu.Lock()
			defer i.mu.Unlock()
			if reason.Of(err) == reason.PermissionDenied {
				i.out.Refused[string(reason.PermissionDenied)]++
				return nil
			}
			i.out.Deltas, i.out.Published = i.out.Deltas+n.Messages, i.out.Published+n.Entries
			return err
		})
	})
}

// pollEvery is how long settling rests before it asks all sources again.
const pollEvery = time.Second

// settle asks for outcomes until all are known or the wait is over. A store that
// cannot be asked is no fault here: the deltas are on its log.
func (i *importer) settle(ctx context.Context, sources []agent.Source) error {
	deadline := time.Now().Add(i.table.wait)
	for {
		err := i.ask(ctx, &sources)
		if offline(err) {
			i.Say("outcomes are not known yet: %v", err)
			return nil
		}
		if err != nil || len(sources) == 0 || time.Now().After(deadline) {
			return err
		}
		select {
		case <-ctx.Done():
			return reason.Wrap(reason.TimedOut, ctx.Err(), "stopped while waiting for outcomes")
		case <-time.After(pollEvery):
		}
	}
}

// ask asks once for the outcomes of sources and leaves those that still wait.
func (i *importer) ask(ctx context.Context, sources *[]agent.Source) error {
	var open []agent.Source
	i.out.Pending = 0
	err := i.each("waiting for outcomes", *sources, func(source agent.Source, h *agent.Home) error {
		return i.session(ctx, h, func(s *agent.Session) error {
			p, err := s.Settle(ctx, i.table.space)
			i.mu.Lock()
			defer i.mu.Unlock()
			i.count(p)
			if p.Pending > 0 {
				open = append(open, source)
			}
			return err
		})
	})
	*sources = open
	return err
}

// count takes outcomes into the summary.
func (i *importer) count(p agent.Pushed) {
	i.out.Pending += p.Pending
	for _, o := range p.Outcomes {
		if o.Status == command.StatusRejected {
			i.out.Refused[string(o.Reason)]++
			continue
		}
		i.out.Merged++
	}
}
