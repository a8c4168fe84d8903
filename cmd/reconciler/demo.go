package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"consilience/examples"
)

func (a *app) demoCommand() *cobra.Command {
	var keep bool
	c := &cobra.Command{
		Use:   "demo",
		Short: "Play a fleet, a poisoner that confirms itself, and its quarantine",
		Long: `Play a story on a real store in a temporary folder: twelve contributors publish
signed deltas, one of them poisons the memory and confirms itself through two
children it derived, an operator quarantines it, and the store is rebuilt from its
log with an equal digest. Prints what happened as tables.`,
		Example: `  reconciler demo
  reconciler demo --keep`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return a.demo(c.Context(), keep) },
	}
	c.Flags().BoolVar(&keep, "keep", false, "leave the folder, which reconciler dev --dir goes on with")
	return c
}

func (a *app) demo(ctx context.Context, keep bool) error {
	steps, err := readStory(examples.Fleet)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "consilience-demo-")
	if err != nil {
		return err
	}
	if err := os.Chmod(dir, 0o711); err != nil {
		return err
	}
	if keep {
		a.Say("the store stays in %s; go on with: reconciler dev --dir %s", dir, dir)
	} else {
		defer os.RemoveAll(dir)
	}
	began := time.Now()
	quiet := slog.New(slog.NewTextHandler(a.Err, &slog.HandlerOptions{Level: slog.LevelWarn}))
	s, err := startStack(ctx, stackConfig{dir: dir, logger: quiet, stderr: a.Err, ephemeral: !keep})
	if err != nil {
		return err
	}
	defer s.stop()
	p := newPlay(a, s, filepath.Join(dir, "fleet"))
	defer p.close()
	for _, st := range steps {
		if err := p.do(ctx, st); err != nil {
			return err
		}
	}
	p.summary.Seconds = time.Since(began).Seconds()
	return a.Print(p.summary, func(w io.Writer) { p.summary.closing(w) })
}

// summary is what demo --json prints.
type summary struct {
	Store     string      `json:"store"`
	Before    []shown     `json:"before"`
	After     []shown     `json:"after"`
	Digest    string      `json:"digest"`
	Replayed  string      `json:"replayed_digest"`
	Outcomes  int         `json:"statements"`
	Seconds   float64     `json:"seconds"`
	Explained []explained `json:"explained"`
}

func (s summary) closing(w io.Writer) {
	fmt.Fprintf(w, "\n%d statements by twelve contributors, merged, contained and replayed in %.1f s.\n", s.Outcomes, s.Seconds)
	fmt.Fprintln(w, "Next: reconciler dev, then the README's first steps.")
}

// heading sets a part of the story off.
func heading(w io.Writer, text string) {
	fmt.Fprintf(w, "\n── %s\n", text)
}
