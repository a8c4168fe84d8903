package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"consilience/bus"
	"consilience/command"
	"consilience/internal/testkit"
	"consilience/internal/wiring"
	"consilience/reconcile"
	"consilience/storage/postgres"
)

// served is a store founded by init and migrate on servers of its own, as in
// production.
type served struct {
	t        *testing.T
	nats     string
	postgres string
	keys     string
	store    string
	flags    []string // what a command needs to find it
}

func newServed(t *testing.T, more ...string) served {
	t.Helper()
	n := testkit.NATS(t)
	u, err := url.Parse(n.URL())
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword("core", n.Secret())
	s := served{t: t, nats: u.String(), postgres: testkit.Postgres(t, nil).URL, keys: t.TempDir()}
	s.run("migrate", "--postgres", s.postgres)
	var f founded
	if err := json.Unmarshal([]byte(s.run(append([]string{"init", "--nats", s.nats, "--keys", s.keys, "--json"}, more...)...)), &f); err != nil {
		t.Fatal(err)
	}
	s.store = f.Store
	s.flags = []string{
		"--nats", s.nats, "--postgres", s.postgres, "--store", f.Store, "--operator-key", f.OperatorKey, "--service-key", f.ServiceKey,
	}
	return s
}

// run runs a command line; it must succeed.
func (s served) run(args ...string) string {
	s.t.Helper()
	got := reconciler(s.t.Context(), args...)
	if got.status != 0 {
		s.t.Fatalf("%v: status %d, %s", args, got.status, got.err)
	}
	return got.out
}

// on runs a command line against the store.
func (s served) on(args ...string) ran {
	return reconciler(s.t.Context(), append(args, s.flags...)...)
}

// serve starts a worker as a process of its own.
func (s served) serve(name string) *testkit.Process {
	s.t.Helper()
	p := testkit.Start(s.t, nil, testkit.Build(s.t, "./cmd/reconciler"), append([]string{"serve", "--name", name}, s.flags...)...)
	p.WaitLine("serving store " + s.store)
	return p
}

// TestInitAgainstAnothersLog: keys that the genesis does not know found nothing.
func TestInitAgainstAnothersLog(t *testing.T) {
	t.Parallel()
	s := newServed(t)
	got := reconciler(t.Context(), "init", "--nats", s.nats, "--keys", t.TempDir())
	if got.status != 3 || !strings.Contains(got.err, "stream_foreign") || strings.Contains(got.out, s.store) {
		t.Errorf("status %d, printed %q, %s", got.status, got.out, got.err)
	}
}

// TestInitTwice: init changes nothing where there is a store, and prints its id.
func TestInitTwice(t *testing.T) {
	s := newServed(t)
	again := s.run("init", "--nats", s.nats, "--keys", s.keys)
	if !strings.HasPrefix(again, "store "+s.store+"\n") {
		t.Errorf("the second time: %s", again)
	}
}

// TestWithoutAReconciler: a command that nobody takes says so, and that it is on
// the log nevertheless; it takes effect once somebody does.
func TestWithoutAReconciler(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a worker as a process")
	}
	s := newServed(t)
	got := s.on("space", "create", "ops", "--wait", "500ms", "--json")
	if got.status != 3 || !strings.Contains(got.err, "on the log at sequence 2") || !strings.Contains(got.err, "reconciler serve") {
		t.Errorf("status %d, %s", got.status, got.err)
	}
	p := s.serve("late")
	testkit.Eventually(t, time.Minute, "the command takes effect", func() bool { return s.on("space", "show", "ops").status == 0 })
	health := p.WaitLine("health on")
	if _, address, ok := strings.Cut(health, "health on "); !ok || !answers(address) {
		t.Errorf("no health at %q", health)
	}
	p.Signal(syscall.SIGTERM)
	if status := p.Wait(); status != 0 {
		t.Errorf("serve ended with status %d:\n%s", status, p.Output())
	}
}

func answers(address string) bool {
	r, err := http.Get(address)
	if err != nil {
		return false
	}
	defer r.Body.Close()
	_, err = io.Copy(io.Discard, r.Body)
	return err == nil && r.StatusCode == http.StatusOK
}

