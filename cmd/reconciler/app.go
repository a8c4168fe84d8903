package main

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"consilience/bus"
	"consilience/cluster/embed"
	"consilience/identity"
	"consilience/internal/cli"
	"consilience/internal/wiring"
	"consilience/reason"
	"consilience/reconcile"
	"consilience/storage/postgres"
	"consilience/wire"
)

// app is what every verb shares: where the store is and who signs.
type app struct {
	*cli.Session
	dir, nats, postgres, store  string
	operatorKey, serviceKeyFile string
	devDir                      string // folder of the dev store that gave the endpoints, "" for none
	// embed is where a model of a policy that runs elsewhere is asked.
	embed embed.Options
}

func (a *app) flags(root *cobra.Command) {
	f := root.PersistentFlags()
	f.StringVar(&a.dir, "dir", "", "folder of a dev store; gives endpoints and keys")
	f.StringVar(&a.nats, "nats", "", "URL of NATS, nats://HOST:PORT")
	f.StringVar(&a.postgres, "postgres", "", "URL of Postgres")
	f.StringVar(&a.operatorKey, "operator-key", "", "private key file of an operator")
	f.StringVar(&a.serviceKeyFile, "service-key", "", "private key file of the service")
	f.StringVar(&a.store, "store", "", "store id, the one trust root (43 characters)")
}

// embedFlags are for the verbs that merge.
func (a *app) embedFlags(c *cobra.Command) *cobra.Command {
	c.Flags().StringVar(&a.embed.Endpoint, "embed-endpoint", "", "where an embedder of a space's policy is asked, http://HOST:PORT/v1")
	c.Flags().StringVar(&a.embed.Key, "embed-key", "", "its bearer token; others on this machine do not see the variable")
	return c
}

// locate fills what the flags left open from the dev store's endpoints.json. With
// neither --dir nor an address, the dev store in the default folder is used, and
// the command says so.
func (a *app) locate() error {
	dir := a.dir
	if dir == "" {
		if a.nats != "" || a.postgres != "" {
			return nil
		}
		dir = cli.DefaultDir()
	}
	e, err := cli.ReadEndpoints(dir)
	if a.dir == "" && reason.Of(err) == reason.Unreachable {
		return cli.Nowhere("--nats and --postgres")
	}
	if err != nil {
		return err
	}
	if a.dir == "" {
		a.Say("using the dev store in %s", dir)
	}
	a.devDir = dir
	for _, f := range []struct {
		flag *string
		from string
	}{
		{&a.nats, e.NATS}, {&a.postgres, e.Postgres}, {&a.store, e.Store},
		{&a.operatorKey, e.OperatorKey}, {&a.serviceKeyFile, e.ServiceKey},
	} {
		if *f.flag == "" {
			*f.flag = f.from
		}
	}
	return nil
}

func missing(flag string) error {
	return reason.New(reason.UsageError, "not given").On("--"+flag).
		Advise("give --%s, or --dir of a running dev store", flag)
}

// openStore opens Postgres.
func (a *app) openStore(ctx context.Context) (*postgres.Store, error) {
	if err := a.locate(); err != nil {
		return nil, err
	}
	if a.postgres == "" {
		return nil, missing("postgres")
	}
	store, err := postgres.Open(ctx, a.postgres, postgres.Options{})
	return store, cli.Gone(a.devDir, err)
}

// openBus opens NATS with the key of file, which may be "" for a server without keys.
func (a *app) openBus(ctx context.Context, keyFile string) (*bus.Bus, error) {
	if err := a.locate(); err != nil {
		return nil, err
	}
	if a.nats == "" {
		return nil, missing("nats")
	}
	opts := bus.Options{}
	if keyFile != "" {
		key, err := readKey(keyFile)
		if err != nil {
			return nil, err
		}
		opts.Key = &key
	}
	b, err := bus.Open(ctx, a.nats, opts)
	return b, cli.Gone(a.devDir, err)
}

// operator reads the operator's key.
func (a *app) operator() (identity.PrivateKey, error) {
	if err := a.locate(); err != nil {
		return identity.PrivateKey{}, err
	}
	if a.operatorKey == "" {
		return identity.PrivateKey{}, missing("operator-key")
	}
	return readKey(a.operatorKey)
}

// openFleet loads the fleet as the store knows it, for commands that only read.
func (a *app) openFleet(ctx context.Context) (*reconcile.Fleet, func(), error) {
	id, err := a.storeID()
	if err != nil {
		return nil, nil, err
	}
	store, err := a.openStore(ctx)
	if err != nil {
		return nil, nil, err
	}
	f, err := reconcile.LoadFleet(ctx, id, wiring.Store{Store: store})
	if err != nil {
		store.Close()
		return nil, nil, err
	}
	return f, store.Close, nil
}

// storeID reads --store.
func (a *app) storeID() ([32]byte, error) {
	if err := a.locate(); err != nil {
		return [32]byte{}, err
	}
	if a.store == "" {
		return [32]byte{}, missing("store")
	}
	id, err := wire.ParseText(a.store)
	if err != nil {
		return id, reason.Wrap(reason.UsageError, err, "not a store id").On("--store")
	}
	return id, nil
}

func readKey(file string) (identity.PrivateKey, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return identity.PrivateKey{}, reason.Wrap(reason.NotFound, err, "cannot read the key").On(file)
	}
	key, err := identity.ParsePrivate(b)
	if err != nil {
		return key, cli.BadKey(file, err)
	}
	return key, nil
}

func readPublic(file string) (identity.PublicKey, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return identity.PublicKey{}, reason.Wrap(reason.NotFound, err, "cannot read the key").On(file).
			Advise("`contributor init` writes public.key into its home")
	}
	key, err := identity.ParsePublic(b)
	if err != nil {
		return key, cli.BadKey(file, err)
	}
	return key, nil
}
