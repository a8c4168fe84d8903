package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"consilience/agent"
	"consilience/bus"
	"consilience/command"
	"consilience/identity"
	"consilience/internal/cli"
	"consilience/reason"
	"consilience/record"
	"consilience/wire"
)

// outcomeWait is how long a contributor of the play waits for its outcomes.
const outcomeWait = 20 * time.Second

// play is a story in progress: who is on stage, and what has happened.
type play struct {
	app     *app
	stack   *stack
	desk    *desk
	homes   string
	actors  map[string]*actor
	space   string
	cast    []string // who entered since the last roster
	summary summary
	out     io.Writer
}

// actor is a contributor of the story.
type actor struct {
	home    *agent.Home
	conn    *bus.Contributor
	session *agent.Session
}

func newPlay(a *app, s *stack, homes string) *play {
	out := a.People()
	if a.JSON {
		out = io.Discard
	}
	return &play{
		app: a, stack: s, homes: homes, actors: map[string]*actor{}, out: out,
		desk:    &desk{app: a, key: s.operator, id: s.storeID, bus: s.bus, store: s.store, fleet: s.worker.Fleet()},
		summary: summary{Store: wire.Text(s.storeID)},
	}
}

func (p *play) close() {
	for _, a := range p.actors {
		if a.conn != nil {
			a.conn.Close()
		}
		a.home.Close()
	}
}

// do plays one step.
func (p *play) do(ctx context.Context, s step) error {
	acts := map[string]func(context.Context, step) error{
		"say": p.say, "space": p.makeSpace, "enroll": p.enroll, "derive": p.derive, "roster": p.roster, "push": p.push,
		"pull": p.pull, "revise": p.revise, "forget": p.forget, "confirm": p.confirm, "before": p.before, "after": p.after,
		"explain": p.explain, "quarantine": p.quarantine, "replay": p.replay,
	}
	act, ok := acts[s.Do]
	if !ok {
		return reason.New(reason.Malformed, "no such step").On(s.Do)
	}
	return act(ctx, s)
}

func (p *play) say(_ context.Context, s step) error {
	heading(p.out, s.Text)
	for _, line := range s.More {
		fmt.Fprintf(p.out, "  %s\n", line)
	}
	return nil
}

func (p *play) makeSpace(ctx context.Context, s step) error {
	p.space = s.Space
	_, err := p.desk.fact(ctx, command.KindSpace, command.Space{Name: s.Space, Policy: command.DefaultPolicy()})
	return err
}

func (p *play) enroll(ctx context.Context, s step) error {
	home, err := agent.Create(filepath.Join(p.homes, s.Who), agent.Options{Name: s.Who})
	if err != nil {
		return err
	}
	e := command.Enroll{Key: home.Key().Public(), Name: s.Who, Spaces: []string{p.space}, Vouched: s.Vouched, Origin: s.Origin}
	if _, err := p.desk.fact(ctx, command.KindEnroll, e); err != nil {
		return err
	}
	if s.Vouched {
		s.Note += ", vouched for"
	}
	p.present(s.Who, s.Note)
	return p.enter(ctx, s.Who, home)
}

// enter connects an actor to the store.
func (p *play) enter(ctx context.Context, name string, home *agent.Home) error {
	if err := home.Bind(p.stack.storeID, p.stack.nats.URL()); err != nil {
		return err
	}
	conn, err := bus.DialContributor(ctx, p.stack.nats.URL(), home.Key(), home.ID())
	if err != nil {
		return err
	}
	session, err := home.Connect(agent.ContributorLink(conn))
	if err != nil {
		return err
	}
	p.actors[name] = &actor{home: home, conn: conn, session: session}
	return nil
}

func (p *play) derive(ctx context.Context, s step) error {
	parent, err := p.actor(s.From)
	if err != nil {
		return err
	}
	home, err := agent.Derive(filepath.Join(p.homes, s.Who), agent.Options{Name: s.Who}, parent.home)
	if err != nil {
		return err
	}
	if err := p.enter(ctx, s.Who, home); err != nil {
		return err
	}
	child := p.actors[s.Who]
	if _, err := child.session.SendDerivation(ctx); err != nil {
		return err
	}
	if err := p.known(ctx, home.ID()); err != nil {
		return err
	}
	child.conn.Close() // connect again: what a key may do is asked at the door
	p.present(s.Who, s.Note)
	return p.enter(ctx, s.Who, home)
}

// known waits until the fleet knows id.
func (p *play) known(ctx context.Context, id identity.ID) error {
	return poll(ctx, "the derivation did not arrive", func() (bool, error) {
		_, err := p.desk.contributor(id.String())
		if reason.Of(err) == reason.ContributorUnknown {
			return false, nil
		}
		return err == nil, err
	})
}

func (p *play) actor(name string) (*actor, error) {
	a, ok := p.actors[name]
	if !ok {
		return nil, reason.New(reason.Malformed, "not on stage").On(name)
	}
	return a, nil
}

func (p *play) push(ctx context.Context, s step) error {
	a, err := p.actor(s.Who)
	if err != nil {
		return err
	}
	for _, c := range s.Claims {
		content, err := c.content()
		if err != nil {
			return err
		}
		if _, err := a.home.Remember(ctx, agent.Draft{Kind: record.Structured, Content: content, Base: 900_000}); err != nil {
			return err
		}
	}
	for _, t := range s.Texts {
		if _, err := a.home.Remember(ctx, agent.Draft{Kind: record.Text, Content: []byte(t), Base: 900_000}); err != nil {
			return err
		}
	}
	pushed, err := a.session.Push(ctx, p.space, outcomeWait)
	if err != nil {
		return err
	}
	return p.report(s, pushed)
}

// report prints what became of a push.
func (p *play) report(s step, pushed agent.Pushed) error {
	counts := map[command.Action]int{}
	total := 0
	for _, o := range pushed.Outcomes {
		if o.Status == command.StatusRejected {
			return reason.New(reason.Code(o.Reason), "a delta was rejected").On(s.Who)
		}
		for _, it := range o.Items {
			counts[it.Action]++
			total++
		}
	}
	p.summary.Outcomes += total
	var parts []string
	for _, act := range []command.Action{command.ActionCreated, command.ActionJoined, command.ActionRevised, command.ActionDoubted, command.ActionEchoed, command.ActionUnchanged} {
		if n := counts[act]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, act))
		}
	}
	p.tell(s.Who, strings.Join(parts, ", "), s.Note)
	return nil
}

// tell prints what somebody did, and why it matters.
func (p *play) tell(who, what, note string) {
	fmt.Fprintln(p.out, strings.TrimRight(fmt.Sprintf("  %-14s  %-22s  %s", who, what, note), " "))
}

// present notes somebody who enters the stage; roster prints them.
func (p *play) present(who, what string) { p.cast = append(p.cast, fmt.Sprintf("%s (%s)", who, what)) }

// roster prints who is on stage, in two columns.
func (p *play) roster(context.Context, step) error {
	fmt.Fprintln(p.out)
	half := (len(p.cast) + 1) / 2
	for i := range half {
		right := ""
		if half+i < len(p.cast) {
			right = p.cast[half+i]
		}
		fmt.Fprintf(p.out, "  %-44s  %s\n", p.cast[i], right)
	}
	return nil
}

func (p *play) pull(ctx context.Context, s step) error {
	a, err := p.actor(s.Who)
	if err != nil {
		return err
	}
	pulled, err := a.session.Pull(ctx, p.space, outcomeWait)
	if err != nil {
		return err
	}
	p.tell(s.Who, "pulled "+cli.Count(pulled.Items, "item"), "")
	return nil
}
