package cli

import (
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// shells are the shells that completion can be written for.
var shells = map[string]func(root *cobra.Command, w io.Writer) error{
	"bash":       func(root *cobra.Command, w io.Writer) error { return root.GenBashCompletionV2(w, true) },
	"zsh":        (*cobra.Command).GenZshCompletion,
	"fish":       func(root *cobra.Command, w io.Writer) error { return root.GenFishCompletion(w, true) },
	"powershell": (*cobra.Command).GenPowerShellCompletionWithDesc,
}

// script is what completion prints.
type script struct {
	Shell  string `json:"shell"`
	Script string `json:"script"`
}

// CompletionCommand prints the completion script of a shell for the program whose
// tree it is added to. It replaces cobra's own.
func CompletionCommand(s *Session, program string) *cobra.Command {
	return &cobra.Command{
		Use:       "completion bash|zsh|fish|powershell",
		Short:     "Print the completion script of a shell",
		Example:   "  source <(" + program + " completion bash)",
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		Args:      cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs),
		RunE: func(c *cobra.Command, args []string) error {
			var b strings.Builder
			if err := shells[args[0]](c.Root(), &b); err != nil {
				return err
			}
			return s.PrintExact(script{args[0], b.String()}, func(w io.Writer) { io.WriteString(w, b.String()) })
		},
	}
}
