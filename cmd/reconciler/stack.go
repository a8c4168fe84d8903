package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"consilience/bus"
	"consilience/cluster/embed"
	"consilience/embedded"
	"consilience/fleet"
	"consilience/identity"
	"consilience/internal/cli"
	"consilience/internal/wiring"
	"consilience/migrations"
	"consilience/reason"
	"consilience/reconcile"
	"consilience/storage/postgres"
	"consilience/wire"
)

// database is the name of the store's database in a private Postgres.
const database = "consilience"

// stack is a whole store in one process tree: NATS in process, a private Postgres,
// the worker and the API. dev runs it in a folder that stays, demo in one that goes.
type stack struct {
	dir      string
	operator identity.PrivateKey
	service  identity.PrivateKey
	storeID  [32]byte

	postgres *embedded.Postgres
	nats     *embedded.NATS
	bus      *bus.Bus
	store    *postgres.Store
	worker   *reconcile.Worker

	stopping []func()
	ended    chan error
}

// stackConfig says where a stack runs and whom it tells.
type stackConfig struct {
	dir    string
	logger *slog.Logger
	stderr io.Writer // shows a download of Postgres, if there is one
	// ephemeral removes the data of Postgres at the end.
	ephemeral bool
	embed     embed.Options
}

// startStack starts everything and returns when deltas are merged.
func startStack(ctx context.Context, cfg stackConfig) (s *stack, err error) {
	s = &stack{dir: cfg.dir, ended: make(chan error, 1)}
	defer func() {
		if err != nil {
			s.stop()
		}
	}()
	// Postgres runs as another user when this process is root, and has to pass. Keys are 0600.
	if err := os.MkdirAll(s.dir, 0o711); err != nil {
		return s, reason.Wrap(reason.UsageError, err, "cannot make the folder").On(s.dir)
	}
	for _, step := range []func(context.Context, stackConfig) error{s.keys, s.startPostgres, s.startNATS, s.found, s.startWorker} {
		if err := step(ctx, cfg); err != nil {
			return s, err
		}
	}
	return s, nil
}

func (s *stack) keys(_ context.Context, _ stackConfig) (err error) {
	if s.operator, err = loadOrMakeKey(filepath.Join(s.dir, operatorKeyFile)); err != nil {
		return err
	}
	s.service, err = loadOrMakeKey(filepath.Join(s.dir, serviceKeyFile))
	return err
}

func (s *stack) startPostgres(ctx context.Context, cfg stackConfig) (err error) {
	s.postgres, err = embedded.StartPostgres(ctx, embedded.PostgresConfig{
		Dir: filepath.Join(s.dir, "postgres"), Fsync: true, Ephemeral: cfg.ephemeral, Progress: cfg.stderr,
	})
	if err != nil {
		return err
	}
	s.atStop(s.postgres.Stop)
	cli.RemoveEndpoints(s.dir) // of a run that was killed: the folder is ours now
	if err := s.postgres.CreateDatabase(ctx, database); err != nil {
		return err
	}
	if _, err := migrations.Migrate(ctx, s.postgres.URL(database), migrations.Latest); err != nil {
		return err
	}
	if s.store, err = postgres.Open(ctx, s.postgres.URL(database), postgres.Options{}); err != nil {
		return err
	}
	s.atStop(s.store.Close)
	return nil
}

func (s *stack) startNATS(ctx context.Context, _ stackConfig) (err error) {
	s.nats, err = embedded.StartNATS(embedded.NATSConfig{Dir: filepath.Join(s.dir, "nats"), Identify: s.identify})
	if err != nil {
		return err
	}
	s.atStop(s.nats.Stop)
	if s.bus, err = bus.Open(ctx, s.nats.URL(), bus.Options{Name: "dev", NATS: s.nats.InProcess()}); err != nil {
		return err
	}
	s.atStop(s.bus.Close)
	return s.bus.EnsureStream(ctx)
}

// identify tells the NATS server who holds a key. An unknown key is a contributor
// that nobody enrolled yet: it may derive and ask, and deltas of it are refused.
func (s *stack) identify(kid identity.KeyID) embedded.Client {
	unknown := embedded.Client{Role: embedded.RoleContributor, ID: identity.ID(kid), Spaces: []string{}}
	if kid == s.operator.Public().KeyID() {
		return embedded.Client{Role: embedded.RoleCore}
	}
	if kid == s.service.Public().KeyID() {
		return embedded.Client{Role: embedded.RoleCore}
	}
	if s.worker == nil {
		return unknown
	}
	client := unknown
	s.worker.Fleet().Now(func(v fleet.View) {
		if v.Operator(kid) || v.Service(kid) {
			client = embedded.Client{Role: embedded.RoleCore}
			return
		}
		if _, owner, current, known := v.Key(kid); known && current {
			client = embedded.Client{Role: embedded.RoleContributor, ID: owner, Spaces: spacesOf(v, owner)}
		}
	})
	return client
}

// spacesOf are the spaces that a contributor may propose to.
func spacesOf(v fleet.View, id identity.ID) []string {
	c, ok := v.Contributor(id)
	spaces := []string{}
	for _, s := range v.Spaces() {
		if ok && v.Admitted(c.Node, s.Name) {
			spaces = append(spaces, s.Name)
		}
	}
	return spaces
}

// found publishes the genesis of a new store, or finds that of the one there is.
func (s *stack) found(ctx context.Context, _ stackConfig) (err error) {
	s.storeID, err = foundStore(ctx, s.bus, s.operator, genesisOf(s.operator, s.service))
	return err
}

func (s *stack) startWorker(ctx context.Context, cfg stackConfig) (err error) {
	log, store := wiring.Log{Bus: s.bus}, wiring.Store{Store: s.store}
	config := reconcile.Config{StoreID: s.storeID, Key: s.service, Logger: cfg.logger, Finders: wiring.Similar(store, cfg.embed, false)}
	if s.worker, err = reconcile.NewWorker(ctx, config, log, store, log); err != nil {
		return err
	}
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := s.worker.Run(running); err != nil {
			s.ended <- err
		}
	})
	s.atStop(func() { cancel(); wg.Wait() })
	service := reconcile.NewService(s.worker, store, version)
	stopRecall, err := wiring.AddRecall(running, service, config, s.worker, s.store)
	if err != nil {
		return err
	}
	s.atStop(stopRecall)
	stopAPI, err := wiring.Serve(running, s.bus, service)
	if err != nil {
		return err
	}
	s.atStop(stopAPI)
	return nil
}

// endpoints is what endpoints.json says of the stack.
func (s *stack) endpoints(http string) cli.Endpoints {
	return cli.Endpoints{
		NATS: s.nats.URL(), Postgres: s.postgres.URL(database), HTTP: http, Store: wire.Text(s.storeID),
		OperatorKey: filepath.Join(s.dir, operatorKeyFile), ServiceKey: filepath.Join(s.dir, serviceKeyFile),
	}
}

func (s *stack) atStop(f func()) { s.stopping = append(s.stopping, f) }

// stop ends everything, last started first. It is safe to call more than once.
func (s *stack) stop() {
	for i := len(s.stopping) - 1; i >= 0; i-- {
		s.stopping[i]()
	}
	s.stopping = nil
}

// wait blocks until ctx ends or a part of the stack fails.
func (s *stack) wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case err := <-s.ended:
		return err
	case <-s.postgres.Done():
		return errors.Join(reason.New(reason.Unreachable, "the private Postgres ended").Advise("its log is %s", filepath.Join(s.postgres.Dir(), "log")))
	}
}
