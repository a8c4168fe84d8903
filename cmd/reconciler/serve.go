package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"consilience/bus"
	"consilience/internal/cli"
	"consilience/internal/wiring"
	"consilience/migrations"
	"consilience/reconcile"
	"consilience/wire"
)

func (a *app) serveCommand() *cobra.Command {
	var address, name string
	c := &cobra.Command{
		Use:   "serve",
		Short: "Run a worker; any number of them against one NATS and one Postgres",
		Long: `Run a worker. Any number of them share the 16 partitions of one log and take over
within 5 seconds from one that dies. It needs the store id, which is its one trust
root, and a service key that the store's genesis or operators named.`,
		Example: `  reconciler serve --nats nats://127.0.0.1:4222 --postgres postgres://… --store … --service-key service.key`,
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return a.serve(c.Context(), address, name)
		},
	}
	c.Flags().StringVar(&address, "http", "127.0.0.1:0", "address of /healthz and /metrics")
	c.Flags().StringVar(&name, "name", "", "name of this worker; default: host, process id and a random part")
	return c
}

func (a *app) serve(ctx context.Context, address, name string) error {
	id, err := a.storeID()
	if err != nil {
		return err
	}
	if a.serviceKeyFile == "" {
		return missing("service-key")
	}
	key, err := readKey(a.serviceKeyFile)
	if err != nil {
		return err
	}
	store, err := a.openStore(ctx)
	if err != nil {
		return err
	}
	defer store.Close()
	b, err := a.openBus(ctx, a.serviceKeyFile)
	if err != nil {
		return err
	}
	defer b.Close()
	if err := b.VerifyStream(ctx); err != nil {
		return err
	}
	config := reconcile.Config{StoreID: id, Key: key, Name: name, Logger: a.logger()}
	log, wired := wiring.Log{Bus: b}, wiring.Store{Store: store}
	w, err := reconcile.NewWorker(ctx, config, log, wired, log)
	if err != nil {
		return err
	}
	web, err := serveHTTP(address, w)
	if err != nil {
		return err
	}
	defer web.close()
	stop, err := wiring.Serve(ctx, b, reconcile.NewService(w, wired, version))
	if err != nil {
		return err
	}
	defer stop()
	a.Say("serving store %s; health on %s/healthz", wire.Text(id), web.url)
	return w.Run(ctx)
}

func (a *app) initCommand() *cobra.Command {
	var keys string
	var replicas int
	c := &cobra.Command{
		Use:   "init",
		Short: "Found a store on a NATS of one's own: keys, stream, genesis",
		Long: `Found a store on a NATS of one's own: makes operator.key and service.key in --keys
unless they are there, the stream unless it is there, and publishes the genesis to
an empty log. Run twice, it changes nothing and prints the same store id.`,
		Example: "  reconciler init --nats nats://127.0.0.1:4222 --keys ./keys --replicas 3",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return a.found(c.Context(), keys, replicas)
		},
	}
	c.Flags().StringVar(&keys, "keys", ".", "folder for operator.key and service.key")
	c.Flags().IntVar(&replicas, "replicas", 1, "copies of the log; 3 in production")
	return c
}

// founded is what init prints.
type founded struct {
	Store       string `json:"store"`
	OperatorKey string `json:"operator_key"`
	ServiceKey  string `json:"service_key"`
}

func (a *app) found(ctx context.Context, keys string, replicas int) error {
	if a.nats == "" {
		return missing("nats")
	}
	f := founded{OperatorKey: filepath.Join(keys, operatorKeyFile), ServiceKey: filepath.Join(keys, serviceKeyFile)}
	operator, err := loadOrMakeKey(f.OperatorKey)
	if err != nil {
		return err
	}
	service, err := loadOrMakeKey(f.ServiceKey)
	if err != nil {
		return err
	}
	b, err := bus.Open(ctx, a.nats, bus.Options{Key: &operator, Replicas: replicas})
	if err != nil {
		return err
	}
	defer b.Close()
	if err := b.EnsureStream(ctx); err != nil {
		return err
	}
	id, err := foundStore(ctx, b, operator, service)
	if err != nil {
		return err
	}
	f.Store = wire.Text(id)
	return a.Print(f, func(w io.Writer) {
		fmt.Fprintf(w, "store %s\noperator key %s\nservice key  %s\n", f.Store, f.OperatorKey, f.ServiceKey)
	})
}

func (a *app) migrateCommand() *cobra.Command {
	var to int64
	var status bool
	c := &cobra.Command{
		Use: "migrate", Short: "Bring the schema up or down", Args: cobra.NoArgs,
		Example: `  reconciler migrate --postgres postgres://…
  reconciler migrate --status
  reconciler migrate --to 3`,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := a.locate(); err != nil {
				return err
			}
			if a.postgres == "" {
				return missing("postgres")
			}
			if !status {
				report, err := migrations.Migrate(c.Context(), a.postgres, to)
				if err != nil {
					return err
				}
				for _, note := range report.Notes {
					a.Say("%s", note)
				}
			}
			steps, err := migrations.Status(c.Context(), a.postgres)
			if err != nil {
				return err
			}
			return a.Print(steps, func(w io.Writer) {
				rows := [][]string{}
				for _, m := range steps {
					at := "-"
					if m.Applied {
						at = m.At.UTC().Format(time.RFC3339)
					}
					rows = append(rows, []string{strconv.FormatInt(m.Version, 10), m.Name, at})
				}
				cli.Table(w, []string{"VERSION", "NAME", "APPLIED"}, rows)
			})
		},
	}
	c.Flags().Int64Var(&to, "to", migrations.Latest, "version to go to, up or down; -1: the newest")
	c.Flags().BoolVar(&status, "status", false, "show the versions and change nothing")
	return c
}
