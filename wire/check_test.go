package wire_test

import (
	"strings"
	"testing"

	"consilience/reason"
	"consilience/wire"
)

func TestSpaceName(t *testing.T) {
	for _, good := range []string{"a", "0", "_", "-", "flights-2026_x", strings.Repeat("z", 64)} {
		if err := wire.SpaceName(good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for _, bad := range []string{"", "A", "a.b", "a b", "a*", "a>", "ä", "a\n", "a\x00", strings.Repeat("z", 65)} {
		if err := wire.SpaceName(bad); reason.Of(err) != reason.NameInvalid {
			t.Errorf("%q: got %v, want %s", bad, err, reason.NameInvalid)
		}
	}
}

func TestCheckText(t *testing.T) {
	for _, good := range []string{"", "a reason", "Grüße 東京 👋", strings.Repeat("x", 64)} {
		if err := wire.CheckText("text", good, 64); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for _, bad := range []string{"a\nb", "\x1b[31m", "\x00", "\x7f", "\u009b", "\xff", strings.Repeat("x", 65)} {
		if err := wire.CheckText("text", bad, 64); reason.Of(err) != reason.NameInvalid {
			t.Errorf("%q: got %v, want %s", bad, err, reason.NameInvalid)
		}
	}
}

func TestParseTextRoundTrip(t *testing.T) {
	value := [32]byte{31: 1}
	if got, err := wire.ParseText(wire.Text(value)); err != nil || got != value {
		t.Errorf("got %v, %v", got, err)
	}
}
