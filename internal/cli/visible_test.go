package cli_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"consilience/internal/cli"
	"consilience/internal/testkit"
)

// hostile is a text that clears the screen, turns the line around and hides a part.
const hostile = "a\x1b[2Jb\u202ec\u200bd\u2028e\u0085f\r\x7f\U000e0041"

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"plain": "plain", "Grüße 東京 👋": "Grüße 東京 👋", "": "", `C:\dir`: `C:\dir`,
		"\x1b[31m": `\x1b[31m`, "a\nb\tc\r": `a\nb\tc\r`, "\u202e": `\u202e`, "\u200b\u2028\u2029": `\u200b\u2028\u2029`,
		"\u009b": `\x9b`, "\x7f": `\x7f`, "\xff\x00": `\xff\x00`, "\U000e0041": `\U000e0041`, "\u00ad": `\xad`,
	} {
		if got := cli.Visible(text); got != want {
			t.Errorf("%q is shown as %s, not %s", text, got, want)
		}
	}
}

func TestTablesAndCutsShowWhatIsHidden(t *testing.T) {
	var out bytes.Buffer
	cli.Table(&out, []string{"WHAT", "MORE"}, [][]string{{hostile, "x\ty\nz"}, {"q", cli.Clip(hostile+"\nnext", 200)}})
	if got := testkit.Drives(out.String()); got != "" || strings.Count(out.String(), "\n") != 3 {
		t.Errorf("%q in %q", got, out.String())
	}
	if got := cli.Clip("one\ntwo three", 8); got != "one two…" {
		t.Error(got)
	}
}

// TestWordsForPeopleDriveNoTerminal: the result for people, an error and a remark are
// shown, the document for programs is exact.
func TestWordsForPeopleDriveNoTerminal(t *testing.T) {
	show := func(json bool) (out, remarks bytes.Buffer) {
		s := &cli.Session{Out: &out, Err: &remarks, JSON: json}
		_ = s.Print(map[string]string{"text": hostile}, func(w io.Writer) { io.WriteString(w, hostile+"\nnext\n") })
		s.Say("about %s", hostile)
		return
	}
	out, remarks := show(false)
	if got := testkit.Drives(out.String() + remarks.String()); got != "" || strings.Count(out.String(), "\n") != 2 {
		t.Errorf("%q in %q and %q", got, out.String(), remarks.String())
	}
	out, _ = show(true)
	var document map[string]string
	if err := json.Unmarshal(out.Bytes(), &document); err != nil || document["text"] != hostile {
		t.Errorf("%v: %q", err, out.String())
	}
	got := run(errors.Join(errors.New(hostile), errors.New("more")), "fail")
	if testkit.Drives(got.err) != "" || strings.Count(got.err, "\n") != 1 {
		t.Errorf("%q", got.err)
	}
}

// TestExactResultsStayExact: what programs read through a pipe is byte for byte.
func TestExactResultsStayExact(t *testing.T) {
	var out bytes.Buffer
	s := &cli.Session{Out: &out}
	if err := s.PrintExact(nil, func(w io.Writer) { io.WriteString(w, hostile) }); err != nil || out.String() != hostile {
		t.Errorf("%v: %q", err, out.String())
	}
}

func TestCount(t *testing.T) {
	if got := cli.Count(1, "item") + ", " + cli.Count(0, "item") + ", " + cli.Count(2, "item"); got != "1 item, 0 items, 2 items" {
		t.Error(got)
	}
}
