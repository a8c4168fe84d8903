package testkit

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// linePatience is how long a process may take to say what a test waits for.
const linePatience = 3 * time.Minute

var (
	buildsMu sync.Mutex
	builds   = map[string]string{}
	held     []io.Closer // pipes that only the end of this process may close
)

// Build returns the binary of the main package pkg, such as "./cmd/reconciler", built
// once per test binary and removed when that ends.
func Build(t testing.TB, pkg string) string {
	t.Helper()
	buildsMu.Lock()
	defer buildsMu.Unlock()
	if bin := builds[pkg]; bin != "" {
		return bin
	}
	dir, err := os.MkdirTemp("", "consilience-bin-")
	if err != nil {
		t.Fatalf("testkit: %v", err)
	}
	if err := removeAtExit(dir); err != nil {
		t.Fatalf("testkit: %v", err)
	}
	bin := filepath.Join(dir, filepath.Base(pkg))
	cmd := exec.Command("go", "build", "-o", bin, pkg)
	cmd.Dir = Root(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("testkit: go build %s: %v\n%s", pkg, err, out)
	}
	builds[pkg] = bin
	return bin
}

// removeAtExit removes dir when this process has ended, however it ends: the pipe's
// other end, which nobody writes to, closes then.
func removeAtExit(dir string) error {
	cmd := exec.Command("/bin/sh", "-c", `trap '' INT TERM; read line; rm -rf -- "$1"`, "remove", dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	held = append(held, pipe)
	return cmd.Start()
}

// Process is a running command.
type Process struct {
	t    testing.TB
	cmd  *exec.Cmd
	done chan struct{}

	mu    sync.Mutex
	lines []string
	more  chan struct{} // closed and replaced at each line
}

// Start runs bin with args. env is added to the environment of the test. The test's
// end kills it.
func Start(t testing.TB, env []string, bin string, args ...string) *Process {
	t.Helper()
	p := &Process{t: t, cmd: exec.Command(bin, args...), done: make(chan struct{}), more: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), env...)
	out, in := io.Pipe()
	p.cmd.Stdout, p.cmd.Stderr = in, in
	if err := p.cmd.Start(); err != nil {
		t.Fatalf("testkit: %v", err)
	}
	read := make(chan struct{})
	go func() { p.collect(out); close(read) }()
	go func() {
		p.cmd.Wait()
		in.Close()
		<-read
		close(p.done)
	}()
	t.Cleanup(func() { p.Kill() })
	return p
}

func (p *Process) collect(out io.Reader) {
	r := bufio.NewReader(out)
	for {
		line, err := r.ReadString('\n')
		if line != "" {
			p.mu.Lock()
			p.lines = append(p.lines, strings.TrimSuffix(line, "\n"))
			close(p.more)
			p.more = make(chan struct{})
			p.mu.Unlock()
		}
		if err != nil {
			return
		}
	}
}

// WaitLine returns the first line on stdout or stderr that holds part. It fails the
// test if the process ends or three minutes pass without one.
func (p *Process) WaitLine(part string) string {
	p.t.Helper()
	timeout := time.After(linePatience)
	for ended := false; ; {
		p.mu.Lock()
		for _, line := range p.lines {
			if strings.Contains(line, part) {
				p.mu.Unlock()
				return line
			}
		}
		more := p.more
		p.mu.Unlock()
		if ended {
			p.t.Fatalf("testkit: the process ended without %q:\n%s", part, p.Output())
		}
		select {
		case <-more:
		case <-p.done:
			ended = true
		case <-timeout:
			p.t.Fatalf("testkit: no line with %q:\n%s", part, p.Output())
		}
	}
}

// Output is what the process has printed, stdout and stderr as they came.
func (p *Process) Output() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.lines, "\n")
}

// PID is the process id.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Signal sends a signal, such as SIGSTOP or SIGCONT.
func (p *Process) Signal(s syscall.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		p.t.Errorf("testkit: %v", err)
	}
}

// Kill ends the process by SIGKILL and waits for it.
func (p *Process) Kill() {
	p.Signal(syscall.SIGKILL)
	<-p.done
}

// Wait waits for the process and returns its exit status, -1 for a signal.
func (p *Process) Wait() int {
	<-p.done
	return p.cmd.ProcessState.ExitCode()
}

// Done is closed when the process has ended.
func (p *Process) Done() <-chan struct{} { return p.done }
