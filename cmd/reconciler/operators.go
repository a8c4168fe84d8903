package main

import (
	"context"

	"github.com/spf13/cobra"

	"consilience/command"
	"consilience/identity"
	"consilience/reason"
)

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
		Use: verb + " PUBLIC-KEY-FILE", Short: map[string]string{"add": "Put a key in force", "remove": "Take a key out of force"}[verb],
		Args:    cobra.ExactArgs(1),
		Example: "  reconciler operators " + verb + " night-shift.key.pub",
		RunE: a.commanding(func(ctx context.Context, d *desk, args []string) error {
			if role != command.RoleOperator && role != command.RoleService {
				return reason.New(reason.UsageError, "%q is neither operator nor service", role).On("--role")
			}
			key, err := readPublic(args[0])
			if err != nil {
				return err
			}
			if d.cosigners, err = readAll(with, readKey); err != nil {
				return err
			}
			o := command.Operators{Role: role, Add: []identity.PublicKey{}, Remove: []identity.PublicKey{}}
			if verb == "add" {
				o.Add = append(o.Add, key)
			} else {
				o.Remove = append(o.Remove, key)
			}
			r, err := d.fact(ctx, command.KindOperators, o)
			if err != nil {
				return named(args[0], err)
			}
			return a.Print(r, r.line)
		}),
	}
	c.Flags().StringVar(&role, "role", command.RoleOperator, "operator or service")
	c.Flags().StringSliceVar(&with, "with", nil, "further operator keys that sign, where genesis asks for more than one")
	return waitFlag(c)
}

// readAll reads a key from each file.
func readAll[K any](files []string, read func(string) (K, error)) ([]K, error) {
	var keys []K
	for _, file := range files {
		k, err := read(file)
		if err != nil {
			return nil, err
		}
		keys = append(keys, k)
	}
	return keys, nil
}
