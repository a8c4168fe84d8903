// Command contributor is the agent's side of a Consilience store: it keeps a
// local memory, derives from a space and proposes deltas to it.
//
// Each verb is a file; root.go lists them, store.go finds the store, home.go the
// contributor. All they do is package agent's; here are flags, words and exit
// statuses.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"

	"consilience/internal/cli"
)

// environment is the prefix of the environment variables of the flags.
const environment = "CONTRIBUTOR"

// Main is the program, for main and for tests that run it in process.
type Main struct{}

// Run executes one command line, without the program's name, and returns the exit
// status: 0 done, 1 the answer is "no", 2 usage, 3 could not run.
func (Main) Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	s := &cli.Session{In: stdin, Out: stdout, Err: stderr}
	return cli.Run(ctx, newRoot(s), environment, s, args)
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := Main{}.Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}
