package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"consilience/internal/cli"
	"consilience/reason"
	"consilience/reconcile"
)

func (a *app) devCommand() *cobra.Command {
	var address string
	var printPostgres bool
	c := &cobra.Command{
		Use:   "dev",
		Short: "Run a whole store in one process tree",
		Long: `Run a whole store in one process tree: NATS with JetStream in process, a private
Postgres, migrations, the worker and the API. Writes DIR/endpoints.json when it is
ready. Needs no root; root works. Ctrl-C stops it cleanly, and the same DIR goes on
where it stopped.`,
		Example: `  reconciler dev
  reconciler dev --dir /tmp/store --http 127.0.0.1:8080
  psql "$(reconciler dev --print-postgres)"`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if a.dir == "" {
				a.dir = cli.DefaultDir()
			}
			if printPostgres {
				return a.printPostgres()
			}
			return a.dev(c.Context(), address)
		},
	}
	c.Flags().StringVar(&address, "http", "127.0.0.1:0", "address of /healthz and /metrics")
	c.Flags().BoolVar(&printPostgres, "print-postgres", false, "print the Postgres URL of the running dev store and end")
	return a.embedFlags(c)
}

func (a *app) printPostgres() error {
	e, err := cli.ReadEndpoints(a.dir)
	if err != nil {
		return err
	}
	return a.Print(e, func(w io.Writer) { fmt.Fprintln(w, e.Postgres) })
}

func (a *app) dev(ctx context.Context, address string) error {
	dir, err := filepath.Abs(a.dir)
	if err != nil {
		return err
	}
	s, err := startStack(ctx, stackConfig{dir: dir, logger: a.logger(), stderr: a.Err, embed: a.embed})
	if err != nil {
		return err
	}
	defer s.stop()
	web, err := serveHTTP(address, s.worker)
	if err != nil {
		return err
	}
	defer web.close()
	e := s.endpoints(web.url)
	if err := e.Write(dir); err != nil {
		return err
	}
	defer cli.RemoveEndpoints(dir)
	if err := a.Print(e, func(w io.Writer) { ready(w, dir, e) }); err != nil {
		return err
	}
	return s.wait(ctx)
}

func ready(w io.Writer, dir string, e cli.Endpoints) {
	fmt.Fprintf(w, "store %s is ready in %s\n", e.Store, dir)
	cli.Table(w, []string{"WHAT", "WHERE"}, [][]string{
		{"nats", e.NATS}, {"postgres", e.Postgres}, {"health", e.HTTP + "/healthz"}, {"metrics", e.HTTP + "/metrics"},
		{"operator key", e.OperatorKey},
	})
	fmt.Fprintln(w, "Ctrl-C stops it; the same folder goes on where it stopped.")
}

// logger writes to stderr what an operator should see.
func (a *app) logger() *slog.Logger { return a.loggerFrom(slog.LevelInfo) }

// loggerFrom is logger from a level on. A replay says again what was refused when it
// happened, so that it keeps to what is new.
func (a *app) loggerFrom(level slog.Level) *slog.Logger {
	return slog.New(slog.NewTextHandler(a.Err, &slog.HandlerOptions{Level: level}))
}

// web is the HTTP side of a worker.
type web struct {
	url   string
	close func()
}

// serveHTTP serves /healthz and /metrics of w on address.
func serveHTTP(address string, w *reconcile.Worker) (web, error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return web{}, reason.Wrap(reason.UsageError, err, "cannot listen").On("--http")
	}
	server := &http.Server{Handler: w.HTTP(), ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(l)
	return web{url: "http://" + l.Addr().String(), close: func() { server.Close() }}, nil
}