// TestTakeover: two workers share the partitions of one store. What a killed one
// read, the other goes on with, and a space of every partition still merges. The
// owner is by the store's own clock, so that no time is measured here.
func TestTakeover(t *testing.T) {
	if testing.Short() {
		t.Skip("runs workers as processes")
	}
	s := newServed(t)
	first := s.serve("first")
	s.serve("second")
	store, err := postgres.Open(t.Context(), s.postgres, postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	owned := func() map[string]int {
		positions, err := store.Positions(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		n := map[string]int{}
		for _, p := range positions {
			n[p.Owner]++
		}
		return n
	}
	testkit.Eventually(t, time.Minute, "both own partitions", func() bool { n := owned(); return n["first"] > 0 && n["second"] > 0 && n[""] == 0 })
	first.Kill()
	// One space on each partition: all of them have to be merged by the other.
	for partition, name := range spacePerPartition() {
		if got := s.on("space", "create", name); got.status != 0 {
			t.Fatalf("partition %d: %s", partition, got.err)
		}
	}
	last := lastOf(t, s)
	testkit.Eventually(t, time.Minute, "the other goes on", func() bool {
		positions, err := store.Positions(t.Context())
		for _, p := range positions {
			if p.Seq < last || p.Owner != "second" || p.Stopped != "" {
				return false
			}
		}
		return err == nil
	})
}

// spacePerPartition is the name of a space on each partition.
func spacePerPartition() map[int]string {
	names := map[int]string{}
	for i := 0; len(names) < command.Partitions; i++ {
		name := fmt.Sprintf("space-%d", i)
		if p := command.Partition(name); names[p] == "" {
			names[p] = name
		}
	}
	return names
}

func lastOf(t *testing.T, s served) uint64 {
	t.Helper()
	b, err := bus.Open(t.Context(), s.nats, bus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	last, err := b.LastSeq(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return last
}

// TestThreshold: a store founded with two operators changes them by both only.
func TestThreshold(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a worker")
	}
	keys := t.TempDir()
	second, third := filepath.Join(keys, "second.key"), filepath.Join(keys, "third.key")
	for _, file := range []string{second, third} {
		if _, err := makeKey(file); err != nil {
			t.Fatal(err)
		}
	}
	s := newServed(t, "--operator", second+".pub", "--threshold", "2")
	work(t, s)
	if got := s.on("operators", "add", third+".pub"); got.status != 1 || !strings.Contains(got.err, "threshold_not_met") {
		t.Errorf("one signature: status %d, %s", got.status, got.err)
	}
	if got := s.on("operators", "add", third+".pub", "--with", second); got.status != 0 {
		t.Errorf("two signatures: status %d, %s", got.status, got.err)
	}
	if got := s.on("operators", "remove", third+".pub", "--with", second); got.status != 0 {
		t.Errorf("out again: status %d, %s", got.status, got.err)
	}
	if got := s.on("operators", "add", third+".pub", "--with", third); got.status != 1 {
		t.Errorf("a signature of one who is none: status %d, %s", got.status, got.err)
	}
	for _, wrong := range []string{"0", "3"} {
		got := reconciler(t.Context(), "init", "--nats", s.nats, "--keys", keys, "--operator", second+".pub", "--threshold", wrong)
		if got.status != 2 || !strings.Contains(got.err, "--threshold: is "+wrong) {
			t.Errorf("a threshold of %s: status %d, %s", wrong, got.status, got.err)
		}
	}
}

// work runs a worker in this process until the test ends.
func work(t *testing.T, s served) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	b, err := bus.Open(ctx, s.nats, bus.Options{NATS: []nats.Option{nats.Name("work")}})
	if err != nil {
		t.Fatal(err)
	}
	store, err := postgres.Open(ctx, s.postgres, postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a := &app{store: s.store, serviceKeyFile: filepath.Join(s.keys, serviceKeyFile), nats: s.nats, dir: ""}
	id, err := a.storeID()
	if err != nil {
		t.Fatal(err)
	}
	key, err := readKey(a.serviceKeyFile)
	if err != nil {
		t.Fatal(err)
	}
	log := wiring.Log{Bus: b}
	w, err := reconcile.NewWorker(ctx, reconcile.Config{StoreID: id, Key: key, Logger: slog.New(slog.DiscardHandler)}, log, wiring.Store{Store: store}, log)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- w.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		store.Close()
		b.Close()
	})
}
