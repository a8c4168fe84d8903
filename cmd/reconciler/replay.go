package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"github.com/spf13/cobra"

	"consilience/bus"
	"consilience/identity"
	"consilience/internal/cli"
	"consilience/internal/wiring"
	"consilience/migrations"
	"consilience/reason"
	"consilience/reconcile"
	"consilience/storage/postgres"
)

func (a *app) replayCommand() *cobra.Command {
	var cfg replayConfig
	c := &cobra.Command{
		Use: "replay --into URL", Short: "Build a store again from its log, into an empty database", Args: cobra.NoArgs,
		Long: `Build a store again from its log, into an empty database. The store is a function
of the log, so that the digest of every space equals that of the store there is.`,
		Example: `  createdb again && reconciler replay --into postgres:///again
  reconciler replay --into postgres:///again --to 48210`,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			if cfg.store, err = a.storeID(); err != nil {
				return err
			}
			if a.serviceKeyFile == "" {
				return missing("service-key")
			}
			if cfg.key, err = readKey(a.serviceKeyFile); err != nil {
				return err
			}
			b, err := a.openBus(c.Context(), a.serviceKeyFile)
			if err != nil {
				return err
			}
			defer b.Close()
			done, err := replayLog(c.Context(), a, b, cfg)
			if err != nil {
				return err
			}
			return a.Print(done, func(w io.Writer) { fmt.Fprintf(w, "replayed up to sequence %d\n", done.Sequence) })
		},
	}
	c.Flags().StringVar(&cfg.into, "into", "", "URL of an empty Postgres database")
	c.Flags().Uint64Var(&cfg.to, "to", 0, "last stream sequence to merge; 0: all")
	_ = c.MarkFlagRequired("into")
	return a.embedFlags(c)
}

// replayConfig says what is replayed, and where to.
type replayConfig struct {
	store [32]byte
	key   identity.PrivateKey
	into  string
	to    uint64
}

// replayed is what replay prints.
type replayed struct {
	Sequence uint64 `json:"sequence"`
}

func replayLog(ctx context.Context, a *app, b *bus.Bus, cfg replayConfig) (replayed, error) {
	var done replayed
	if _, err := migrations.Migrate(ctx, cfg.into, migrations.Latest); err != nil {
		return done, into(err)
	}
	store, err := postgres.Open(ctx, cfg.into, postgres.Options{})
	if err != nil {
		return done, into(err)
	}
	defer store.Close()
	var bar *cli.Progress
	defer func() { bar.Done() }()
	r := reconcile.Replay{
		Config: reconcile.Config{
			StoreID: cfg.store, Key: cfg.key, Logger: a.loggerFrom(slog.LevelWarn), Finders: wiring.Similar(wiring.Store{Store: store}, a.embed, true),
		},
		To: cfg.to,
		Progress: func(at, last uint64) {
			if bar == nil {
				bar = a.Progress("replaying", int64(last))
			}
			done.Sequence = at
			bar.Set(int64(at))
		},
	}
	return done, r.Run(ctx, wiring.Log{Bus: b}, wiring.Store{Store: store})
}

// into names the flag that gave the database, which elsewhere is --postgres.
func into(err error) error {
	if e := (*reason.Error)(nil); errors.As(err, &e) && e.Input == "--postgres" {
		return e.On("--into")
	}
	return err
}
