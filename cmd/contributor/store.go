package main

import (
	"context"
	"errors"
	"net"
	"net/url"
	"os"
	"time"

	"consilience/agent"
	"consilience/bus"
	"consilience/identity"
	"consilience/internal/cli"
	"consilience/reason"
	"consilience/wire"
)

// place is where the store is.
type place struct {
	nats        string
	store       [32]byte
	operatorKey string // path of an operator's private key, "" where none is at hand
	dev         string // folder of the dev store, "" for another
}

// find says where the store is: --dir, else --nats, else a running dev store in
// the default folder, else where the contributor reached its store last. h may be
// nil. Whatever was not named on the command line is said.
func (a *app) find(h *agent.Home) (place, error) {
	switch {
	case a.dir != "":
		return a.devStore(a.dir)
	case a.nats != "":
		return a.named(h)
	}
	var bound agent.Binding
	if h != nil {
		var err error
		if bound, err = h.Binding(); err != nil {
			return place{}, err
		}
	}
	p, err := a.devStore(cli.DefaultDir())
	if err == nil && (bound.Store == "" || bound.Store == wire.Text(p.store)) {
		a.Say("using the dev store in %s", cli.DefaultDir())
		return p, nil
	}
	if bound.NATS != "" {
		a.Say("using the store at %s, as before", bound.NATS)
		a.nats = bound.NATS
		return a.named(h)
	}
	return place{}, cli.Nowhere("--nats and --store")
}

func (a *app) devStore(dir string) (place, error) {
	e, err := cli.ReadEndpoints(dir)
	if err != nil {
		return place{}, err
	}
	store, err := wire.ParseText(e.Store)
	if err != nil {
		return place{}, reason.Wrap(reason.UsageError, err, "endpoints.json holds no store id").On(dir)
	}
	return place{nats: e.NATS, store: store, operatorKey: e.OperatorKey, dev: dir}, nil
}

// named is the store of --nats: --store names it, or the contributor knows it.
func (a *app) named(h *agent.Home) (place, error) {
	p := place{nats: a.nats}
	var err error
	if a.store != "" {
		if p.store, err = wire.ParseText(a.store); err != nil {
			return p, reason.Wrap(reason.UsageError, err, "not a store id").On("--store")
		}
		return p, nil
	}
	if h == nil {
		return p, reason.New(reason.UsageError, "an address needs the store's id").On("--store")
	}
	if p.store, err = h.Store(); err != nil {
		return p, reason.New(reason.UsageError, "no store is known yet").On("--store").Advise("name the store's id once, with --store")
	}
	return p, nil
}

// dialPatience bounds one attempt to reach a store.
const dialPatience = 5 * time.Second

// reach binds a home to the store and connects to it. The home is bound first, so
// that it can seal deltas while the store is away.
func (a *app) reach(ctx context.Context, h *agent.Home) (*agent.Session, func(), error) {
	p, err := a.find(h)
	if err != nil {
		return nil, nil, err
	}
	if err := h.Bind(p.store, p.nats); err != nil {
		return nil, nil, err
	}
	a.warnPlain(p.nats)
	ctx, cancel := context.WithTimeout(ctx, dialPatience)
	defer cancel()
	c, err := bus.DialContributor(ctx, p.nats, h.Key(), h.ID())
	if err != nil {
		return nil, nil, cli.Gone(p.dev, err)
	}
	s, err := h.Connect(agent.ContributorLink(c))
	if err != nil {
		c.Close()
		return nil, nil, err
	}
	return s, c.Close, nil
}

// warnPlain says so when contents would travel over a network in the clear
// (N-67).
func (a *app) warnPlain(nats string) {
	u, err := url.Parse(nats)
	if err != nil || u.Scheme == "tls" || u.Scheme == "wss" {
		return
	}
	if ip := net.ParseIP(u.Hostname()); u.Hostname() == "localhost" || ip != nil && ip.IsLoopback() {
		return
	}
	a.Say("warning: %s is not encrypted; contents can be read on the way. Use tls:// unless the network is trusted", u.Redacted())
}

// operator reads an operator's private key.
func operator(path string) (identity.PrivateKey, error) {
	file, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return identity.PrivateKey{}, reason.New(reason.NotFound, "no such key file").On(path)
	}
	if err != nil {
		return identity.PrivateKey{}, reason.Wrap(reason.UsageError, err, "key file cannot be read").On(path)
	}
	key, err := identity.ParsePrivate(file)
	if err != nil {
		return key, cli.BadKey(path, err)
	}
	return key, nil
}

// offline reports that an error means the store could not be reached.
func offline(err error) bool {
	code := reason.Of(err)
	return code == reason.Unreachable || code == reason.TimedOut
}
