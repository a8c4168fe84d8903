package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"consilience/internal/cli"
	"consilience/reason"
)

// tool is a program of two verbs: "take" prints what its flags are, "fail" fails.
func tool(s *cli.Session, failure error) *cobra.Command {
	root := &cobra.Command{Use: "tool"}
	var spaces []string
	var wait time.Duration
	var name string
	take := &cobra.Command{Use: "take", Args: cobra.NoArgs, RunE: func(*cobra.Command, []string) error {
		return s.Print(map[string]any{"spaces": spaces, "wait": wait.String(), "name": name}, func(io.Writer) {})
	}}
	take.Flags().StringSliceVar(&spaces, "space", nil, "spaces")
	take.Flags().DurationVar(&wait, "wait", time.Second, "wait")
	take.Flags().StringVar(&name, "full-name", "", "name")
	_ = take.MarkFlagRequired("full-name")
	root.AddCommand(take, &cobra.Command{Use: "fail", RunE: func(*cobra.Command, []string) error { return failure }})
	root.AddCommand(&cobra.Command{Use: "half", RunE: func(*cobra.Command, []string) error {
		return errors.Join(s.Print(map[string]int{"half": 1}, func(io.Writer) {}), failure)
	}})
	return root
}

// ran is one run of the tool.
type ran struct {
	status   int
	out, err string
}

func run(failure error, args ...string) ran {
	var out, err bytes.Buffer
	s := &cli.Session{In: strings.NewReader(""), Out: &out, Err: &err}
	status := cli.Run(context.Background(), tool(s, failure), "TOOL", s, args)
	return ran{status, out.String(), err.String()}
}

func (r ran) document(t *testing.T) map[string]any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(r.out))
	var v map[string]any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v: %q", err, r.out)
	}
	if d.More() {
		t.Fatalf("more than one document: %s", r.out)
	}
	return v
}

func TestVariablesStandInForFlags(t *testing.T) {
	t.Setenv("TOOL_SPACE", "a,b")
	t.Setenv("TOOL_WAIT", "3s")
	t.Setenv("TOOL_FULL_NAME", "eve")
	t.Setenv("TOOL_JSON", "true")
	if got := run(nil, "take").document(t); got["wait"] != "3s" || got["name"] != "eve" || len(got["spaces"].([]any)) != 2 {
		t.Errorf("from the environment: %v", got)
	}
	got := run(nil, "take", "--space", "c", "--wait", "1m").document(t)
	if got["wait"] != "1m0s" || len(got["spaces"].([]any)) != 1 {
		t.Errorf("the command line does not win: %v", got)
	}
	if got := run(nil, "take", "--wait", "").status; got != 2 {
		t.Errorf("an empty duration has status %d", got)
	}
}

func TestInvalidVariableIsNamed(t *testing.T) {
	t.Setenv("TOOL_WAIT", "soon")
	got := run(nil, "take", "--full-name", "eve", "--json")
	if got.status != 2 || !strings.Contains(got.err, "TOOL_WAIT") || !strings.Contains(got.err, `"soon"`) {
		t.Errorf("status %d, %s", got.status, got.err)
	}
	if got := run(nil, "take", "--full-name", "eve", "--wait", "1s"); got.status != 0 {
		t.Errorf("a variable that the command line overrules stops it: %s", got.err)
	}
	if got := run(nil, "half"); got.status != 0 {
		t.Errorf("a variable of another verb stops this one: %s", got.err)
	}
}

func TestEmptyVariableIsAbsent(t *testing.T) {
	t.Setenv("TOOL_FULL_NAME", "")
	if got := run(nil, "take"); got.status != 2 || !strings.HasPrefix(got.err, "tool: --full-name: not given (usage); see tool take -h") {
		t.Errorf("status %d, %s", got.status, got.err)
	}
}

// TestStatus holds the exit statuses: 1 no, 2 usage, 3 could not run.
func TestStatus(t *testing.T) {
	for _, c := range []struct {
		name   string
		err    error
		args   string
		status int
		code   string
	}{
		{"done", nil, "fail", 0, ""},
		{"refused", reason.New(reason.NameTaken, "taken"), "fail", 1, "name_taken"},
		{"usage", reason.New(reason.NotFound, "absent"), "fail", 2, "not_found"},
		{"unreachable", reason.New(reason.Unreachable, "down"), "fail", 3, "unreachable"},
		{"without a code", errors.New("odd"), "fail", 3, ""},
		{"unknown verb", nil, "tell", 2, "usage"},
		{"unknown flag", nil, "take --bogus", 2, "usage"},
		{"flag without sense", nil, "take --wait soon", 2, "usage"},
		{"missing flag", nil, "take", 2, "usage"},
		{"too many arguments", nil, "take a b", 2, "usage"},
	} {
		got := run(c.err, strings.Fields(c.args+" --json")...)
		if got.status != c.status {
			t.Errorf("%s: status %d, not %d", c.name, got.status, c.status)
		}
		if c.status == 0 {
			continue
		}
		e, ok := got.document(t)["error"].(map[string]any)
		if !ok || e["reason"] != c.code || e["message"] == "" {
			t.Errorf("%s: %s", c.name, got.out)
		}
		if strings.Count(got.err, "\n") != 1 || !strings.HasPrefix(got.err, "tool: ") {
			t.Errorf("%s: stderr is %q", c.name, got.err)
		}
	}
}

func TestOneDocumentAlsoAfterALateFailure(t *testing.T) {
	got := run(reason.New(reason.TimedOut, "late"), "half", "--json")
	if got.status != 3 || got.document(t)["half"] != 1.0 || !strings.Contains(got.err, "late") {
		t.Errorf("status %d, %s, %s", got.status, got.out, got.err)
	}
}

func TestNoPrintsNothingMore(t *testing.T) {
	if got := run(cli.No(), "fail", "--json"); got != (ran{status: 1}) {
		t.Errorf("%+v", got)
	}
}

func TestReadable(t *testing.T) {
	for content, want := range map[string]string{
		`{"predicate":"port","subject":"payments-db","value":5432}`:       "payments-db port = 5432",
		`{"predicate":"address","subject":"vault","value":"10.0.0.1"}`:    "vault address = 10.0.0.1",
		`{"predicate":"port","scope":"test","subject":"db","value":null}`: "db port in test = null",
		`{"predicate":"port","subject":"db"}`:                             `{"predicate":"port","subject":"db"}`,
		`{"note":"x","predicate":"port","subject":"db","value":1}`:        `{"note":"x","predicate":"port","subject":"db","value":1}`,
		"plain words": "plain words", "{": "{", "": "", "null": "null",
	} {
		if got := cli.Readable(content); got != want {
			t.Errorf("%s is shown as %s", content, got)
		}
	}
}
