package embedded

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"consilience/reason"
)

// orphanPatience is how long a Postgres whose owner died may take to stop by
// itself; its watchdog is at work during this time.
const orphanPatience = 10 * time.Second

// lock takes the folder for this process. The kernel gives it back however this
// process ends, so a lock that can be taken proves that no owner is alive.
func lock(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, reason.Wrap(reason.Unreachable, err, "cannot open the lock file").On(dir)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		return nil, reason.Wrap(reason.Unreachable, err, "another process runs a store in this folder").On(dir).
			Advise("stop it, or name another folder")
	}
	return f, nil
}

// takeOver ends a Postgres that a killed owner left in dataDir and removes a
// postmaster.pid that names no Postgres. The caller holds the folder's lock.
func takeOver(ctx context.Context, dataDir string) error {
	pidFile := filepath.Join(dataDir, "postmaster.pid")
	deadline := time.Now().Add(orphanPatience)
	for {
		pid := readPID(pidFile)
		if pid == 0 {
			return nil
		}
		if !serves(pid, dataDir) {
			// The id may belong to a stranger by now; Postgres would refuse to start beside it.
			return removed(os.Remove(pidFile), pidFile)
		}
		if time.Now().After(deadline) {
			syscall.Kill(pid, syscall.SIGQUIT)
			deadline = time.Now().Add(orphanPatience)
		}
		if err := pause(ctx, 20*time.Millisecond); err != nil {
			return err
		}
	}
}

func removed(err error, file string) error {
	if err != nil && !os.IsNotExist(err) {
		return reason.Wrap(reason.Unreachable, err, "cannot remove the stale file").On(file)
	}
	return nil
}

// readPID returns the process id in a postmaster.pid, 0 if there is none.
func readPID(file string) int {
	data, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	line, _, _ := strings.Cut(string(data), "\n")
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		return 0
	}
	return pid
}

// serves reports whether process pid is a Postgres on dataDir: Postgres works in
// its data folder. Without /proc a living process is taken for it.
func serves(pid int, dataDir string) bool {
	if syscall.Kill(pid, 0) == syscall.ESRCH {
		return false
	}
	if runtime.GOOS != "linux" {
		return true
	}
	cwd, err := os.Readlink("/proc/" + strconv.Itoa(pid) + "/cwd")
	return err == nil && cwd == dataDir
}

// pause waits for d, or returns [reason.TimedOut] when ctx ends first.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return reason.Wrap(reason.TimedOut, context.Cause(ctx), "gave up waiting for Postgres")
	case <-time.After(d):
		return nil
	}
}
