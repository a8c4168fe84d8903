package main

import (
	"encoding/json"
	"strings"
	"testing"

	"consilience/examples"
)

// TestDemo plays the story in both forms and holds its point: the falsehoods fall,
// what clean agents say stays, and the replay has the same digest.
func TestDemo(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a store")
	}
	got := reconciler(t.Context(), "demo", "--json")
	if got.status != 0 || got.err != "" {
		t.Fatalf("status %d, %s", got.status, got.err)
	}
	var s summary
	d := json.NewDecoder(strings.NewReader(got.out))
	if err := d.Decode(&s); err != nil || d.More() {
		t.Fatalf("not one document: %v\n%s", err, got.out)
	}
	if s.Digest == "" || s.Digest != s.Replayed {
		t.Errorf("digest %s, replayed %s", s.Digest, s.Replayed)
	}
	fell := 0
	for i, now := range s.After {
		if now.Status == "quarantined" {
			fell++
			if now.Confidence != "0.000000" {
				t.Errorf("%s is quarantined at %s", now.Content, now.Confidence)
			}
		}
		if i > 0 && now.Belief > s.After[i-1].Belief {
			t.Errorf("item %d is believed more than the one above it", i)
		}
	}
	if fell != 4 || len(s.After) != len(s.Before) {
		t.Errorf("%d items fell, %d before and %d after", fell, len(s.Before), len(s.After))
	}
	// Three voices of one lineage are one (N-48): no more than a newcomer's word.
	if e := s.Explained[0]; e.Confidence != "0.270000" || len(e.Stances) != 3 || e.Stances[1].Why != "same_group" {
		t.Errorf("one voice: %+v", e)
	}
	if e := s.Explained[1]; e.Groups != 3 {
		t.Errorf("three independent agents: %+v", e)
	}
}

// TestDemoReads: what a newcomer sees is words, not JSON, and no warnings.
func TestDemoReads(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a store")
	}
	got := reconciler(t.Context(), "demo")
	if got.status != 0 || got.err != "" {
		t.Fatalf("status %d, %s", got.status, got.err)
	}
	for _, want := range []string{
		"vault address = 10.66.6.6", "0.27 → 0.00", "quarantined", "its rival fell", "same_group: one voice", "digest of the replay",
	} {
		if !strings.Contains(got.out, want) {
			t.Errorf("no %q in\n%s", want, got.out)
		}
	}
	for _, wrong := range []string{`{"`, "WARN", "partition"} {
		if strings.Contains(got.out, wrong) {
			t.Errorf("%q in\n%s", wrong, got.out)
		}
	}
	for line := range strings.SplitSeq(got.out, "\n") {
		if n := len([]rune(line)); n > 140 {
			t.Errorf("a line of %d characters: %s", n, line)
		}
	}
}

func TestStoryNamesItsLine(t *testing.T) {
	steps, err := readStory(examples.Fleet)
	if err != nil || len(steps) < 40 {
		t.Fatalf("%d steps, %v", len(steps), err)
	}
	_, err = readStory([]byte("{\"do\":\"say\"}\n{\"did\":\"say\"}\n"))
	if err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("%v", err)
	}
}
