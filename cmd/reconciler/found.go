package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"consilience/bus"
	"consilience/command"
	"consilience/identity"
	"consilience/internal/cli"
	"consilience/reason"
	"consilience/wire"
)

func (a *app) initCommand() *cobra.Command {
	var f founding
	c := &cobra.Command{
		Use:   "init",
		Short: "Found a store on a NATS of one's own: keys, stream, genesis",
		Long: `Found a store on a NATS of one's own: makes operator.key and service.key in --keys
unless they are there, the stream unless it is there, and publishes the genesis to
an empty log. Run twice, it changes nothing and prints the same store id.

--threshold N asks for N operators' signatures wherever operators change; then name
the others by --operator.`,
		Example: `  reconciler init --nats nats://127.0.0.1:4222 --keys ./keys --replicas 3
  reconciler init --nats nats://127.0.0.1:4222 --operator second.key.pub --threshold 2`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return a.found(c.Context(), f)
		},
	}
	c.Flags().StringVar(&f.keys, "keys", ".", "folder for operator.key and service.key")
	c.Flags().IntVar(&f.replicas, "replicas", 1, "copies of the log; 3 in production")
	c.Flags().StringSliceVar(&f.operators, "operator", nil, "public key file of a further operator; may be given more than once")
	c.Flags().Uint64Var(&f.threshold, "threshold", 1, "operators that have to sign a change of operators")
	return c
}

// founding is what init is told.
type founding struct {
	keys      string
	replicas  int
	operators []string // public key files
	threshold uint64
}

// founded is what init prints.
type founded struct {
	Store       string `json:"store"`
	OperatorKey string `json:"operator_key"`
	ServiceKey  string `json:"service_key"`
}

func (a *app) found(ctx context.Context, cfg founding) error {
	if a.nats == "" {
		return missing("nats")
	}
	others, err := readAll(cfg.operators, readPublic)
	if err != nil {
		return err
	}
	if cfg.threshold < 1 || cfg.threshold > uint64(len(others)+1) {
		return reason.New(reason.UsageError, "is %d, and %s can sign", cfg.threshold, cli.Count(len(others)+1, "operator key")).On("--threshold")
	}
	f := founded{OperatorKey: filepath.Join(cfg.keys, operatorKeyFile), ServiceKey: filepath.Join(cfg.keys, serviceKeyFile)}
	operator, err := loadOrMakeKey(f.OperatorKey)
	if err != nil {
		return err
	}
	service, err := loadOrMakeKey(f.ServiceKey)
	if err != nil {
		return err
	}
	b, err := bus.Open(ctx, a.nats, bus.Options{Key: &operator, Replicas: cfg.replicas})
	if err != nil {
		return err
	}
	defer b.Close()
	if err := b.EnsureStream(ctx); err != nil {
		return err
	}
	genesis := genesisOf(operator, service)
	genesis.Operators = append(genesis.Operators, others...)
	genesis.Threshold = cfg.threshold
	id, err := foundStore(ctx, b, operator, genesis)
	if err != nil {
		return err
	}
	f.Store = wire.Text(id)
	return a.Print(f, func(w io.Writer) {
		fmt.Fprintf(w, "store %s\noperator key %s\nservice key  %s\n", f.Store, f.OperatorKey, f.ServiceKey)
	})
}

// genesisOf is the genesis of a store with one operator and one service.
func genesisOf(operator, service identity.PrivateKey) command.Genesis {
	return command.Genesis{
		Operators: []identity.PublicKey{operator.Public()}, Services: []identity.PublicKey{service.Public()}, Threshold: 1,
	}
}

// foundStore returns the store id of the log, publishing genesis if it is empty.
func foundStore(ctx context.Context, b *bus.Bus, operator identity.PrivateKey, genesis command.Genesis) (id [32]byte, err error) {
	last, err := b.LastSeq(ctx)
	if err != nil {
		return id, err
	}
	if last == 0 {
		g := command.Command{Kind: command.KindGenesis, Body: genesis}
		if _, err := rand.Read(g.Nonce[:]); err != nil {
			return id, err
		}
		subject := command.SubjectFor(command.KindGenesis, "", operator.Public().ID())
		if _, err := b.Publish(ctx, subject, command.Seal(g, operator)); err != nil {
			return id, err
		}
	}
	first, err := b.Get(ctx, 1)
	if err != nil {
		return id, err
	}
	m, err := command.Open(first.Data)
	if err != nil {
		return id, reason.Wrap(reason.StreamForeign, err, "the log does not begin with a genesis")
	}
	if g, ok := m.Command.Body.(command.Genesis); !ok || !slices.Contains(g.Operators, operator.Public()) {
		return id, reason.New(reason.StreamForeign, "the log was founded by other operators").
			Advise("name the folder that holds the key of one of them")
	}
	return command.StoreID(m.Payload), nil
}
