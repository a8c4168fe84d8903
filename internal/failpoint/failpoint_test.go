package failpoint_test

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"consilience/internal/failpoint"
)

// TestMain lets the test binary be the process that dies: it passes "here" four
// times and prints each.
func TestMain(m *testing.M) {
	if os.Getenv(failpoint.Variable) != "" {
		for range 4 {
			failpoint.Hit("here")
			os.Stdout.WriteString("passed\n")
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestHit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		variable string
		passed   int
		killed   bool
	}{
		{"here:1", 0, true},
		{"here:3", 2, true},
		{"elsewhere:1,here:2", 1, true},
		{"here:5", 4, false},
		{"elsewhere:1", 4, false},
		{"here", 4, false},
		{"here:0", 4, false},
		{"here:1:nonsense", 4, false},
	} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = []string{failpoint.Variable + "=" + c.variable}
		out, err := cmd.Output()
		if got := strings.Count(string(out), "passed"); got != c.passed {
			t.Errorf("%s: passed %d times, want %d", c.variable, got, c.passed)
		}
		var exit *exec.ExitError
		killed := errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL
		if killed != c.killed {
			t.Errorf("%s: killed is %v, want %v (%v)", c.variable, killed, c.killed, err)
		}
	}
}

func TestStop(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(os.Args[0])
	cmd.Env = []string{failpoint.Variable + "=here:2:stop"}
	out := &strings.Builder{}
	cmd.Stdout = out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(cmd.Process.Pid, &status, syscall.WUNTRACED, nil); err != nil || !status.Stopped() {
		t.Fatalf("not stopped: %v %v", status, err)
	}
	if err := cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil || strings.Count(out.String(), "passed") != 4 {
		t.Errorf("after going on: %q, %v", out, err)
	}
}
