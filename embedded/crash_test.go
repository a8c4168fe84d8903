package embedded_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"consilience/embedded"
	"consilience/internal/testkit"
)

// ownerDir, when set, makes this test binary the owner of a Postgres, to be killed.
const ownerDir = "EMBEDDED_TEST_OWNER_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(ownerDir); dir != "" {
		p, err := embedded.StartPostgres(context.Background(), embedded.PostgresConfig{
			Dir: dir, Fsync: true, Ephemeral: os.Getenv("EMBEDDED_TEST_EPHEMERAL") != "",
		})
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("pid", p.PID())
		<-p.Done()
		os.Exit(0)
	}
	status := m.Run()
	if dir, err := seed(); err == nil {
		os.RemoveAll(dir)
	}
	os.Exit(status)
}

// owner runs a process that owns a Postgres on dir, and returns both.
func owner(t *testing.T, dir string, env ...string) (p *testkit.Process, pid int) {
	t.Helper()
	p = testkit.Start(t, append(env, ownerDir+"="+dir), os.Args[0])
	pid, err := strconv.Atoi(strings.TrimPrefix(p.WaitLine("pid "), "pid "))
	if err != nil {
		t.Fatal(err)
	}
	return p, pid
}

// gone waits until process pid has ended; one that nobody has waited for yet counts.
func gone(t *testing.T, pid int) {
	t.Helper()
	testkit.Eventually(t, 30*time.Second, "Postgres has ended", func() bool {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		return syscall.Kill(pid, 0) == syscall.ESRCH || err == nil && strings.Contains(string(stat), ") Z ")
	})
}

func TestPostgresDiesWithItsOwner(t *testing.T) {
	t.Parallel()
	dir := store(t)
	process, pid := owner(t, dir)
	process.Kill()
	gone(t, pid)
	p := start(t, embedded.PostgresConfig{Dir: dir, Fsync: true})
	if got := query(t, p, "SELECT 'well'"); got != "well" {
		t.Errorf("after a killed owner: %q", got)
	}
}

// The next owner need not wait until the watchdog of the last one is done.
func TestPostgresIsTakenOver(t *testing.T) {
	t.Parallel()
	dir := store(t)
	for range 3 {
		process, _ := owner(t, dir)
		process.Kill()
	}
	start(t, embedded.PostgresConfig{Dir: dir, Fsync: true})
}

func TestEphemeralLeavesNothing(t *testing.T) {
	t.Parallel()
	dir := store(t)
	process, pid := owner(t, dir, "EMBEDDED_TEST_EPHEMERAL=1")
	process.Kill()
	gone(t, pid)
	testkit.Eventually(t, 30*time.Second, "the data are gone", func() bool {
		left, err := filepath.Glob(filepath.Join(dir, "*"))
		return err == nil && len(left) == 0
	})
}

// A postmaster.pid that names a process which is no Postgres: after a crash of the
// machine the id is somebody else's.
func TestStalePidFileOfAStranger(t *testing.T) {
	t.Parallel()
	dir := store(t)
	p := start(t, embedded.PostgresConfig{Dir: dir})
	file := filepath.Join(p.Dir(), "data", "postmaster.pid")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p.Kill()
	_, rest, _ := strings.Cut(string(text), "\n")
	if err := os.WriteFile(file, fmt.Appendf(nil, "%d\n%s", os.Getpid(), rest), 0o600); err != nil {
		t.Fatal(err)
	}
	start(t, embedded.PostgresConfig{Dir: dir})
}
