// Package cli holds what the two commands share: one exit status per class of
// reason, one JSON document on stdout under --json, an environment variable for
// every flag, and progress that shows on a terminal only.
//
// The tour: [Run] executes a command tree, [Session] is what a verb prints with,
// endpoints.go finds the store that a command is about.
package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"consilience/reason"
)

// Session is where one run of a command reads and writes.
type Session struct {
	In       io.Reader
	Out, Err io.Writer
	// JSON asks for one JSON document on Out and nothing else there.
	JSON bool
}

// Run executes root with args and returns the exit status: 0 done, 1 the answer
// is "no", 2 usage, 3 could not run. prefix names the environment variables,
// "RECONCILER" makes --http read RECONCILER_HTTP.
func Run(ctx context.Context, root *cobra.Command, prefix string, s *Session, args []string) int {
	root.SetArgs(args)
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	root.SilenceErrors = true
	root.SilenceUsage = true
	root.PersistentFlags().BoolVar(&s.JSON, "json", false, "print one JSON document on stdout")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return usage(c, err) })
	bindEnvironment(root, prefix)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	s.fail(root.Name(), err)
	return status(err)
}

// status maps an error to an exit status. What cobra itself refuses (an unknown
// command, a wrong number of arguments) carries no code and is a usage error.
func status(err error) int {
	var no *Answer
	if errors.As(err, &no) {
		return int(reason.No)
	}
	if reason.Of(err) == "" && isCobraUsage(err) {
		return int(reason.Usage)
	}
	return int(reason.ClassOf(err))
}

// Answer is the error of a command that ran and whose result, already printed,
// is "no". It prints nothing more.
type Answer struct{}

func (*Answer) Error() string { return "the answer is no" }

// No reports that the printed result is a "no": exit status 1.
func No() error { return &Answer{} }

func (s *Session) fail(name string, err error) {
	var no *Answer
	if errors.As(err, &no) {
		return
	}
	if s.JSON {
		_ = s.encode(map[string]any{"error": map[string]string{"reason": string(reason.Of(err)), "message": err.Error()}})
	}
	fmt.Fprintf(s.Err, "%s: %s\n", name, err)
}

// Print writes v as the one JSON document under --json, else calls human.
func (s *Session) Print(v any, human func(w io.Writer)) error {
	if s.JSON {
		return s.encode(v)
	}
	human(s.Out)
	return nil
}

func (s *Session) encode(v any) error {
	e := json.NewEncoder(s.Out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// Say writes a line for a person to stderr.
func (s *Session) Say(format string, args ...any) { fmt.Fprintf(s.Err, format+"\n", args...) }

// usage turns a flag error into a usage error that names the command to ask.
func usage(c *cobra.Command, err error) error {
	return reason.New(reason.UsageError, "%s", err.Error()).Advise("see %s -h", c.CommandPath())
}

// isCobraUsage recognises the errors that cobra makes itself; it has no types for them.
func isCobraUsage(err error) bool {
	for _, p := range []string{"unknown command", "accepts ", "requires ", "required flag", "invalid argument"} {
		if strings.HasPrefix(err.Error(), p) {
			return true
		}
	}
	return false
}

// bindEnvironment gives every flag of the tree its environment variable. A flag
// on the command line wins.
func bindEnvironment(root *cobra.Command, prefix string) {
	bind := func(f *pflag.Flag) {
		name := prefix + "_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		if f.Name == "help" || f.Name == "version" || strings.Contains(f.Usage, "["+name+"]") {
			return
		}
		f.Usage += " [" + name + "]"
		if v, ok := os.LookupEnv(name); ok {
			if f.Value.Set(v) == nil {
				f.DefValue = v
			}
		}
	}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		c.PersistentFlags().VisitAll(bind)
		c.Flags().VisitAll(bind)
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(root)
}
