package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"consilience/cluster/embed"
	"consilience/command"
	"consilience/fleet"
	"consilience/internal/cli"
	"consilience/reason"
)

func (a *app) spaceCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "space",
		Short: "Make a space, show it, change its policy",
		Example: `  reconciler space create ops
  reconciler space show ops --json
  reconciler space policy ops --file policy.json`,
	}
	c.AddCommand(a.spaceCreateCommand(), a.spaceShowCommand(), a.spacePolicyCommand(), a.spaceEmbedCommand())
	return c
}

func (a *app) spaceCreateCommand() *cobra.Command {
	var file string
	c := &cobra.Command{
		Use: "create NAME", Short: "Make a space", Args: cobra.ExactArgs(1),
		Example: `  reconciler space create ops
  reconciler space create rumours --policy open.json`,
		RunE: a.commanding(func(ctx context.Context, d *desk, args []string) error {
			p, err := readPolicy(file)
			if err != nil {
				return err
			}
			r, err := d.fact(ctx, command.KindSpace, command.Space{Name: args[0], Policy: p})
			if err != nil {
				return named(args[0], err)
			}
			return a.Print(r, r.line)
		}),
	}
	c.Flags().StringVar(&file, "policy", "", "JSON file with the members that differ from the default policy")
	return waitFlag(c)
}

func (a *app) spacePolicyCommand() *cobra.Command {
	var file string
	c := &cobra.Command{
		Use: "policy NAME --file FILE", Short: "Change a space's policy", Args: cobra.ExactArgs(1),
		Long: `Change a space's policy. Members that FILE leaves out take their default. The new
policy acts on later entries; stored values stay, and every item is computed
again under it. The reputation policy is fixed at the space's first delta. A model
behind an endpoint needs --embed-endpoint at every reconciler: one that lacks it
stands still on the space's partition. Reconcilers embed the space's texts under a
new model beside their work, which is shown while it lasts; entries after the change
wait for it. "space embed" does it before.`,
		Example: "  reconciler space policy ops --file policy.json",
		RunE: a.commanding(func(ctx context.Context, d *desk, args []string) error {
			p, err := readPolicy(file)
			if err != nil {
				return err
			}
			r, err := d.fact(ctx, command.KindPolicy, command.PolicyChange{Space: args[0], Policy: p})
			if err != nil {
				return advised(args[0], named(args[0], err))
			}
			if err := d.merged(ctx, r.Sequence, []int{command.Partition(args[0])}); err != nil {
				return err
			}
			// The reputation policy of a space that holds deltas stays, whatever the file says.
			if err := refusal(ctx, d.store, r.Sequence); err != nil {
				return err
			}
			left, err := d.embedded(ctx, args[0])
			if err != nil {
				return err
			}
			if left > 0 {
				a.Say("%s still to be embedded under %s; entries after the change wait for it", cli.Count(left, "text"), p.Embedder)
			}
			return a.Print(r, r.line)
		}),
	}
	c.Flags().StringVar(&file, "file", "", "JSON file with the policy")
	_ = c.MarkFlagRequired("file")
	return waitFlag(c)
}

// readPolicy reads a policy file; "" is the default policy.
func readPolicy(file string) (command.Policy, error) {
	p := command.DefaultPolicy()
	if file == "" {
		return p, nil
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return p, reason.Wrap(reason.NotFound, err, "cannot read the policy").On(file)
	}
	if err := json.Unmarshal(b, &p); err != nil {
		return p, reason.Wrap(reason.PolicyInvalid, err, "not a policy").On(file)
	}
	return p, checkModel(p.Embedder)
}

// checkModel returns an error for a model that this build does not have: once on
// the log, the policy would stop the partition of its space. Whether the endpoint
// of a remote model answers is the reconcilers' to say.
func checkModel(name string) error {
	_, err := embed.Open(name, embed.Options{Endpoint: "http://not.asked.here"})
	return err
}

type spaceShown struct {
	Name      string         `json:"name"`
	Partition int            `json:"partition"`
	Policy    command.Policy `json:"policy"`
	// Unembedded is how many texts the model of the policy still lacks vectors of.
	Unembedded int `json:"unembedded,omitempty"`
}

func (a *app) spaceShowCommand() *cobra.Command {
	return &cobra.Command{
		Use: "show [NAME]", Short: "Show a space and its policy, or list the spaces", Args: cobra.MaximumNArgs(1),
		Example: "  reconciler space show ops",
		RunE: func(c *cobra.Command, args []string) error {
			f, close, err := a.openFleet(c.Context())
			if err != nil {
				return err
			}
			defer close()
			spaces := []spaceShown{}
			var shown fleet.Space
			f.Now(func(v fleet.View) {
				for _, s := range v.Spaces() {
					if len(args) == 0 || s.Name == args[0] {
						shown = s
						spaces = append(spaces, spaceShown{Name: s.Name, Partition: command.Partition(s.Name), Policy: s.Policy})
					}
				}
			})
			if len(args) == 0 {
				return a.Print(spaces, func(w io.Writer) {
					for _, s := range spaces {
						fmt.Fprintln(w, s.Name)
					}
				})
			}
			if len(spaces) == 0 {
				return spaceUnknown(args[0])
			}
			if spaces[0].Unembedded, err = a.unembedded(c.Context(), shown); err != nil {
				return err
			}
			return a.Print(spaces[0], spaces[0].table)
		},
	}
}

// table shows the members of the policy as a policy file has them.
func (s spaceShown) table(w io.Writer) {
	fmt.Fprintf(w, "space %s, partition %d\n", s.Name, s.Partition)
	if s.Unembedded > 0 {
		fmt.Fprintf(w, "%s still to be embedded under %s; entries after that change wait for it\n", cli.Count(s.Unembedded, "text"), s.Policy.Embedder)
	}
	b, err := json.Marshal(s.Policy)
	if err != nil {
		return
	}
	var members map[string]json.RawMessage
	_ = json.Unmarshal(b, &members)
	rows := [][]string{}
	for _, k := range slices.Sorted(maps.Keys(members)) {
		rows = append(rows, []string{k, strings.Trim(string(members[k]), `"`)})
	}
	cli.Table(w, []string{"MEMBER", "VALUE"}, rows)
}
