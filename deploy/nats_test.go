package deploy_test

import (
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/conf"
	"github.com/nats-io/nats-server/v2/server"

	"consilience/bus"
	"consilience/command"
	"consilience/embedded"
	"consilience/identity"
	"consilience/internal/testkit"
	"consilience/reason"
)

// within bounds what a test waits for.
func within(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// accounts are the accounts of a configuration file, without their users.
func accounts(t *testing.T, file string) map[string]any {
	t.Helper()
	text, err := conf.ParseFile(filepath.Join(testkit.Root(t), file))
	if err != nil {
		t.Fatal(err)
	}
	all, ok := text["accounts"].(map[string]any)
	if !ok {
		t.Fatalf("%s has no accounts", file)
	}
	for _, account := range all {
		delete(account.(map[string]any), "users")
	}
	return all
}

// The boundary of a deployed NATS is that of the server in process.
func TestAccountsAreThoseOfTheServerInProcess(t *testing.T) {
	t.Setenv("NATS_NAME", "nats")
	t.Setenv("NATS_CORE_PASSWORD", "trial")
	deployed, inProcess := accounts(t, "deploy/nats.conf"), accounts(t, "embedded/accounts.conf")
	if len(deployed) != 2 || !reflect.DeepEqual(deployed, inProcess) {
		t.Errorf("deploy/nats.conf:\n%v\nembedded/accounts.conf:\n%v", deployed, inProcess)
	}
}

// deployed runs a NATS of deploy/nats.conf that lets key in as a contributor, and
// returns its URL without the scheme.
func deployed(t *testing.T, key identity.PublicKey) string {
	t.Helper()
	t.Setenv("NATS_NAME", "nats")
	t.Setenv("NATS_CORE_PASSWORD", "trial")
	dir := t.TempDir()
	text, err := os.ReadFile("nats.conf")
	if err != nil {
		t.Fatal(err)
	}
	block, err := embedded.UserBlock(key, embedded.Client{ID: key.ID(), Spaces: []string{"granted"}})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{"nats.conf": string(text), "contributors.conf": "users: [\n" + block + "]\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	opts, err := server.ProcessConfigFile(filepath.Join(dir, "nats.conf"))
	if err != nil {
		t.Fatal(err)
	}
	if !opts.SyncAlways || opts.MaxPayload < bus.MaxMessage {
		t.Errorf("sync always is %v, max payload %d", opts.SyncAlways, opts.MaxPayload)
	}
	opts.Host, opts.Port, opts.HTTPPort, opts.StoreDir, opts.NoSigs = "127.0.0.1", server.RANDOM_PORT, 0, dir, true
	srv, err := server.NewServer(opts)
	if err != nil {
		t.Fatal(err)
	}
	go srv.Start()
	t.Cleanup(func() { srv.Shutdown(); srv.WaitForShutdown() })
	if !srv.ReadyForConnections(30 * time.Second) {
		t.Fatal("NATS does not start")
	}
	return srv.Addr().String()
}

func TestDeployedNATS(t *testing.T) {
	key, err := identity.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	address := deployed(t, key.Public())
	// A service that has a key, which this server does not know, logs in by the URL.
	b, err := bus.Open(within(t), "nats://core:trial@"+address, bus.Options{Key: &key})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := b.EnsureStream(within(t)); err != nil {
		t.Fatal(err)
	}
	c, err := bus.DialContributor(within(t), "nats://"+address, key, identity.ID{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if seq, err := c.Publish(within(t), command.DeltaSubject("granted", c.ID()), nil); err != nil || seq != 1 {
		t.Errorf("sequence %d: %v", seq, err)
	}
	for _, subject := range []string{
		command.DeltaSubject("other", c.ID()), "mem.fleet.quarantine." + c.ID().Token(), "$JS.API.INFO",
	} {
		if _, err := c.Publish(within(t), subject, nil); reason.Of(err) != reason.PermissionDenied {
			t.Errorf("%s: %v", subject, err)
		}
	}
	if _, err := bus.Open(within(t), "nats://core:guess@"+address, bus.Options{}); reason.Of(err) != reason.PermissionDenied {
		t.Errorf("another password: %v", err)
	}
}
