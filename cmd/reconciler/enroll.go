package main

import (
	"context"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"consilience/command"
	"consilience/identity"
	"consilience/internal/wiring"
	"consilience/reason"
	"consilience/reconcile"
	"consilience/wire"
)

func (a *app) enrollCommand() *cobra.Command {
	var e command.Enroll
	var reputation float64
	c := &cobra.Command{
		Use: "enroll PUBLIC-KEY-FILE", Short: "Make a contributor known, or change what it may do", Args: cobra.ExactArgs(1),
		Long: `Make a contributor known by its public key. Enrolling it again changes its
spaces, its origin and whether an operator vouches for it; its name and first
reputation stay.`,
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
			r, err := d.fact(ctx, command.KindEnroll, e)
			if err != nil {
				return err
			}
			return a.Print(r, r.line)
		}),
	}
	f := c.Flags()
	f.StringVar(&e.Name, "name", "", "unique name")
	f.StringSliceVar(&e.Spaces, "space", nil, "a space it may propose to; may be given more than once")
	f.BoolVar(&e.Vouched, "vouched", false, "an operator vouches for it: it starts proven")
	f.StringVar(&e.Origin, "origin", "", "all of one origin count as one voice")
	f.Float64Var(&reputation, "reputation", 0, "first reputation, over 0 up to 1; default: the space's own")
	_ = c.MarkFlagRequired("name")
	return waitFlag(c)
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

func (a *app) operatorsCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "operators", Short: "Add or remove operator and service keys",
		Example: `  reconciler operators add night-shift.key.pub
  reconciler operators remove old.key.pub --role service`,
	}
	for _, verb := range []string{"add", "remove"} {
		c.AddCommand(a.operatorsVerb(verb))
	}
	return c
}

func (a *app) operatorsVerb(verb string) *cobra.Command {
	var role string
	var with []string
	c := &cobra.Command{
		Use: verb + " PUBLIC-KEY-FILE", Short: "The key is " + map[string]string{"add": "taken in", "remove": "taken out"}[verb],
		Args:    cobra.ExactArgs(1),
		Example: "  reconciler operators " + verb + " night-shift.key.pub",
		RunE: a.commanding(func(ctx context.Context, d *desk, args []string) error {
			key, err := readPublic(args[0])
			if err != nil {
				return err
			}
			for _, file := range with {
				k, err := readKey(file)
				if err != nil {
					return err
				}
				d.cosigners = append(d.cosigners, k)
			}
			o := command.Operators{Role: role, Add: []identity.PublicKey{}, Remove: []identity.PublicKey{}}
			if verb == "add" {
				o.Add = append(o.Add, key)
			} else {
				o.Remove = append(o.Remove, key)
			}
			r, err := d.fact(ctx, command.KindOperators, o)
			if err != nil {
				return err
			}
			return a.Print(r, r.line)
		}),
	}
	c.Flags().StringVar(&role, "role", command.RoleOperator, "operator or service")
	c.Flags().StringSliceVar(&with, "with", nil, "further operator keys that sign, where genesis asks for more than one")
	return waitFlag(c)
}

// openFleet loads the fleet as the store knows it, for commands that only read.
func (a *app) openFleet(ctx context.Context) (*reconcile.Fleet, func(), error) {
	id, err := a.storeID()
	if err != nil {
		return nil, nil, err
	}
	store, err := a.openStore(ctx)
	if err != nil {
		return nil, nil, err
	}
	f, err := reconcile.LoadFleet(ctx, id, wiring.Store{Store: store})
	if err != nil {
		store.Close()
		return nil, nil, err
	}
	return f, store.Close, nil
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

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }
