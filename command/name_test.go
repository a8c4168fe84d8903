package command_test

import (
	"testing"
	"unicode"

	"consilience/command"
	"consilience/reason"
)

// Two names that look the same are the same: a name holds nothing that nobody sees,
// and one normal form.
func TestCheckName(t *testing.T) {
	for _, good := range []string{"a", "scout-2", "Grüße", "東京", "O'Brien & Söhne", "👋"} {
		if err := command.CheckName(good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for what, bad := range map[string]string{
		"nothing": "", "a blank before": " a", "control": "a\x1bb", "id": "nhe:x", "no UTF-8": "a\xff",
		"override": "evil\u202e", "zero width": "sco\u200but", "soft hyphen": "sco\u00adut", "line separator": "a\u2028b",
		"paragraph separator": "a\u2029b", "byte order mark": "\ufeffa", "tag": "a\U000e0041", "decomposed": "Gru\u0308n",
		"unassigned": "a\u0378",
	} {
		if err := command.CheckName(bad); reason.Of(err) != reason.NameInvalid {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// Every character of Cf, Zl and Zp is refused, and nothing else of the letters.
func TestNamesHoldNoUnseenCharacter(t *testing.T) {
	if unicode.Version != "15.0.0" {
		t.Skipf("the tables of this toolchain are those of Unicode %s", unicode.Version)
	}
	for _, table := range []*unicode.RangeTable{unicode.Cf, unicode.Zl, unicode.Zp} {
		each(table, func(r rune) {
			if command.CheckName("a"+string(r)+"b") == nil {
				t.Errorf("%U is taken", r)
			}
		})
	}
	refused := 0
	each(unicode.Greek, func(r rune) {
		if command.CheckName(string(r)) != nil {
			refused++
		}
	})
	if refused > 40 { // the characters that NFC replaces
		t.Errorf("%d Greek characters are refused", refused)
	}
}

// each calls do for every character of a table.
func each(table *unicode.RangeTable, do func(rune)) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if unicode.Is(table, r) {
			do(r)
		}
	}
}

// An origin is told apart by people as a name is.
func TestEnrollChecksTheOrigin(t *testing.T) {
	e := command.Enroll{Key: public(t, 1), Name: "a", Origin: "vendor\u200b-x"}
	c := command.Command{Kind: command.KindEnroll, Body: e}
	if err := c.Check(); reason.Of(err) != reason.NameInvalid {
		t.Errorf("got %v", err)
	}
}
