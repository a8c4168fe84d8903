package main

import (
	"io"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"consilience/internal/cli"
)

// verbs are the runnable commands of the tree.
func verbs(c *cobra.Command) []*cobra.Command {
	var all []*cobra.Command
	if c.Runnable() {
		all = append(all, c)
	}
	for _, sub := range c.Commands() {
		all = append(all, verbs(sub)...)
	}
	return all
}

func tree() *cobra.Command {
	return newRoot(&cli.Session{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard})
}

// all are the commands of a tree, groups too.
func all(c *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{c}
	for _, sub := range c.Commands() {
		list = append(list, all(sub)...)
	}
	return list
}

// TestUnknownVerbs: a word that is no verb of a group is a usage error.
func TestUnknownVerbs(t *testing.T) {
	for line, want := range map[string]string{
		"space shwo x": "did you mean show?", "operators ad x": "did you mean add?", "cluster explian a b": "did you mean explain?",
		"space --json": "no command is named", "frobnicate": "name one of cluster, completion,",
	} {
		got := reconciler(t.Context(), strings.Fields(line)...)
		if got.status != 2 || !strings.Contains(got.err, want) || strings.Contains(got.out, "Usage:") {
			t.Errorf("%s: %+v", line, got)
		}
	}
}

// TestHelpHasAnExample: -h of every command shows one, and names a variable for
// every flag.
func TestHelpHasAnExample(t *testing.T) {
	for _, verb := range all(tree()) {
		path := strings.Fields(verb.CommandPath())[1:]
		got := reconciler(t.Context(), append(path, "-h")...)
		if got.status != 0 || !strings.Contains(got.out, "Examples:\n  "+"") || verb.Example == "" || !strings.Contains(got.out, verb.Example) {
			t.Errorf("%s -h: status %d, no example", verb.CommandPath(), got.status)
		}
		verb.Flags().VisitAll(func(f *pflag.Flag) {
			if name := cli.Variable("RECONCILER", f.Name); f.Name != "help" && !strings.Contains(got.out, "["+name+"]") {
				t.Errorf("%s -h does not name %s", verb.CommandPath(), name)
			}
		})
	}
}

// nonsense is a value that a flag of a type does not take; text takes anything.
var nonsense = map[string]string{"bool": "perhaps", "uint64": "-1", "int64": "x", "int": "x", "float64": "x", "duration": "soon"}

// TestEveryFlagHasAVariable sets the variable of each flag to what it cannot
// mean: the command refuses, and names the variable.
func TestEveryFlagHasAVariable(t *testing.T) {
	checked := 0
	for _, verb := range verbs(tree()) {
		verb.LocalFlags().VisitAll(func(f *pflag.Flag) {
			bad, typed := nonsense[f.Value.Type()]
			if !typed || f.Name == "help" || f.Name == "version" {
				return
			}
			checked++
			name := cli.Variable("RECONCILER", f.Name)
			os.Setenv(name, bad)
			defer os.Unsetenv(name)
			args := append(strings.Fields(verb.CommandPath())[1:], arguments(verb)...)
			if got := reconciler(t.Context(), args...); got.status != 2 || !strings.Contains(got.err, name+": ") {
				t.Errorf("%s with %s=%s: status %d, %s", verb.CommandPath(), name, bad, got.status, got.err)
			}
		})
	}
	if checked < 20 {
		t.Errorf("only %d flags were looked at", checked)
	}
}

// arguments are as many as a verb takes.
func arguments(verb *cobra.Command) []string {
	for n := range 4 {
		args := strings.Fields(strings.Repeat("bash ", n))
		if verb.ValidateArgs(args) == nil {
			return args
		}
	}
	return nil
}

// TestTextVariables: a variable stands in for a flag, the command line wins.
func TestTextVariables(t *testing.T) {
	t.Setenv("RECONCILER_DIR", dev(t).dir)
	t.Setenv("RECONCILER_SPACE", "nowhere")
	if got := reconciler(t.Context(), "digest"); got.status != 2 || !strings.Contains(got.err, "nowhere: no such space") {
		t.Errorf("status %d, %s", got.status, got.err)
	}
	if got := reconciler(t.Context(), "digest", "--space", "elsewhere"); !strings.Contains(got.err, "elsewhere: no such space") {
		t.Errorf("the variable wins: %s", got.err)
	}
}
