package embedded

import (
	"io"
	"os/exec"
	"strconv"
)

// watchdogScript ends Postgres when this process is gone. It reads one line from a
// pipe whose other end only this process holds: a line means a clean stop, the end
// of the pipe means that this process died, by kill -9 too. A shell is used because
// it outlives us, unlike a goroutine, and needs no cooperation from main, unlike a
// re-exec of this binary; the parent-death signal of Linux hangs on a thread, which
// Go ends at will.
//
// $1 process id, $2 data folder, $3 signal, $4... folders to remove at the end.
// The id is used only while postmaster.pid still names it.
const watchdogScript = `
trap '' INT TERM HUP QUIT PIPE
if read line; then exit 0; fi
pid=$1; data=$2; sig=$3; shift 3
same() { read now <"$data/postmaster.pid" && [ "$now" = "$pid" ]; } 2>/dev/null
if same; then kill "-$sig" "$pid" 2>/dev/null; fi
n=0
while same && [ $n -lt 100 ]; do sleep 0.1; n=$((n+1)); done
if same; then kill -KILL "$pid" 2>/dev/null; sleep 1; fi
for d in "$@"; do rm -rf -- "$d"; done
`

// watchdog is the running script; its pipe is the only thing that ties it to us.
type watchdog struct {
	cmd  *exec.Cmd
	pipe io.WriteCloser
}

// watch starts the watchdog of process pid, as the same user, in a group of its own.
func watch(r *runner, pid int, dataDir, signal string, remove []string) (*watchdog, error) {
	args := append([]string{"-c", watchdogScript, "watchdog", strconv.Itoa(pid), dataDir, signal}, remove...)
	cmd := exec.Command("/bin/sh", args...)
	cmd.Dir = "/"
	cmd.Env = childEnv()
	cmd.SysProcAttr = r.attributes()
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &watchdog{cmd: cmd, pipe: pipe}, nil
}

// dismiss tells the watchdog that Postgres is stopped and waits for it to leave.
func (w *watchdog) dismiss() {
	io.WriteString(w.pipe, "stopped\n") // fails only if the watchdog is gone already
	w.pipe.Close()
	w.cmd.Wait()
}
