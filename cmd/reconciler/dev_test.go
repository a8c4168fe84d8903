package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"consilience/internal/cli"
	"consilience/internal/testkit"
)

// startDev runs `reconciler dev` as a process of its own and waits until it is ready.
func startDev(t *testing.T, dir string, wrap ...string) *testkit.Process {
	t.Helper()
	args := append(wrap, testkit.Build(t, "./cmd/reconciler"), "dev", "--dir", dir)
	p := testkit.Start(t, []string{"HOME=" + dir, "RECONCILER_DIR="}, args[0], args[1:]...)
	p.WaitLine("is ready in " + dir)
	return p
}

// stop ends a dev store as Ctrl-C does.
func stop(t *testing.T, p *testkit.Process) {
	t.Helper()
	p.Signal(syscall.SIGINT)
	if status := p.Wait(); status != 0 {
		t.Errorf("dev ended with status %d:\n%s", status, p.Output())
	}
}

// digestIn is the digest of a space of the dev store in dir.
func digestIn(t *testing.T, dir, space string) string {
	t.Helper()
	got := reconciler(t.Context(), "digest", "--dir", dir, "--space", space)
	if got.status != 0 {
		t.Fatalf("digest: %s", got.err)
	}
	return got.out
}

// succeed runs a command line against the dev store in dir; it must succeed.
func succeed(t *testing.T, dir string, args ...string) {
	t.Helper()
	if got := reconciler(t.Context(), append(args, "--dir", dir)...); got.status != 0 {
		t.Fatalf("%v: %s", args, got.err)
	}
}

// TestDevGoesOn: the same folder goes on where it stopped, cleanly or not, and only
// one dev store runs in it.
func TestDevGoesOn(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a store four times")
	}
	dir := testkit.Dir(t)
	p := startDev(t, dir)
	succeed(t, dir, "space", "create", "ops")
	key := filepath.Join(dir, "scout.key")
	if _, err := makeKey(key); err != nil {
		t.Fatal(err)
	}
	var last enrolled
	did := reconciler(t.Context(), "enroll", key+".pub", "--name", "scout", "--space", "ops", "--dir", dir, "--json")
	if err := json.Unmarshal([]byte(did.out), &last); err != nil {
		t.Fatal(err, did.err)
	}
	at := reconciler(t.Context(), "digest", "--dir", dir, "--space", "ops", "--at", fmt.Sprint(last.Sequence))
	before := digestIn(t, dir, "ops")
	if at.out != before {
		t.Errorf("digest --at %d: %+v", last.Sequence, at)
	}
	if got := reconciler(t.Context(), "digest", "--dir", dir, "--space", "ops", "--at", fmt.Sprint(last.Sequence-1)); got.status != 3 || !strings.Contains(got.err, "beyond") {
		t.Errorf("digest in the past: %+v", got)
	}

	second := reconciler(t.Context(), "dev", "--dir", dir, "--json")
	if second.status != 3 || !strings.Contains(second.err, dir) || !strings.Contains(second.err, "another process runs a store in this folder") {
		t.Errorf("a second dev: status %d, %s", second.status, second.err)
	}
	endpoints, err := cli.ReadEndpoints(dir)
	if err != nil {
		t.Fatalf("the second took the endpoints away: %v", err)
	}
	for _, key := range []string{endpoints.OperatorKey, endpoints.ServiceKey} {
		if info, err := os.Stat(key); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", key, info, err)
		}
	}

	stop(t, p)
	if _, err := os.Stat(filepath.Join(dir, "endpoints.json")); !os.IsNotExist(err) {
		t.Errorf("endpoints.json is still there: %v", err)
	}
	p = startDev(t, dir)
	if after := digestIn(t, dir, "ops"); after != before {
		t.Errorf("after a stop the digest is %s, not %s", after, before)
	}
	p.Kill()
	p = startDev(t, dir)
	if after := digestIn(t, dir, "ops"); after != before {
		t.Errorf("after a kill the digest is %s, not %s", after, before)
	}
	succeed(t, dir, "space", "create", "more")
	if again, err := cli.ReadEndpoints(dir); err != nil || again.Store != endpoints.Store {
		t.Errorf("the store id is %s, not %s, %v", again.Store, endpoints.Store, err)
	}
	stop(t, p)
}

// TestDevAsAnotherUser: no root is needed.
func TestDevAsAnotherUser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a store")
	}
	setpriv, err := exec.LookPath("setpriv")
	if err != nil || os.Getuid() != 0 {
		t.Skip("not root, as all other tests then show, or no setpriv here")
	}
	const nobody = 65534
	dir := testkit.Dir(t)
	if err := os.Chown(dir, nobody, nobody); err != nil {
		t.Fatal(err)
	}
	// The binary of the tests lies in a folder that only root can pass.
	bin := filepath.Join(testkit.Dir(t), "reconciler")
	if err := copyFile(testkit.Build(t, "./cmd/reconciler"), bin); err != nil {
		t.Fatal(err)
	}
	p := testkit.Start(t, []string{"HOME=" + dir}, setpriv, "--reuid=65534", "--regid=65534", "--clear-groups", bin, "dev", "--dir", dir, "--json")
	p.WaitLine("}")
	var e cli.Endpoints
	if err := json.Unmarshal([]byte(jsonOf(p.Output())), &e); err != nil || e.Store == "" {
		t.Fatalf("dev --json printed %v:\n%s", err, p.Output())
	}
	succeed(t, dir, "space", "create", "ops")
	digestIn(t, dir, "ops")
	stop(t, p)
}

// jsonOf cuts the JSON document out of what a process printed on both streams.
func jsonOf(output string) string {
	from, to := strings.Index(output, "{"), strings.Index(output, "\n}")
	if from < 0 || to < from {
		return output
	}
	return output[from : to+2]
}

func copyFile(from, to string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, b, 0o755)
}

// TestDefaultStore: with neither --dir nor an address a command uses the dev store
// in the default folder, and says so.
func TestDefaultStore(t *testing.T) {
	got := reconciler(t.Context(), "space", "show")
	if got.status != 3 || !strings.Contains(got.err, cli.DefaultDir()) || !strings.Contains(got.err, "reconciler dev") {
		t.Errorf("without a store: status %d, %s", got.status, got.err)
	}
	if err := os.MkdirAll(cli.DefaultDir(), 0o700); err != nil {
		t.Fatal(err)
	}
	e, err := cli.ReadEndpoints(dev(t).dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Write(cli.DefaultDir()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cli.RemoveEndpoints(cli.DefaultDir()) })
	got = reconciler(context.Background(), "space", "show", "--json")
	if got.status != 0 || !strings.Contains(got.err, "using the dev store in "+cli.DefaultDir()) || !strings.HasPrefix(got.out, "[") {
		t.Errorf("status %d, %s%s", got.status, got.out, got.err)
	}
}
