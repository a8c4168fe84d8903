package main

import (
	"context"

	"consilience/agent"
	"consilience/bus"
	"consilience/internal/cli"
	"consilience/reason"
)

// connect finds the store, binds the importer to it, and connects as an operator
// where a key is at hand.
func (i *importer) connect(ctx context.Context) (err error) {
	if i.place, err = i.find(i.home); err != nil {
		return err
	}
	if err := i.home.Bind(i.place.store, i.place.nats); err != nil {
		return err
	}
	i.warnPlain(i.place.nats)
	path := i.table.operatorKey
	if path == "" {
		path = i.place.operatorKey
	}
	if path == "" {
		i.Say("no operator key is at hand: the sources are not enrolled; see --operator-key")
		return i.checkSpace(ctx)
	}
	key, err := operator(path)
	if err != nil {
		return err
	}
	i.operator = &key
	return i.connectWide(ctx)
}

// connectWide connects as an operator and reads who is enrolled, and what spaces
// there are.
func (i *importer) connectWide(ctx context.Context) (err error) {
	dialing, cancel := context.WithTimeout(ctx, dialPatience)
	defer cancel()
	if i.wide, err = bus.Open(dialing, i.place.nats, bus.Options{Name: "contributor import", Key: i.operator}); err != nil {
		return cli.Gone(i.place.dev, err)
	}
	reading, cancel := context.WithTimeout(ctx, agent.PublishPatience)
	defer cancel()
	if i.fleet, err = agent.ReadFleet(reading, i.wide, i.place.store); err != nil {
		return err
	}
	if _, known := i.fleet.Space(i.table.space); !known {
		return spaceUnknown(i.table.space)
	}
	return nil
}

func (i *importer) close() {
	if i.wide != nil {
		i.wide.Close()
	}
}

// checkSpace asks the service whether the space is there. A store that cannot be
// asked is no fault here: what is signed is kept.
func (i *importer) checkSpace(ctx context.Context) error {
	err := i.session(ctx, i.home, func(s *agent.Session) error { return s.CheckSpace(ctx, i.table.space) })
	if reason.Of(err) == reason.SpaceUnknown {
		return err
	}
	return nil
}

// link is the connection that serves a source.
func (i *importer) link(ctx context.Context, h *agent.Home) (agent.Link, func(), error) {
	if i.wide != nil {
		return agent.OperatorLink(i.wide, h.ID()), func() {}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, dialPatience)
	defer cancel()
	c, err := bus.DialContributor(ctx, i.place.nats, h.Key(), h.ID())
	if err != nil {
		return nil, nil, err
	}
	return agent.ContributorLink(c), c.Close, nil
}

// session runs f with a session of a source.
func (i *importer) session(ctx context.Context, h *agent.Home, f func(*agent.Session) error) error {
	link, closeLink, err := i.link(ctx, h)
	if err != nil {
		return err
	}
	defer closeLink()
	s, err := h.Connect(link)
	if err != nil {
		return err
	}
	return f(s)
}
