package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"consilience/command"
	"consilience/embedded"
)

func (a *app) enrollCommand() *cobra.Command {
	var w wanted
	var natsUser bool
	c := &cobra.Command{
		Use: "enroll PUBLIC-KEY-FILE", Short: "Make a contributor known, or change what it may do", Args: cobra.ExactArgs(1),
		Long: `Make a contributor known by its public key. Enrolling it again starts from what is in
force: --space adds spaces, --drop-space takes some away, and --vouched and --origin
change only where they are given (--vouched=false and --origin "" take them back).
Its name and first reputation stay. What changes is printed.

A NATS of one's own does not ask the store who may come in: --nats-user prints the
block for its contributors.conf.`,
		Example: `  reconciler enroll ~/.contributor/public.key --name scout --space ops
  reconciler enroll bought.key --name gale --space ops --origin vendor-x
  reconciler enroll bought.key --name gale --space plant --drop-space ops`,
	}
	c.RunE = a.commanding(func(ctx context.Context, d *desk, args []string) error {
		w.vouching, w.moving, w.rated = c.Flags().Changed("vouched"), c.Flags().Changed("origin"), c.Flags().Changed("reputation")
		done, err := d.enroll(ctx, args[0], w)
		if err != nil {
			return err
		}
		if natsUser {
			if done.NATSUser, err = userBlock(done.body); err != nil {
				return err
			}
		}
		return a.Print(done, done.show)
	})
	f := c.Flags()
	f.StringVar(&w.name, "name", "", "unique name")
	f.StringSliceVar(&w.spaces, "space", nil, "a space it may propose to; may be given more than once")
	f.StringSliceVar(&w.dropped, "drop-space", nil, "a space it may no longer propose to; may be given more than once")
	f.BoolVar(&w.vouched, "vouched", false, "an operator vouches for it: it starts proven")
	f.StringVar(&w.origin, "origin", "", "all of one origin count as one voice")
	f.Float64Var(&w.reputation, "reputation", 0, "first reputation, 0.000001 to 1; default: the space's own")
	f.BoolVar(&natsUser, "nats-user", false, "also print the user block for a NATS of one's own")
	_ = c.MarkFlagRequired("name")
	return waitFlag(c)
}

// enrolled is what enroll prints.
type enrolled struct {
	result
	Changes  []change `json:"changes"` // of an enrolment that was in force
	NATSUser string   `json:"nats_user,omitempty"`

	body command.Enroll
}

func (e enrolled) show(w io.Writer) {
	if e.Command == "" {
		fmt.Fprintln(w, e.Effect)
	} else {
		e.line(w)
	}
	for _, c := range e.Changes {
		fmt.Fprintf(w, "  %s: %s → %s\n", c.Member, inWords(c.Before), inWords(c.After))
	}
	if e.NATSUser != "" {
		fmt.Fprintf(w, "\nfor the users of contributors.conf, beside nats.conf:\n%s", e.NATSUser)
	}
}

// enroll enrolls the holder of the key in file, or changes its enrolment. Where
// nothing would change, nothing is published.
func (d *desk) enroll(ctx context.Context, file string, w wanted) (done enrolled, err error) {
	key, err := readPublic(file)
	if err != nil {
		return done, err
	}
	if err := d.spacesExist(append(slices.Clone(w.spaces), w.dropped...)); err != nil {
		return done, err
	}
	inForce, again := d.enrolment(key)
	if done.body, err = w.onto(inForce); err != nil {
		return done, err
	}
	done.Changes = []change{}
	if again {
		done.Changes = changes(inForce, done.body)
	}
	if again && len(done.Changes) == 0 && !w.rated && w.name == inForce.Name {
		done.result = result{Kind: string(command.KindEnroll), Effect: w.name + " is enrolled like that already"}
		return done, nil
	}
	done.result, err = d.fact(ctx, command.KindEnroll, done.body)
	return done, named(cmp.Or(w.name, "--name"), err)
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
				return named(args[0], err)
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
		Example: "  reconciler rotate scout ~/.contributor/next-public.key",
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
				return named(args[0], err)
			}
			return a.Print(r, r.line)
		}),
	}
	return waitFlag(c)
}
