package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// TestDiffDrivesNoTerminal: content reaches a terminal as text.
func TestDiffDrivesNoTerminal(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	file := filepath.Join(t.TempDir(), "hostile.txt")
	if err := os.WriteFile(file, []byte("a\x1b[2J\u202eb\u200b"), 0o600); err != nil {
		t.Fatal(err)
	}
	must(t, "--home", home, "init")
	must(t, "--home", home, "remember", "--file", file)
	out := must(t, "--home", home, "diff", "--space", "plant")
	for _, r := range out {
		if r != '\n' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			t.Errorf("%U in %q", r, out)
		}
	}
	if !strings.Contains(out, `a\x1b[2J\u202eb\u200b`) {
		t.Errorf("the content is not shown: %q", out)
	}
}

// must runs a command line that has to succeed and returns what it printed.
func must(t *testing.T, args ...string) string {
	t.Helper()
	var out, err bytes.Buffer
	if status := (Main{}).Run(t.Context(), args, strings.NewReader(""), &out, &err); status != 0 {
		t.Fatalf("%v: status %d, %s", args, status, err.String())
	}
	return out.String()
}
