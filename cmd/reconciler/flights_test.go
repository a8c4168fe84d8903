package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"consilience/command"
	"consilience/internal/testkit"
)

// imported is what `contributor import csv --sources --json` prints.
type imported struct {
	Claims    int            `json:"claims"`
	Published int            `json:"published"`
	Pending   int            `json:"pending"`
	Refused   map[string]int `json:"refused"`
}

// Real claims of 38 sources go through the whole system: all are in, a second import
// changes nothing, and the log alone leads to the same digest (issue 2, item 7).
// ALL=1 takes all 99,295 of them.
func TestFlightsThroughTheWholeSystem(t *testing.T) {
	t.Parallel()
	all, err := os.ReadFile(testkit.Shared(t, "data/claims/flight-1208/claims.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(bytes.TrimSpace(all), []byte("\n"))
	if os.Getenv("ALL") == "" {
		lines = lines[:1500]
	}
	stack, dir := dev(t), t.TempDir()
	table := filepath.Join(dir, "flights.tsv")
	if err := os.WriteFile(table, bytes.Join(lines, nil), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := reconciler(t.Context(), "--dir", stack.dir, "space", "create", "flights"); r.status != 0 {
		t.Fatal(r.err)
	}
	bin := testkit.Build(t, "./cmd/contributor")
	load := func() (s imported) {
		t.Helper()
		c := exec.CommandContext(t.Context(), bin, "--home", filepath.Join(dir, "home"), "--dir", stack.dir, "--json", "import", "csv", table,
			"--sources", "--space", "flights", "--columns", "object,source,value", "--split-predicate", "--wait", "2m")
		var out, stderr bytes.Buffer
		c.Stdout, c.Stderr = &out, &stderr
		if err := c.Run(); err != nil {
			t.Fatalf("%v: %s", err, stderr.String())
		}
		if err := json.Unmarshal(out.Bytes(), &s); err != nil || len(s.Refused) > 0 || s.Claims != len(lines) || s.Pending != 0 {
			t.Fatalf("imported %+v, %v", s, err)
		}
		return s
	}
	if err := exec.Command(bin, "--home", filepath.Join(dir, "home"), "init").Run(); err != nil {
		t.Fatal(err)
	}
	load()
	flightsMerged(t, stack)
	distinct := map[string]bool{}
	for _, l := range lines {
		distinct[string(bytes.TrimSpace(l))] = true
	}
	var stated int
	row := stack.store.Pool().QueryRow(t.Context(), `SELECT count(*) FROM memory.provenance WHERE space = 'flights' AND stance = 'support'`)
	if err := row.Scan(&stated); err != nil || stated != len(distinct) {
		t.Errorf("%d statements, %v, of %d claims", stated, err, len(distinct))
	}
	before := flightsDigest(t, stack.postgres.URL(database))
	if again := load(); again.Published != 0 {
		t.Errorf("a second import published %d", again.Published)
	}
	flightsMerged(t, stack)
	if after := flightsDigest(t, stack.postgres.URL(database)); after != before {
		t.Errorf("a second import moved the digest")
	}
	if err := stack.postgres.CreateDatabase(t.Context(), "flights_again"); err != nil {
		t.Fatal(err)
	}
	into := stack.postgres.URL("flights_again")
	if r := reconciler(t.Context(), "--dir", stack.dir, "replay", "--into", into); r.status != 0 {
		t.Fatal(r.err)
	}
	if replayed := flightsDigest(t, into); replayed != before {
		t.Errorf("digest %s, a replay's %s", before, replayed)
	}
}

// flightsMerged waits until the space's partition has merged what the log holds.
func flightsMerged(t *testing.T, s *stack) {
	t.Helper()
	k := command.Partition("flights")
	newest, err := s.bus.Newest(t.Context(), k)
	if err != nil {
		t.Fatal(err)
	}
	if err := passed(t.Context(), s.store, k, newest); err != nil {
		t.Fatal(err)
	}
}

func flightsDigest(t *testing.T, url string) string {
	t.Helper()
	d, err := spaceDigest(t.Context(), url, "flights")
	if err != nil {
		t.Fatal(err)
	}
	return d
}
