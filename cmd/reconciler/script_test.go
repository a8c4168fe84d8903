package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"consilience/internal/testkit"
)

// The scripts run command lines in process against one dev store, each in a space
// and with contributors of its own. See testdata/script.
//
//	reconciler ARGS…         runs a command line; "! reconciler" wants a failure
//	status N                 the exit status of the last one
//	json PATH WANT           a value of the one JSON document that the last one printed
//	save PATH VARIABLE       keeps a value of the JSON document in a variable
//	home NAME…               makes contributors, NAME/public.key is what to enroll
//	child NAME PARENT        derives a contributor and makes it known
//	say NAME SPACE TEXT…     remembers texts and pushes; sets $record and $item of the last
//	try NAME SPACE TEXT      as say, and the delta is refused; sets $reason
//	database VARIABLE        makes an empty database and keeps its URL
//	makekey FILE…            makes private keys, and FILE.pub beside each
//	rekey NAME FILE          lets a contributor sign with another key
func TestScripts(t *testing.T) {
	dev(t)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setup,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"reconciler": runReconciler, "status": wantStatus, "json": wantJSON, "save": saveJSON,
			"home": makeHomes, "child": derive, "say": say, "try": try, "database": makeDatabase, "rekey": rekey, "makekey": newKeyFiles,
		},
	})
}

type key string

func setup(e *testscript.Env) error {
	e.Values[key("last")] = &ran{}
	e.Values[key("crowd")] = newCrowd(e.T().(testing.TB), dev(e.T().(testing.TB)), e.WorkDir)
	e.Setenv("DEV", dev(e.T().(testing.TB)).dir)
	return nil
}

func last(ts *testscript.TestScript) *ran { return ts.Value(key("last")).(*ran) }

func people(ts *testscript.TestScript) *crowd { return ts.Value(key("crowd")).(*crowd) }

func runReconciler(ts *testscript.TestScript, neg bool, args []string) {
	args = absolute(ts, args)
	if !slices.ContainsFunc([]string{"--dir", "--nats", "--postgres"}, func(f string) bool { return slices.Contains(args, f) }) {
		args = append([]string{"--dir", ts.Getenv("DEV")}, args...)
	}
	r := last(ts)
	*r = reconciler(people(ts).ctx, args...)
	fmt.Fprint(ts.Stdout(), r.out)
	fmt.Fprint(ts.Stderr(), r.err)
	if (r.status != 0) != neg {
		ts.Fatalf("exit status %d", r.status)
	}
}

// absolute makes paths of files that exist absolute: scripts run in parallel in one
// process, which has one working folder.
func absolute(ts *testscript.TestScript, args []string) []string {
	for i, arg := range args {
		if _, err := os.Stat(ts.MkAbs(arg)); arg != "" && err == nil || i > 0 && args[i-1] == "--keys" {
			args[i] = ts.MkAbs(arg)
		}
	}
	return args
}

func wantStatus(ts *testscript.TestScript, _ bool, args []string) {
	if got := strconv.Itoa(last(ts).status); got != args[0] {
		ts.Fatalf("exit status %s, not %s", got, args[0])
	}
}

// value is the value at a path such as "tree.0.items" of the last document.
func value(ts *testscript.TestScript, path string) string {
	v, err := testkit.ValueAt(last(ts).out, path)
	ts.Check(err)
	return v
}

func wantJSON(ts *testscript.TestScript, neg bool, args []string) {
	if got := value(ts, args[0]); (got == args[1]) == neg {
		ts.Fatalf("%s is %q", args[0], got)
	}
}

func saveJSON(ts *testscript.TestScript, _ bool, args []string) {
	ts.Setenv(args[1], value(ts, args[0]))
}

func makeHomes(ts *testscript.TestScript, _ bool, names []string) {
	for _, name := range names {
		ts.Check(people(ts).create(name))
	}
}

func derive(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(people(ts).derive(args[0], args[1]))
}

func say(ts *testscript.TestScript, _ bool, args []string) {
	said, err := people(ts).say(args[0], args[1], args[2:]...)
	ts.Check(err)
	if said.refused != "" {
		ts.Fatalf("refused: %s", said.refused)
	}
	ts.Setenv("record", said.record)
	ts.Setenv("item", said.item)
}

func try(ts *testscript.TestScript, _ bool, args []string) {
	said, err := people(ts).say(args[0], args[1], args[2])
	ts.Check(err)
	if said.refused == "" {
		ts.Fatalf("merged")
	}
	ts.Setenv("reason", said.refused)
}

func makeDatabase(ts *testscript.TestScript, _ bool, args []string) {
	name := "script_" + strings.ToLower(args[0])
	server := dev(people(ts).t).postgres
	ts.Check(server.CreateDatabase(people(ts).ctx, name))
	ts.Setenv(args[0], server.URL(name))
}

func newKeyFiles(ts *testscript.TestScript, _ bool, files []string) {
	for _, file := range files {
		_, err := makeKey(ts.MkAbs(file))
		ts.Check(err)
	}
}

func rekey(ts *testscript.TestScript, _ bool, args []string) {
	k, err := readKey(ts.MkAbs(args[1]))
	ts.Check(err)
	people(ts).key[args[0]] = k
}
