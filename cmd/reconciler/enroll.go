package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"consilience/command"
	"consilience/embedded"
	"consilience/reason"
	"consilience/wire"
)

func (a *app) enrollCommand() *cobra.Command {
	var e command.Enroll
	var reputation float64
	var natsUser bool
	c := &cobra.Command{
		Use: "enroll PUBLIC-KEY-FILE", Short: "Make a contributor known, or change what it may do", Args: cobra.ExactArgs(1),
		Long: `Make a contributor known by its public key. Enrolling it again changes its
spaces, its origin and whether an operator vouches for it; its name and first
reputation stay.

A NATS of one's own does not ask the store who may come in: --nats-user prints the
block for its contributors.conf.`,
		Example: `  reconciler enroll ~/.contributor/public.key --name scout --space ops
  reconciler enroll bought.key --name gale --space ops --origin vendor-x`,
		RunE: a.commanding(func(ctx context.Context, d *desk, args []string) error {
			key, err := readPublic(args[0])
			if err != nil {
				return err
			}
			e.Key = key
			e.Spaces = sortedSet(e.Spaces)
			if e.Reputation, err = ppm("--reputation", reputation); err != nil {
				return err
			}
			done := enrolled{}
			if natsUser {
				if done.NATSUser, err = userBlock(e); err != nil {
					return err
				}
			}
			if done.result, err = d.fact(ctx, command.KindEnroll, e); err != nil {
				return err
			}
			return a.Print(done, done.show)
		}),
	}
	f := c.Flags()
	f.StringVar(&e.Name, "name", "", "unique name")
	f.StringSliceVar(&e.Spaces, "space", nil, "a space it may propose to; may be given more than once")
	f.BoolVar(&e.Vouched, "vouched", false, "an operator vouches for it: it starts proven")
	f.StringVar(&e.Origin, "origin", "", "all of one origin count as one voice")
	f.Float64Var(&reputation, "reputation", 0, "first reputation, over 0 up to 1; default: the space's own")
	f.BoolVar(&natsUser, "nats-user", false, "also print the user block for a NATS of one's own")
	_ = c.MarkFlagRequired("name")
	return waitFlag(c)
}

// enrolled is what enroll prints.
type enrolled struct {
	result
	NATSUser string `json:"nats_user,omitempty"`
}

func (e enrolled) show(w io.Writer) {
	e.line(w)
	if e.NATSUser != "" {
		fmt.Fprintf(w, "\nfor the users of contributors.conf, beside nats.conf:\n%s", e.NATSUser)
	}
}

// userBlock is the block of a contributor for a NATS that knows its users by file.
func userBlock(e command.Enroll) (string, error) {
	return embedded.UserBlock(e.Key, embedded.Client{Role: embedded.RoleContributor, ID: e.Key.ID(), Spaces: e.Spaces})
}

func (a *app) retireCommand() *cobra.Command {
	var why string
	c := &cobra.Command{
		Use: "retire CONTRIBUTOR", Short: "End a contributor; what it said stays", Args: cobra.ExactArgs(1),
		Example: `  reconciler retire scout --reason "replaced by scout-2"`,
		RunE: a.commanding(func(ctx context.Context, d *desk, args []string) error {
			who, err := d.contributor(args[0])
			if err != nil {
				return err
			}
			r, err := d.fact(ctx, command.KindRetire, command.Retire{Contributor: who.ID, Reason: why})
			if err != nil {
				return err
			}
			return a.Print(r, r.line)
		}),
	}
	c.Flags().StringVar(&why, "reason", "", "why, for those who ask later")
	return waitFlag(c)
}

func (a *app) rotateCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "rotate CONTRIBUTOR PUBLIC-KEY-FILE", Short: "Give a contributor its next key; its id stays", Args: cobra.ExactArgs(2),
		Example: "  reconciler rotate scout ~/.contributor/next.key",
		RunE: a.commanding(func(ctx context.Context, d *desk, args []string) error {
			who, err := d.contributor(args[0])
			if err != nil {
				return err
			}
			key, err := readPublic(args[1])
			if err != nil {
				return err
			}
			r, err := d.fact(ctx, command.KindRotate, command.Rotate{Contributor: who.ID, Key: key})
			if err != nil {
				return err
			}
			return a.Print(r, r.line)
		}),
	}
	return waitFlag(c)
}

// ppm turns a fraction into millionths; 0 stays "not given".
func ppm(flag string, v float64) (uint32, error) {
	if v < 0 || v > 1 || v != v {
		return 0, reason.New(reason.OutOfRange, "is %v, not over 0 and up to 1", v).On(flag)
	}
	return uint32(v*wire.Scale + 0.5), nil
}

func sortedSet(s []string) []string {
	s = slices.Clone(s)
	slices.Sort(s)
	if s = slices.Compact(s); s == nil {
		s = []string{}
	}
	return s
}
