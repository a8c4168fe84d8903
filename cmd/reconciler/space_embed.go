package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"consilience/cluster/embed"
	"consilience/fleet"
	"consilience/internal/cli"
	"consilience/internal/wiring"
	"consilience/reason"
	"consilience/storage/postgres"
)

// spaceEmbedded is what `space embed` did.
type spaceEmbedded struct {
	Name     string `json:"name"`
	Model    string `json:"model"`
	Embedded int    `json:"embedded"` // texts that had no vector under the model
}

func (s spaceEmbedded) line(w io.Writer) {
	fmt.Fprintf(w, "%s of space %s embedded under %s\n", cli.Count(s.Embedded, "text"), s.Name, s.Model)
}

func (a *app) spaceEmbedCommand() *cobra.Command {
	var model string
	c := &cobra.Command{
		Use: "embed NAME --embedder MODEL", Short: "Embed a space's texts before its policy names the model", Args: cobra.ExactArgs(1),
		Long: `Embed the texts that founded a space's items under a model, and keep the vectors.
Reconcilers do the same by themselves once a policy names the model, and entries
after that policy wait for it, as do other spaces of the same partition. Done before,
the change takes effect at once. It changes nothing else, and can be stopped and
started again: what is embedded stays so.`,
		Example: `  reconciler space embed ops --embedder minilm-words-256
  reconciler space embed ops --embedder openai:nomic-embed-text@768 --embed-endpoint http://localhost:11434/v1`,
		RunE: func(c *cobra.Command, args []string) error {
			done, err := a.embedSpace(c.Context(), args[0], model)
			if err != nil {
				return err
			}
			return a.Print(done, done.line)
		},
	}
	c.Flags().StringVar(&model, "embedder", "", "model, as a policy names it")
	_ = c.MarkFlagRequired("embedder")
	return a.embedFlags(c)
}

func (a *app) embedSpace(ctx context.Context, name, model string) (spaceEmbedded, error) {
	did := spaceEmbedded{Name: name, Model: model}
	if _, err := embed.Open(model, a.embed); err != nil {
		return did, err
	}
	f, close, err := a.openFleet(ctx)
	if err != nil {
		return did, err
	}
	defer close()
	var space fleet.Space
	var known bool
	f.Now(func(v fleet.View) { space, known = v.Space(name) })
	if !known {
		return did, spaceUnknown(name)
	}
	store, err := a.openStore(ctx)
	if err != nil {
		return did, err
	}
	defer store.Close()
	space.Policy.Embedder = model
	var bar *cli.Progress
	err = wiring.Similar(wiring.Store{Store: store}, a.embed, false).Embed(ctx, space, func(done, all int) {
		if bar == nil {
			bar = a.Progress("embedding", int64(all))
		}
		bar.Set(int64(done))
		did.Embedded = done
	})
	if bar != nil {
		bar.Done()
	}
	return did, err
}

func spaceUnknown(name string) error {
	return reason.New(reason.SpaceUnknown, "no such space").On(name).Advise("make it with: reconciler space create %s", name)
}

// advised says of a space that nobody made how it is made.
func advised(space string, err error) error {
	if reason.Of(err) == reason.SpaceUnknown {
		return spaceUnknown(space)
	}
	return err
}

// unembedded counts the texts that the space's model still lacks vectors of.
func unembedded(ctx context.Context, store *postgres.Store, space fleet.Space) (int, error) {
	if space.Policy.Embedder == embed.None {
		return 0, nil
	}
	return store.CountUnembedded(ctx, space.Num, space.Policy.Embedder)
}

// unembedded is the count of a space by a connection of its own.
func (a *app) unembedded(ctx context.Context, space fleet.Space) (int, error) {
	store, err := a.openStore(ctx)
	if err != nil {
		return 0, err
	}
	defer store.Close()
	return unembedded(ctx, store, space)
}

// embedded shows how far reconcilers are with embedding a space under its model, and
// returns when they are done, or how many texts are left when ctx ends.
func (d *desk) embedded(ctx context.Context, name string) (left int, err error) {
	var space fleet.Space
	d.fleet.Now(func(v fleet.View) { space, _ = v.Space(name) })
	var bar *cli.Progress
	for all := 0; ; {
		began := time.Now()
		now, err := unembedded(ctx, d.store, space)
		if ctx.Err() != nil && all > 0 {
			return left, nil
		}
		if err != nil || now == 0 && all == 0 {
			return now, err
		}
		if left = now; bar == nil {
			all = left
			bar = d.app.Progress("embedding", int64(all))
			defer bar.Done()
		}
		bar.Set(int64(max(0, all-left)))
		if left == 0 {
			return 0, nil
		}
		select {
		case <-ctx.Done():
		case <-time.After(max(pollEvery, 10*time.Since(began))): // counting a large space takes the server seconds
		}
	}
}
