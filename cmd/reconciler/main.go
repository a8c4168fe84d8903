// Command reconciler runs a Consilience store and is its operator's tool.
//
// The tour: root.go lists the verbs, app.go finds the store they are about,
// stack.go is the process tree of dev and demo, every other file is one verb.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"consilience/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, &cli.Session{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, os.Args[1:]))
}

// run executes one command line; tests call it in process.
func run(ctx context.Context, s *cli.Session, args []string) int {
	return cli.Run(ctx, newRoot(s), "RECONCILER", s, args)
}
