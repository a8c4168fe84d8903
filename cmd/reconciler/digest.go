package main

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"consilience/internal/wiring"
	"consilience/reason"
	"consilience/reconcile"
	"consilience/storage/postgres"
)

func (a *app) digestCommand() *cobra.Command {
	var space string
	var at uint64
	var wait time.Duration
	c := &cobra.Command{
		Use: "digest --space NAME", Short: "Print the canonical state of a space as one hex line", Args: cobra.NoArgs,
		Long: `Print the canonical state of a space as one hex line: SHA-256 over its items,
statements, holders, reputations, judgements, exposures and used sequences. Two
stores of one log have one digest. --at SEQ waits until the space is there, and
refuses once it is beyond: then ` + "`reconciler replay --to SEQ`" + ` finds out.`,
		Example: `  reconciler digest --space ops
  reconciler digest --space ops --at 48210`,
		RunE: func(c *cobra.Command, _ []string) error {
			d, err := a.digest(c.Context(), space, at, wait)
			if err != nil {
				return err
			}
			return a.Print(d, func(w io.Writer) { fmt.Fprintln(w, d.Digest) })
		},
	}
	c.Flags().StringVar(&space, "space", "", "the space")
	c.Flags().Uint64Var(&at, "at", 0, "stream sequence that the space has to stand at; 0: where it is")
	c.Flags().DurationVar(&wait, "wait", time.Minute, "how long to wait for --at")
	_ = c.MarkFlagRequired("space")
	return c
}

// digested is what digest prints.
type digested struct {
	Space    string `json:"space"`
	Revision uint64 `json:"revision"`
	Digest   string `json:"digest"`
}

// digest waits for at no longer than wait; computing takes as long as the space is large.
func (a *app) digest(ctx context.Context, space string, at uint64, wait time.Duration) (digested, error) {
	store, err := a.openStore(ctx)
	if err != nil {
		return digested{}, err
	}
	defer store.Close()
	defer a.Busy("computing the digest")()
	if at == 0 {
		return digestOf(ctx, store, space)
	}
	b, err := a.openBus(ctx, a.serviceKeyFile)
	if err != nil {
		return digested{}, err
	}
	defer b.Close()
	waiting, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	if err := reconcile.WaitFor(waiting, wiring.Log{Bus: b}, wiring.Store{Store: store}, space, at); err != nil {
		return digested{}, err
	}
	d, err := digestOf(ctx, store, space)
	if err == nil && d.Revision > at {
		return d, reason.New(reason.Beyond, "the space is at sequence %d, past %d", d.Revision, at).On("--at").
			Advise("build that state with: reconciler replay --to %d --into URL", at)
	}
	return d, err
}

func digestOf(ctx context.Context, store *postgres.Store, space string) (digested, error) {
	sum, revision, err := store.Digest(ctx, space)
	return digested{Space: space, Revision: revision, Digest: hex.EncodeToString(sum[:])}, advised(space, err)
}

// spaceDigest is the digest of a space in the database at url.
func spaceDigest(ctx context.Context, url, space string) (string, error) {
	store, err := postgres.Open(ctx, url, postgres.Options{})
	if err != nil {
		return "", err
	}
	defer store.Close()
	d, err := digestOf(ctx, store, space)
	return d.Digest, err
}
