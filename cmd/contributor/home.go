package main

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"consilience/agent"
	"consilience/delta"
	"consilience/reason"
)

// defaultHome is ~/.contributor.
func defaultHome() string {
	home, err := os.UserHomeDir()
	if err != nil {
		home = "."
	}
	return filepath.Join(home, ".contributor")
}

// open opens the contributor's home.
func (a *app) open() (*agent.Home, error) { return agent.Open(a.home, agent.Options{}) }

// withHome is the body of a verb that needs the local memory alone.
func (a *app) withHome(run func(c *cobra.Command, h *agent.Home, args []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		h, err := a.open()
		if err != nil {
			return err
		}
		defer h.Close()
		return run(c, h, args)
	}
}

// spaceFlag adds --space to a verb.
func spaceFlag(c *cobra.Command, space *string, usage string) {
	c.Flags().StringVar(space, "space", "", usage)
}

// needSpace refuses a verb without a space. The flag is not marked as required,
// since its value may come from the environment.
func needSpace(space string) error {
	if space == "" {
		return reason.New(reason.UsageError, "no space is named").On("--space").Advise("name one, or set %s_SPACE", environment)
	}
	if err := delta.SpaceName(space); err != nil {
		return reason.Wrap(reason.UsageError, err, "not the name of a space").On("--space")
	}
	return nil
}

// maySpace is needSpace for a verb that is for every space where none is named.
func maySpace(space string) error {
	if space == "" {
		return nil
	}
	return needSpace(space)
}

// ppmFlag reads a flag that holds a number above 0 and at most 1.
func ppmFlag(name, value string) (uint32, error) {
	v, err := agent.ParsePPM(value)
	if err != nil {
		return 0, reason.Wrap(reason.UsageError, err, "not a confidence or strength").On(name)
	}
	return v, nil
}

func spaceUnknown(name string) error {
	return reason.New(reason.SpaceUnknown, "no such space").On(name).Advise("an operator makes it with: reconciler space create %s", name)
}
