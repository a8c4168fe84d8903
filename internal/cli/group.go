package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"consilience/reason"
)

// usageOfGroup hides that a group can run: alone it only prints its help.
const usageOfGroup = "{{if and .Runnable (not .HasAvailableSubCommands)}}"

// guardGroups makes a group of verbs refuse what is none of them. Left to itself,
// cobra prints the group's help and ends with success.
func (s *Session) guardGroups(root *cobra.Command) {
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(), "{{if .Runnable}}", usageOfGroup, 1))
	each(root, func(c *cobra.Command) {
		if !c.HasSubCommands() || c.Runnable() {
			return
		}
		c.Args = cobra.ArbitraryArgs
		c.RunE = func(c *cobra.Command, args []string) error {
			switch {
			case len(args) > 0:
				return unknownVerb(c, args[0])
			case s.JSON:
				return reason.New(reason.UsageError, "no command is named").On(within(c)).Advise("name one of %s", verbsOf(c))
			}
			return c.Help()
		}
	})
}

// guardHelp does the same for "help".
func guardHelp(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		if c.Name() != "help" {
			continue
		}
		show := c.Run
		c.Run, c.RunE = nil, func(c *cobra.Command, args []string) error {
			if about, rest, err := root.Find(args); err == nil && len(rest) > 0 {
				return unknownVerb(about, rest[0])
			}
			show(c, args)
			return nil
		}
	}
}

// unknownVerb is the error of a word that is no verb of a group.
func unknownVerb(group *cobra.Command, word string) error {
	group.SuggestionsMinimumDistance = 2
	near := group.SuggestionsFor(word)
	err := reason.New(reason.UsageError, "%q is no command of %s", word, group.CommandPath())
	if len(near) > 0 {
		return err.Advise("did you mean %s? see %s -h", strings.Join(near, " or "), group.CommandPath())
	}
	return err.Advise("name one of %s", verbsOf(group))
}

func verbsOf(group *cobra.Command) string {
	var names []string
	for _, c := range group.Commands() {
		if c.IsAvailableCommand() && c.Name() != "help" {
			names = append(names, c.Name())
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// misplaced is the unknown verb behind an error about a flag: the flag may well be one
// of the verb that was meant. nil if there is none.
func misplaced(root, group *cobra.Command, args []string) error {
	found, rest, err := root.Find(args)
	if err != nil || found != group || !group.HasSubCommands() {
		return nil
	}
	for i := 0; i < len(rest); i++ {
		if !strings.HasPrefix(rest[i], "-") {
			return unknownVerb(group, rest[i])
		}
		if takesValue(group, rest[i]) {
			i++
		}
	}
	return nil
}

// takesValue reports whether the word after a flag belongs to it.
func takesValue(c *cobra.Command, flag string) bool {
	name := strings.TrimLeft(flag, "-")
	var f *pflag.Flag
	if f = c.Flags().Lookup(name); f == nil {
		f = c.InheritedFlags().Lookup(name)
	}
	return f != nil && f.NoOptDefVal == ""
}
