package cli

import (
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Variable is the environment variable of a flag: prefix "RECONCILER" and flag
// "operator-key" give RECONCILER_OPERATOR_KEY.
func Variable(prefix, flag string) string {
	return prefix + "_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// bindEnvironment gives every flag of the tree its environment variable and names
// it in the help. A variable counts where the command line leaves the flag open,
// also for a flag that must be given. An empty one counts as absent.
func bindEnvironment(root *cobra.Command, prefix string) {
	each(root, func(c *cobra.Command) {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			note := " [" + Variable(prefix, f.Name) + "]"
			if bound(f) && !strings.HasSuffix(f.Usage, note) {
				f.Usage += note
			}
		})
	})
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) (err error) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			name := Variable(prefix, f.Name)
			value := os.Getenv(name)
			if err != nil || f.Changed || value == "" || !bound(f) {
				return
			}
			if c.Flags().Set(f.Name, value) != nil {
				err = notAValue(f, value).On(name).Advise("unset or mend the environment variable of --%s", f.Name)
			}
		})
		return err
	}
}

// bound reports whether a flag has a variable: all but those of cobra itself.
func bound(f *pflag.Flag) bool { return f.Name != "help" && f.Name != "version" }

// each calls do for a command and all below it.
func each(c *cobra.Command, do func(*cobra.Command)) {
	do(c)
	for _, sub := range c.Commands() {
		each(sub, do)
	}
}
