package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"consilience/agent"
	"consilience/reason"
)

func newDerive(a *app) *cobra.Command {
	var name string
	var parents []string
	c := &cobra.Command{
		Use:   "derive --home CHILD",
		Short: "Make a contributor derived from this one and publish its lineage",
		Long: `Make the home of a contributor that derives from one or more others. The
lineage is signed by every parent and by the child and put on the log. A child
counts as one voice with its parents, and falls with them in a quarantine.

--home names the child here; --parent the parents, by default the contributor
that other verbs would use. Interrupted, the same command goes on.`,
		Example: `  contributor derive --home ~/.contributor-helper --name helper
  contributor derive --home ./c --name c --parent ./a --parent ./b`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if !c.Flags().Changed("home") {
				return reason.New(reason.UsageError, "the child's folder is not named").On("--home")
			}
			if len(parents) == 0 {
				parents = []string{c.Flag("home").DefValue}
			}
			return a.derive(c, name, parents)
		},
	}
	c.Flags().StringVar(&name, "name", "", "name of the child (default the last part of its folder)")
	c.Flags().StringArrayVar(&parents, "parent", nil, "home of a parent, repeatable")
	return c
}

func (a *app) derive(c *cobra.Command, name string, parents []string) (err error) {
	if name == "" {
		name = filepath.Base(a.home)
	}
	var homes []*agent.Home
	defer func() {
		for _, h := range homes {
			err = errors.Join(err, h.Close())
		}
	}()
	for _, dir := range parents {
		parent, err := agent.Open(dir, agent.Options{})
		if err != nil {
			return err
		}
		homes = append(homes, parent)
	}
	p, err := a.find(homes[0])
	if err != nil {
		return err
	}
	for _, h := range homes {
		if err := h.Bind(p.store, p.nats); err != nil {
			return err
		}
	}
	child, err := agent.Derive(a.home, agent.Options{Name: name}, homes...)
	if err != nil {
		return err
	}
	defer child.Close()
	s, closeLink, err := a.reach(c.Context(), child)
	if err != nil {
		return unsent(err)
	}
	defer closeLink()
	if _, err := s.SendDerivation(c.Context()); err != nil {
		return unsent(err)
	}
	out := describe(child, name)
	for _, h := range homes {
		out.Parents = append(out.Parents, h.ID())
	}
	return a.Print(out, func(w io.Writer) { fmt.Fprintln(w, child.ID()) })
}

// unsent says how a derivation that did not reach the store goes on.
func unsent(err error) error {
	if !offline(err) {
		return err
	}
	return reason.Wrap(reason.Of(err), err, "the lineage is signed and kept, and not on the log yet").
		Advise("run the same command again when the store is there")
}
