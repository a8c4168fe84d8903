package main

import (
	"strings"
	"testing"

	"consilience/internal/testkit"
)

// hostile is a text that clears the screen, turns the line around and hides a part.
const hostile = "a\x1b[2J\x1b]0;owned\x07b\u202ec\u200bd"

// TestHostileContentDrivesNoTerminal: what others say reaches a terminal as text.
func TestHostileContentDrivesNoTerminal(t *testing.T) {
	s := dev(t)
	c := newCrowd(t, s, t.TempDir())
	succeed(t, s.dir, "space", "create", "theatre")
	if err := c.create("hamlet"); err != nil {
		t.Fatal(err)
	}
	succeed(t, s.dir, "enroll", c.dir+"/hamlet/public.key", "--name", "hostile-hamlet", "--space", "theatre")
	told, err := c.say("hamlet", "theatre", hostile)
	if err != nil || told.refused != "" {
		t.Fatal(told, err)
	}
	got := reconciler(t.Context(), "explain", told.item, "--dir", s.dir)
	if got.status != 0 || testkit.Drives(got.out) != "" || !strings.Contains(got.out, `a\x1b[2J\x1b]0;owned\x07b\u202ec\u200bd`) {
		t.Errorf("%+v", got)
	}
	if got := reconciler(t.Context(), "explain", told.item, "--dir", s.dir, "--json"); !strings.Contains(got.out, "\u202e") {
		t.Errorf("the document for programs is changed: %s", got.out)
	}
	named := reconciler(t.Context(), "enroll", c.dir+"/hamlet/public.key", "--name", "ham\u202elet", "--space", "theatre", "--dir", s.dir)
	if named.status == 0 || !strings.Contains(named.err, "name_invalid") {
		t.Errorf("%+v", named)
	}
	absent := reconciler(t.Context(), "retire", hostile, "--dir", s.dir)
	if absent.status == 0 || testkit.Drives(absent.err) != "" {
		t.Errorf("%+v", absent)
	}
}

// TestComparisonsAndTreesDriveNoTerminal: so do the tables of demo and quarantine.
func TestComparisonsAndTreesDriveNoTerminal(t *testing.T) {
	var out strings.Builder
	compare(&out, nil, []shown{{Content: hostile, Status: "active"}, {Content: `{"subject":"` + "\u202e" + `","predicate":"\u001b[2J","value":1}`}})
	contained{Tree: []member{{Name: hostile}}, DryRun: true}.table(&out)
	if got := testkit.Drives(out.String()); got != "" {
		t.Errorf("%q in %q", got, out.String())
	}
}
