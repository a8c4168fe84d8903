package main

import (
	"context"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"consilience/bus"
	"consilience/internal/wiring"
	"consilience/reconcile"
	"consilience/storage/postgres"
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
	return a.embedFlags(c)
}

// softMemory is how much memory a worker takes, beside the texts that others are
// compared with, before it collects garbage harder, bytes; GOMEMLIMIT says otherwise.
const softMemory = 224 << 20

func (a *app) serve(ctx context.Context, address, name string) error {
	limit := func(indexes int) {
		if os.Getenv("GOMEMLIMIT") == "" {
			debug.SetMemoryLimit(softMemory + int64(indexes)*3/2)
		}
	}
	limit(0)
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
	finders := wiring.Similar(wiring.Store{Store: store}, a.embed, false)
	finders.Resized = limit
	return a.work(ctx, b, store, reconcile.Config{StoreID: id, Key: key, Name: name, Logger: a.logger(), Finders: finders}, address)
}

// work merges and answers until ctx ends.
func (a *app) work(ctx context.Context, b *bus.Bus, store *postgres.Store, config reconcile.Config, address string) error {
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
	service := reconcile.NewService(w, wired, version)
	stopRecall, err := wiring.AddRecall(ctx, service, config, w, store)
	if err != nil {
		return err
	}
	defer stopRecall()
	stop, err := wiring.Serve(ctx, b, service)
	if err != nil {
		return err
	}
	defer stop()
	a.Say("serving store %s; health on %s/healthz", wire.Text(config.StoreID), web.url)
	return w.Run(ctx)
}
