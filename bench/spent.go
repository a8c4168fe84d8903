package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// spent is processor time so far, seconds: of the workers, of Postgres and of this
// process, which is the log and its publisher.
type spent struct{ workers, postgres, self float64 }

// ticks is the kernel's unit of processor time, a second's worth.
const ticks = 100

func (w *world) spent() (s spent) {
	for _, c := range w.serving {
		s.workers += processorTime(c.Process.Pid)
	}
	s.self = processorTime(os.Getpid())
	s.postgres = processorTime(w.pg.PID())
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		if f := statFields(path); len(f) > 3 && f[1] == strconv.Itoa(w.pg.PID()) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			s.postgres += processorTime(pid)
		}
	}
	return s
}

// since says where the time went.
func (s spent) since(before spent) string {
	return fmt.Sprintf("processor seconds: workers %.1f, Postgres %.1f, log and publisher %.1f",
		s.workers-before.workers, s.postgres-before.postgres, s.self-before.self)
}

func processorTime(pid int) float64 {
	f := statFields(fmt.Sprintf("/proc/%d/stat", pid))
	if len(f) < 15 {
		return 0
	}
	user, _ := strconv.ParseFloat(f[11], 64)
	system, _ := strconv.ParseFloat(f[12], 64)
	return (user + system) / ticks
}

// statFields are the fields of a stat file after the command's name, from the state on.
func statFields(path string) []string {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	_, rest, _ := strings.Cut(string(b), ") ")
	return strings.Fields(rest)
}
