package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"

	"consilience/agent/agenttest"
	"consilience/identity"
	"consilience/internal/testkit"
	"consilience/record"
)

// flights imports the first lines of a table of real conflicting claims and
// returns the summary.
func flights(t *testing.T, home, dev, table string) summary {
	t.Helper()
	var out, stderr bytes.Buffer
	status := Main{}.Run(context.Background(), []string{"--home", home, "--dir", dev, "--json", "import", "csv", table,
		"--sources", "--space", "flights", "--columns", "object,source,value", "--split-predicate"}, nil, &out, &stderr)
	var s summary
	if err := json.Unmarshal(out.Bytes(), &s); err != nil || status != 0 {
		t.Fatalf("status %d, %v: %s", status, err, stderr.String())
	}
	return s
}

// statement is a content by a contributor.
type statement struct {
	by      identity.ID
	content record.Content
}

func distinct(lines [][]byte) int {
	all := map[string]bool{}
	for _, l := range lines {
		all[string(l)] = true
	}
	return len(all)
}

// interrupted runs an import that is stopped as soon as the log has something of it.
func interrupted(t *testing.T, s *agenttest.Store, home, dev, table string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer cancel()
		for ctx.Err() == nil {
			if m, _ := s.Deltas(); len(m) > 0 {
				return
			}
		}
	}()
	Main{}.Run(ctx, []string{"--home", home, "--dir", dev, "import", "csv", table, "--sources", "--space", "flights",
		"--columns", "object,source,value", "--split-predicate"}, nil, io.Discard, io.Discard)
	cancel()
}

// Real claims of 38 sources: an import that was stopped goes on, every claim is on
// the log by its source, and one more import publishes nothing.
func TestImportFlights(t *testing.T) {
	t.Parallel()
	all, err := os.ReadFile(testkit.Shared(t, "data/claims/flight-1208/claims.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(all, []byte("\n"))
	n := 3000
	if os.Getenv("ALL") != "" {
		n = len(lines) - 1
	}
	dir := t.TempDir()
	table, home := filepath.Join(dir, "flights.tsv"), filepath.Join(dir, "home")
	if err := os.WriteFile(table, bytes.Join(lines[:n], nil), 0o600); err != nil {
		t.Fatal(err)
	}
	s := agenttest.Start(t)
	s.Space("flights")
	s.Dev(dir)
	s.Serve()
	if status := (Main{}).Run(context.Background(), []string{"--home", home, "init"}, nil, &bytes.Buffer{}, &bytes.Buffer{}); status != 0 {
		t.Fatal("init")
	}
	interrupted(t, s, home, dir, table)
	got := flights(t, home, dir, table)
	if got.Claims != n || got.Pending != 0 || len(got.Refused) != 0 {
		t.Errorf("the import after an interrupted one: %+v", got)
	}
	stated := map[statement]bool{}
	messages, _ := s.Deltas()
	for _, m := range messages {
		for _, r := range m.Records {
			stated[statement{m.Delta.Contributor, r.Is()}] = true
		}
	}
	if want := distinct(lines[:n]); len(stated) != want {
		t.Errorf("the log has %d claims, the table %d", len(stated), want)
	}
	if again := flights(t, home, dir, table); again.Published != 0 || again.Already != n || again.Enrolled != 0 {
		t.Errorf("second import: %+v", again)
	}
}
