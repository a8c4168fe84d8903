package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"consilience/agent/agenttest"
	"consilience/internal/testkit"
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

// Real claims of 38 sources: all are published, each source's by itself, and a
// second import publishes nothing.
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
	got := flights(t, home, dir, table)
	if got.Claims != n || got.Published+got.Already != n || got.Enrolled != got.Sources || got.Pending != 0 || got.Merged != got.Deltas {
		t.Errorf("first import: %+v", got)
	}
	messages, _ := s.Deltas()
	records := 0
	for _, m := range messages {
		records += len(m.Records)
	}
	if records != got.Published {
		t.Errorf("the log has %d records, %d were published", records, got.Published)
	}
	if again := flights(t, home, dir, table); again.Published != 0 || again.Already != n || again.Enrolled != 0 {
		t.Errorf("second import: %+v", again)
	}
}
