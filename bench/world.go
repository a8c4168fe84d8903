package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"consilience/bus"
	"consilience/command"
	"consilience/embedded"
	"consilience/identity"
	"consilience/migrations"
	"consilience/wire"
)

const workers = 2

// world is the store under test.
type world struct {
	dir      string
	reconcil string // the built command
	pg       *embedded.Postgres
	url      string
	pool     *pgxpool.Pool
	nats     *embedded.NATS
	bus      *bus.Bus
	operator identity.PrivateKey
	store    [32]byte
	serving  []*exec.Cmd
	fleet    []*speaker
}

func newWorld(ctx context.Context) (w *world, err error) {
	w = &world{}
	defer func() {
		if err != nil {
			w.close()
		}
	}()
	if w.dir, err = os.MkdirTemp("", "consilience-bench-"); err != nil {
		return w, err
	}
	for _, step := range []func(context.Context) error{w.build, w.servers, w.found, w.serve} {
		if err := step(ctx); err != nil {
			return w, err
		}
	}
	return w, nil
}

func (w *world) build(ctx context.Context) error {
	w.reconcil = filepath.Join(w.dir, "reconciler")
	c := exec.CommandContext(ctx, "go", "build", "-o", w.reconcil, "consilience/cmd/reconciler")
	c.Stderr = os.Stderr
	return c.Run()
}

// servers starts a Postgres that syncs, as in production, and a NATS that syncs
// every write.
func (w *world) servers(ctx context.Context) (err error) {
	w.pg, err = embedded.StartPostgres(ctx, embedded.PostgresConfig{Dir: filepath.Join(w.dir, "postgres"), Fsync: true, Ephemeral: true})
	if err != nil {
		return err
	}
	if err := w.pg.CreateDatabase(ctx, "bench"); err != nil {
		return err
	}
	w.url = w.pg.URL("bench")
	if _, err := migrations.Migrate(ctx, w.url, migrations.Latest); err != nil {
		return err
	}
	if w.pool, err = pgxpool.New(ctx, w.url); err != nil {
		return err
	}
	core := func(identity.KeyID) embedded.Client { return embedded.Client{Role: embedded.RoleCore} }
	if w.nats, err = embedded.StartNATS(embedded.NATSConfig{Dir: filepath.Join(w.dir, "nats"), Identify: core}); err != nil {
		return err
	}
	if w.bus, err = bus.Open(ctx, w.nats.URL(), bus.Options{NATS: w.nats.InProcess()}); err != nil {
		return err
	}
	return w.bus.EnsureStream(ctx)
}

// found makes the store with the operator's own command.
func (w *world) found(ctx context.Context) error {
	out, err := exec.CommandContext(ctx, w.reconcil, "init", "--nats", w.nats.URL(), "--keys", w.dir).CombinedOutput()
	if err != nil {
		return fmt.Errorf("init: %w: %s", err, out)
	}
	id := strings.Fields(string(out))[1]
	if w.store, err = wire.ParseText(id); err != nil {
		return err
	}
	b, err := os.ReadFile(filepath.Join(w.dir, "operator.key"))
	if err != nil {
		return err
	}
	w.operator, err = identity.ParsePrivate(b)
	return err
}

func (w *world) serve(ctx context.Context) error {
	for n := range workers {
		c := exec.CommandContext(ctx, w.reconcil, "serve", "--nats", w.nats.URL(), "--postgres", w.url,
			"--store", wire.Text(w.store), "--service-key", filepath.Join(w.dir, "service.key"), "--name", "worker-"+strconv.Itoa(n))
		log, err := os.Create(filepath.Join(w.dir, "worker-"+strconv.Itoa(n)+".log"))
		if err != nil {
			return err
		}
		c.Stdout, c.Stderr = log, log
		if err := c.Start(); err != nil {
			return err
		}
		w.serving = append(w.serving, c)
	}
	return nil
}

// fact publishes a fleet fact signed by keys.
func (w *world) fact(ctx context.Context, kind command.Kind, body any, signer identity.ID, keys ...identity.PrivateKey) (uint64, error) {
	c := command.Command{Kind: kind, Store: w.store, Body: body}
	if _, err := rand.Read(c.Nonce[:]); err != nil {
		return 0, err
	}
	return w.bus.Publish(ctx, command.SubjectFor(kind, c.Space(), signer), command.Seal(c, keys...))
}

// operatorFact publishes a fleet fact signed by the operator.
func (w *world) operatorFact(ctx context.Context, kind command.Kind, body any) (uint64, error) {
	return w.fact(ctx, kind, body, w.operator.Public().ID(), w.operator)
}

// reached waits until the partition of every space named has merged up to seq.
func (w *world) reached(ctx context.Context, seq uint64, spaces ...string) error {
	for _, s := range spaces {
		for {
			var at int64
			var stopped *string
			err := w.pool.QueryRow(ctx, "SELECT seq, nullif(stopped, '') FROM consilience.position WHERE partition = $1", command.Partition(s)).Scan(&at, &stopped)
			if err != nil {
				return err
			}
			if stopped != nil {
				return fmt.Errorf("partition of %s stands still: %s", s, *stopped)
			}
			if uint64(at) >= seq {
				break
			}
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(2 * time.Millisecond):
			}
		}
	}
	return nil
}

// peak is the largest resident set of a worker so far, bytes.
func (w *world) peak() (most int64) {
	for _, c := range w.serving {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.Process.Pid))
		if err != nil {
			continue
		}
		for _, line := range strings.Split(string(b), "\n") {
			if f := strings.Fields(line); len(f) > 1 && f[0] == "VmHWM:" {
				kib, _ := strconv.ParseInt(f[1], 10, 64)
				most = max(most, kib<<10)
			}
		}
	}
	return most
}

func (w *world) close() {
	for _, c := range w.serving {
		_ = c.Process.Signal(os.Interrupt)
		_ = c.Wait()
	}
	if w.bus != nil {
		w.bus.Close()
	}
	if w.pool != nil {
		w.pool.Close()
	}
	if w.nats != nil {
		w.nats.Stop()
	}
	if w.pg != nil {
		w.pg.Stop()
	}
	os.RemoveAll(w.dir)
}
