package cli_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"consilience/internal/cli"
)

// grouped runs a program whose group "space" has the verbs create and show.
func grouped(args ...string) ran {
	var out, err bytes.Buffer
	s := &cli.Session{In: strings.NewReader(""), Out: &out, Err: &err}
	root := &cobra.Command{Use: "tool"}
	root.CompletionOptions.DisableDefaultCmd = true
	root.PersistentFlags().String("dir", "", "folder")
	group := &cobra.Command{Use: "space", Short: "Spaces"}
	show := &cobra.Command{Use: "show NAME", Args: cobra.ExactArgs(1), RunE: func(*cobra.Command, []string) error { return nil }}
	show.Flags().Uint64("at", 0, "sequence")
	show.Flags().Duration("wait", 0, "patience")
	group.AddCommand(show, &cobra.Command{Use: "create NAME", RunE: func(*cobra.Command, []string) error { return nil }})
	root.AddCommand(group)
	status := cli.Run(context.Background(), root, "TOOL", s, args)
	return ran{status, out.String(), err.String()}
}

// TestUnknownVerbIsAUsageError: what is no verb is named, with what may be meant, and
// nothing but the error is printed.
func TestUnknownVerbIsAUsageError(t *testing.T) {
	for line, want := range map[string]string{
		"space shwo x":           `"shwo" is no command of tool space (usage); did you mean show? see tool space -h`,
		"space shwo --at 5":      `"shwo" is no command of tool space (usage); did you mean show?`,
		"--dir d space shwo":     `"shwo" is no command of tool space (usage); did you mean show?`,
		"space --dir d shwo --z": `"shwo" is no command of tool space (usage); did you mean show?`,
		"space xml f":            `"xml" is no command of tool space (usage); name one of create, show`,
		"spac":                   `"spac" is no command of tool (usage); did you mean space? see tool -h`,
		"quite --at 3":           `"quite" is no command of tool (usage); name one of space`,
		"help shwo":              `"shwo" is no command of tool (usage); name one of space`,
		"help space shwo":        `"shwo" is no command of tool space (usage); did you mean show?`,
		"space --bogus":          `unknown flag: --bogus (usage); see tool space -h`,
		"space show":             "space show: no argument is given (usage); the form is: show NAME; see tool space show -h",
		"space show a b":         `space show: takes other arguments than "a", "b" (usage); the form is: show NAME`,
		"space show a --at abc":  `--at: "abc" is not a whole number, 0 or more (usage); see tool space show -h`,
		"space show a --wait 5":  `--wait: "5" is not a time such as 30s or 5m (usage)`,
		"space show a --at":      `--at: has no value (usage)`,
	} {
		got := grouped(strings.Fields(line)...)
		if got.status != 2 || got.out != "" || !strings.HasPrefix(got.err, "tool: "+want) || strings.Count(got.err, "\n") != 1 {
			t.Errorf("%s: %+v", line, got)
		}
		if got := grouped(append(strings.Fields(line), "--json")...); got.status != 2 || line != "space show a --at" && !strings.Contains(got.out, `"reason": "usage"`) {
			t.Errorf("%s --json: %+v", line, got)
		}
	}
}

// TestGroupAloneShowsItsHelp, and says under --json that it is no command.
func TestGroupAloneShowsItsHelp(t *testing.T) {
	for _, line := range []string{"space", "", "space -h", "help", "help space", "help space show"} {
		got := grouped(strings.Fields(line)...)
		if got.status != 0 || !strings.Contains(got.out, "Usage:") || strings.Contains(got.out, "space [flags]") || got.err != "" {
			t.Errorf("%q: %+v", line, got)
		}
	}
	for _, line := range []string{"space --json", "--json"} {
		got := grouped(strings.Fields(line)...)
		if got.status != 2 || !strings.Contains(got.out, "no command is named") {
			t.Errorf("%q: %+v", line, got)
		}
	}
}
