package main

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"consilience/internal/cli"
)

// TestMain keeps the tests away from the home folder of whoever runs them, and
// from a dev store that runs there. The go command keeps its caches.
func TestMain(m *testing.M) {
	for _, name := range []string{"GOCACHE", "GOMODCACHE"} {
		if value, err := exec.Command("go", "env", name).Output(); err == nil {
			os.Setenv(name, strings.TrimSpace(string(value)))
		}
	}
	home, err := os.MkdirTemp("", "consilience-test-")
	if err != nil {
		panic(err)
	}
	os.Setenv("HOME", home)
	status := m.Run()
	if shared.stack != nil {
		shared.stack.stop()
		os.RemoveAll(shared.stack.dir)
	}
	os.RemoveAll(home)
	os.Exit(status)
}

// shared is the dev store that most tests of this binary use, each in spaces and
// with contributors of its own.
var shared struct {
	sync.Once
	stack *stack
	err   error
}

// dev returns the shared dev store, running.
func dev(t testing.TB) *stack {
	t.Helper()
	shared.Do(func() {
		dir, err := os.MkdirTemp("", "consilience-test-")
		if err == nil {
			err = os.Chmod(dir, 0o755)
		}
		if err != nil {
			shared.err = err
			return
		}
		quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
		s, err := startStack(context.Background(), stackConfig{dir: dir, logger: quiet, stderr: io.Discard, ephemeral: true})
		if err == nil {
			err = s.endpoints("").Write(dir)
		}
		shared.stack, shared.err = s, err
	})
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return shared.stack
}

// ran is one command line that ran in process.
type ran struct {
	status   int
	out, err string
}

// reconciler runs a command line.
func reconciler(ctx context.Context, args ...string) ran {
	var out, err bytes.Buffer
	status := run(ctx, &cli.Session{In: strings.NewReader(""), Out: &out, Err: &err}, args)
	return ran{status, out.String(), err.String()}
}
