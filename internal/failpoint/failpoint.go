// Package failpoint lets a test end or halt this process at a named place, which is
// how crash safety is proved on the real program.
//
// The environment variable CONSILIENCE_FAILPOINT holds one or more "name:n" or
// "name:n:stop", separated by commas: at the n-th [Hit] of name the process kills
// itself by SIGKILL, as a crash would, or stops itself by SIGSTOP until a SIGCONT.
// Without the variable, as always outside tests, Hit does nothing.
package failpoint

import (
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
)

// Variable is the environment variable that arms failpoints.
const Variable = "CONSILIENCE_FAILPOINT"

// point is an armed failpoint: what happens when left reaches zero.
type point struct {
	left   atomic.Int64
	signal syscall.Signal
}

var armed = parse(os.Getenv(Variable))

// Hit passes the place called name.
func Hit(name string) {
	p := armed[name]
	if p == nil || p.left.Add(-1) != 0 {
		return
	}
	syscall.Kill(os.Getpid(), p.signal)
	if p.signal == syscall.SIGKILL {
		select {} // the signal may take a moment; nothing after this place may run
	}
}

// parse reads the variable. What it cannot read arms nothing.
func parse(text string) map[string]*point {
	points := map[string]*point{}
	for spec := range strings.SplitSeq(text, ",") {
		fields := strings.Split(spec, ":")
		if len(fields) < 2 || len(fields) > 3 {
			continue
		}
		n, err := strconv.ParseInt(fields[1], 10, 64)
		if err != nil || n < 1 {
			continue
		}
		p := &point{signal: syscall.SIGKILL}
		if len(fields) == 3 {
			if fields[2] != "stop" {
				continue
			}
			p.signal = syscall.SIGSTOP
		}
		p.left.Store(n)
		points[fields[0]] = p
	}
	return points
}
