package reconcile_test

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"consilience/bus"
	"consilience/cluster/embed"
	"consilience/embedded"
	"consilience/identity"
	"consilience/internal/wiring"
	"consilience/reconcile"
	"consilience/storage/postgres"
)

// childVariable makes this test binary a process that a test can kill: a worker or
// a NATS server.
const childVariable = "RECONCILE_TEST_CHILD"

// childConfig is what a child is told.
type childConfig struct {
	Role     string // "worker" or "nats"
	NATS     string
	Secret   string
	Postgres string
	Store    string // hex
	Seed     string // hex, of the service key
	Name     string
	Dir      string // of the NATS server
	Listen   string
	Endpoint string // of embedding models
}

func TestMain(m *testing.M) {
	text := os.Getenv(childVariable)
	if text == "" {
		os.Exit(m.Run())
	}
	var cfg childConfig
	if err := json.Unmarshal([]byte(text), &cfg); err != nil {
		fail(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	run := map[string]func(context.Context, childConfig) error{"worker": childWorker, "nats": childNATS}[cfg.Role]
	if err := run(ctx, cfg); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// childWorker runs a worker until it is told to stop, or killed.
func childWorker(ctx context.Context, cfg childConfig) error {
	seed, _ := hex.DecodeString(cfg.Seed)
	key, err := identity.NewPrivateKey(seed)
	if err != nil {
		return err
	}
	id, _ := hex.DecodeString(cfg.Store)
	b, err := bus.Open(ctx, cfg.NATS, bus.Options{NATS: []nats.Option{nats.UserInfo("core", cfg.Secret)}})
	if err != nil {
		return err
	}
	defer b.Close()
	pg, err := postgres.Open(ctx, cfg.Postgres, postgres.Options{IdleInTransaction: 2 * time.Second})
	if err != nil {
		return err
	}
	defer pg.Close()
	store := wiring.Store{Store: pg}
	logger := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))
	w, err := reconcile.NewWorker(ctx, reconcile.Config{
		StoreID: [32]byte(id), Key: key, Name: cfg.Name, Logger: logger, Recheck: time.Second,
		Finders: wiring.Similar(store, embed.Options{Endpoint: cfg.Endpoint}, false),
	}, wiring.Log{Bus: b}, store, wiring.Log{Bus: b})
	if err != nil {
		return err
	}
	stop, err := wiring.Serve(ctx, b, reconcile.NewService(w, store, "test"))
	if err != nil {
		return err
	}
	defer stop()
	fmt.Println("running")
	return w.Run(ctx)
}

// childNATS runs a NATS server until it is killed.
func childNATS(ctx context.Context, cfg childConfig) error {
	n, err := embedded.StartNATS(embedded.NATSConfig{Dir: cfg.Dir, Listen: cfg.Listen, Secret: cfg.Secret})
	if err != nil {
		return err
	}
	fmt.Println("running")
	<-ctx.Done()
	n.Stop()
	return nil
}
