package main

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"consilience/agent"
	"consilience/agent/agenttest"
	"consilience/bus"
	"consilience/command"
	"consilience/identity"
	"consilience/internal/testkit"
	"consilience/wire"
)

// The scripts run the program in process, each against a NATS server and a log of
// its own. See testdata/script.
//
//	contributor ARGS…      runs a command line; "! contributor" wants a failure
//	status N               the exit status of the last one
//	json PATH WANT         a value of the JSON document that the last one printed
//	serve, stop            merge the log and answer requests, or no longer
//	enroll FILE NAME SPACE enrolls a contributor
//	space NAME             makes a space
//	vouch FILE NAME ORIGIN SPACE enrolls a contributor again, vouched for and of an origin
//	enrolment FILE WANT    what is in force of the enrolment of a key
//	save PATH VARIABLE     keeps a value of the JSON document in a variable
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setup,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"contributor": runContributor, "status": wantStatus, "json": wantJSON, "save": saveJSON,
			"serve": serve, "stop": stop, "enroll": enroll, "space": makeSpace, "vouch": vouch, "enrolment": wantEnrolment, "mode": wantMode, "alter": alter, "lines": wantLines,
		},
	})
}

// TestMain keeps the tests away from the home folder of whoever runs them, and
// from a dev store that runs there. The go command keeps its caches.
func TestMain(m *testing.M) {
	for _, name := range []string{"GOCACHE", "GOMODCACHE"} {
		if value, err := exec.Command("go", "env", name).Output(); err == nil {
			os.Setenv(name, strings.TrimSpace(string(value)))
		}
	}
	dir, err := os.MkdirTemp("", "contributor")
	if err != nil {
		panic(err)
	}
	os.Setenv("HOME", dir)
	status := m.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}

type key string

// setup gives a script a store with the space plant, as a dev store in $WORK/dev.
func setup(e *testscript.Env) error {
	s := agenttest.Start(e.T().(testing.TB))
	s.Space("plant")
	dev := filepath.Join(e.WorkDir, "dev")
	if err := os.Mkdir(dev, 0o700); err != nil {
		return err
	}
	s.Dev(dev)
	e.Setenv("NATS", s.URL)
	e.Setenv("STORE", wire.Text(s.ID))
	e.Values[key("store")] = s
	e.Values[key("stop")] = s.Serve()
	e.Values[key("last")] = &run{}
	return nil
}

// run is the last command line that a script ran.
type run struct {
	status int
	out    []byte
}

func last(ts *testscript.TestScript) *run { return ts.Value(key("last")).(*run) }

func store(ts *testscript.TestScript) *agenttest.Store {
	return ts.Value(key("store")).(*agenttest.Store)
}

func runContributor(ts *testscript.TestScript, neg bool, args []string) {
	var out, err bytes.Buffer
	args = absolute(ts, append([]string{"--home", "home"}, args...))
	r := last(ts)
	r.status = Main{}.Run(context.Background(), args, strings.NewReader(ts.Getenv("stdin")), &out, &err)
	r.out = out.Bytes()
	fmt.Fprint(ts.Stdout(), out.String())
	fmt.Fprint(ts.Stderr(), err.String())
	if (r.status != 0) != neg {
		ts.Fatalf("exit status %d", r.status)
	}
}

// pathFlags are followed by a path that need not exist yet.
var pathFlags = []string{"--home", "--dir", "--parent", "--out", "--record", "--proof", "--policy", "--registry"}

// absolute makes paths absolute: scripts run in parallel in one process, which has
// one working folder.
func absolute(ts *testscript.TestScript, args []string) []string {
	for i, arg := range args {
		_, err := os.Stat(ts.MkAbs(arg))
		if i > 0 && slices.Contains(pathFlags, args[i-1]) && !strings.Contains(arg, "://") || err == nil {
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

// value is the value at a path such as "outcomes.0.status" of the last document.
func value(ts *testscript.TestScript, path string) string {
	v, err := testkit.ValueAt(string(last(ts).out), path)
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

func serve(ts *testscript.TestScript, _ bool, _ []string) { store(ts).Serve() }

func stop(ts *testscript.TestScript, _ bool, _ []string) { ts.Value(key("stop")).(func())() }

func enroll(ts *testscript.TestScript, _ bool, args []string) {
	store(ts).Enroll(publicKey(ts, args[0]), args[1], args[2:]...)
}

func makeSpace(ts *testscript.TestScript, _ bool, args []string) { store(ts).Space(args[0]) }

func publicKey(ts *testscript.TestScript, file string) identity.PublicKey {
	content, err := os.ReadFile(ts.MkAbs(file))
	ts.Check(err)
	k, err := identity.ParsePublic(content)
	ts.Check(err)
	return k
}

func vouch(ts *testscript.TestScript, _ bool, args []string) {
	store(ts).Command(command.KindEnroll, "", command.Enroll{
		Key: publicKey(ts, args[0]), Name: args[1], Origin: args[2], Spaces: args[3:], Vouched: true,
	})
}

func wantEnrolment(ts *testscript.TestScript, _ bool, args []string) {
	s := store(ts)
	b, err := bus.Open(context.Background(), s.URL, bus.Options{Key: &s.Operator})
	ts.Check(err)
	defer b.Close()
	v, err := agent.ReadFleet(context.Background(), b, s.ID)
	ts.Check(err)
	c, _ := v.Contributor(publicKey(ts, args[0]).ID())
	got := fmt.Sprintf("%s %v %s %s", c.Name, c.Spaces, map[bool]string{true: "vouched", false: "unvouched"}[c.Vouched], c.Origin)
	if got != args[1] {
		ts.Fatalf("in force is %s", got)
	}
}

func wantMode(ts *testscript.TestScript, _ bool, args []string) {
	info, err := os.Stat(ts.MkAbs(args[1]))
	ts.Check(err)
	if got := fmt.Sprintf("%04o", info.Mode().Perm()); got != args[0] {
		ts.Fatalf("mode of %s is %s", args[1], got)
	}
}

// wantLines counts the lines of the last output.
func wantLines(ts *testscript.TestScript, _ bool, args []string) {
	if got := strconv.Itoa(bytes.Count(last(ts).out, []byte("\n"))); got != args[0] {
		ts.Fatalf("%s lines", got)
	}
}

// alter changes the content of the first record of a local memory, past the
// program.
func alter(ts *testscript.TestScript, _ bool, args []string) {
	db, err := sql.Open("sqlite", ts.MkAbs(args[0]))
	ts.Check(err)
	defer db.Close()
	_, err = db.Exec("UPDATE record SET content = CAST('won' AS BLOB) WHERE ordinal = 1")
	ts.Check(err)
}
