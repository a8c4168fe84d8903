package main

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"consilience/agent"
	"consilience/command"
	"consilience/identity"
)

// created is what init and derive print.
type created struct {
	Contributor identity.ID   `json:"contributor"`
	Name        string        `json:"name"`
	Home        string        `json:"home"`
	PublicKey   string        `json:"public_key"`
	Parents     []identity.ID `json:"parents,omitempty"`
}

func describe(h *agent.Home, name string) created {
	return created{Contributor: h.ID(), Name: name, Home: h.Dir(), PublicKey: filepath.Join(h.Dir(), agent.PublicKeyFile)}
}

func newInit(a *app) *cobra.Command {
	var name string
	c := &cobra.Command{
		Use:   "init",
		Short: "Make a key pair and a local memory",
		Long: `Make a key pair and a local memory in the home folder and print the
contributor's id. An operator enrolls it with the file public.key.`,
		Example: `  contributor init --name alice
  reconciler enroll ~/.contributor/public.key --name alice --space plant`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if name != "" {
				if err := command.CheckName(name); err != nil {
					return err
				}
			}
			h, err := agent.Create(a.home, agent.Options{Name: name})
			if err != nil {
				return err
			}
			defer h.Close()
			return a.Print(describe(h, name), func(w io.Writer) { fmt.Fprintln(w, h.ID()) })
		},
	}
	c.Flags().StringVar(&name, "name", "", "how the contributor calls itself")
	return c
}
