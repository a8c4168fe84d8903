// Package cli holds what the two commands share: one exit status per class of
// reason, one JSON document on stdout under --json, an environment variable for
// every flag, and progress that shows on a terminal only.
//
// The tour: [Run] executes a command tree, [Session] is what a verb prints with,
// group.go and usage.go say what a command line gets wrong, visible.go keeps foreign
// text from driving the terminal, environment.go gives the flags their variables, endpoints.go finds the store
// that a command is about, table.go and readable.go are for people's eyes.
package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"consilience/reason"
)

// Session is where one run of a command reads and writes.
type Session struct {
	In       io.Reader
	Out, Err io.Writer
	// JSON asks for one JSON document on Out and nothing else there.
	JSON bool

	printed bool // the one document is out
}

// Run executes root with args and returns the exit status: 0 done, 1 the answer
// is "no", 2 usage, 3 could not run. prefix names the environment variables,
// "RECONCILER" makes --http read RECONCILER_HTTP.
//
// An error is one line on Err. Under --json it is also the document on Out,
// {"error": {"reason", "message"}}, unless the command printed its result before.
func Run(ctx context.Context, root *cobra.Command, prefix string, s *Session, args []string) int {
	root.SetArgs(args)
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	root.SilenceErrors = true
	root.SilenceUsage = true
	root.PersistentFlags().BoolVar(&s.JSON, "json", false, "print one JSON document on stdout")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		if unknown := misplaced(root, c, args); unknown != nil {
			return unknown
		}
		return usage(c, err)
	})
	s.guardGroups(root)
	guardHelp(root)
	sayArguments(root)
	bindEnvironment(root, prefix)
	ran, err := root.ExecuteContextC(ctx)
	if err == nil {
		return 0
	}
	var no *answer
	if errors.As(err, &no) {
		return int(reason.No)
	}
	if reason.Of(err) == "" && isCobraUsage(err) {
		err = usage(ran, err)
	}
	s.JSON = s.JSON || slices.Contains(args, "--json") // a flag before it may not have parsed
	s.fail(root.Name(), err)
	return int(reason.ClassOf(err))
}

// answer is the error of a command that ran and whose result, already printed,
// is "no". It prints nothing more.
type answer struct{}

func (*answer) Error() string { return "the answer is no" }

// No reports that the printed result is a "no": exit status 1.
func No() error { return &answer{} }

// failure is the document of a command that failed.
type failure struct {
	Reason  reason.Code `json:"reason"`
	Message string      `json:"message"`
}

func (s *Session) fail(name string, err error) {
	if s.JSON && !s.printed {
		_ = s.encode(map[string]failure{"error": {reason.Of(err), err.Error()}})
	}
	fmt.Fprintf(s.Err, "%s: %s\n", name, oneLine(err.Error()))
}

// oneLine is an error of several on one line.
func oneLine(text string) string { return Visible(strings.ReplaceAll(text, "\n", "; ")) }

// Print writes v as the one JSON document under --json, else calls human, whose words
// are shown as [Visible] shows them.
func (s *Session) Print(v any, human func(w io.Writer)) error {
	if s.JSON {
		return s.encode(v)
	}
	human(s.People())
	return nil
}

// PrintExact is Print for a result that programs read byte for byte: only a terminal is
// spared what would drive it.
func (s *Session) PrintExact(v any, result func(w io.Writer)) error {
	if s.JSON || isTerminal(s.Out) {
		return s.Print(v, result)
	}
	result(s.Out)
	return nil
}

// People is standard output for words to people: what others wrote cannot drive the
// terminal there.
func (s *Session) People() io.Writer { return screen{s.Out} }

func (s *Session) encode(v any) error {
	s.printed = true
	e := json.NewEncoder(s.Out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// Say writes a line for a person to stderr.
func (s *Session) Say(format string, args ...any) {
	fmt.Fprintf(screen{s.Err}, format+"\n", args...)
}

// isCobraUsage recognises the errors that cobra makes itself; it has no types for them.
func isCobraUsage(err error) bool {
	for _, p := range []string{"unknown command", requiredFlags} {
		if strings.HasPrefix(err.Error(), p) {
			return true
		}
	}
	return false
}
