package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"consilience/internal/testkit"
)

// TestRecall runs the scripts of testdata/recall against a dev store in a process of
// its own: what leaves a store is verified by the program that the reader has.
//
//	reconciler ARGS…       runs a command line of the operator
//	append FILE TEXT       appends to a file
//	replace FILE OLD NEW   replaces a text in a file
func TestRecall(t *testing.T) {
	dir := testkit.Dir(t)
	bin := testkit.Build(t, "./cmd/reconciler")
	testkit.Start(t, nil, bin, "dev", "--dir", dir, "--http", "127.0.0.1:0").WaitLine("is ready in")
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/recall",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Values[key("last")] = &run{}
			e.Setenv("CONTRIBUTOR_DIR", dir)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"contributor": func(ts *testscript.TestScript, neg bool, args []string) {
				if args[0] != "verify-projection" {
					args = append([]string{"--dir", dir}, args...)
				}
				runContributor(ts, neg, args)
			},
			"reconciler": func(ts *testscript.TestScript, neg bool, args []string) { runReconciler(ts, neg, bin, dir, args) },
			"status":     wantStatus, "json": wantJSON, "save": saveJSON, "mode": wantMode, "append": appendText, "replace": replaceText,
		},
	})
}

// runReconciler runs the operator's program as it is built.
func runReconciler(ts *testscript.TestScript, neg bool, bin, dir string, args []string) {
	var out, err bytes.Buffer
	c := exec.Command(bin, append([]string{"--dir", dir}, args...)...)
	c.Dir, c.Stdout, c.Stderr = ts.Getenv("WORK"), &out, &err
	_ = c.Run()
	r := last(ts)
	r.status, r.out = c.ProcessState.ExitCode(), out.Bytes()
	fmt.Fprint(ts.Stdout(), out.String())
	fmt.Fprint(ts.Stderr(), err.String())
	if (r.status != 0) != neg {
		ts.Fatalf("exit status %d", r.status)
	}
}

func appendText(ts *testscript.TestScript, _ bool, args []string) {
	f, err := os.OpenFile(ts.MkAbs(args[0]), os.O_APPEND|os.O_WRONLY, 0)
	ts.Check(err)
	_, err = f.WriteString(args[1])
	ts.Check(err)
	ts.Check(f.Close())
}

func replaceText(ts *testscript.TestScript, _ bool, args []string) {
	path := filepath.Clean(ts.MkAbs(args[0]))
	text, err := os.ReadFile(path)
	ts.Check(err)
	changed := bytes.ReplaceAll(text, []byte(args[1]), []byte(args[2]))
	if bytes.Equal(changed, text) {
		ts.Fatalf("%s does not hold %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(path, changed, 0o600))
}
