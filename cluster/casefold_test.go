package cluster

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// foldTable is the SHA-256 of the line "from to\n" (hexadecimal code point and
// UTF-8) for every code point that full case folding changes, in ascending order.
const foldTable = "ce1e11aa42ff37cf5c13fafc5025cb8448a7f70e91574912534d694345223d9f"

// lines writes the table in the form that foldTable hashes.
func lines() []byte {
	var out bytes.Buffer
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if to := foldCase(string(r)); utf8.ValidRune(r) && to != string(r) {
			fmt.Fprintf(&out, "%x %x\n", r, to)
		}
	}
	return out.Bytes()
}

// Q18: the table never changes; a key that moved would split items in a replay.
func TestFoldTableIsPinned(t *testing.T) {
	if got := fmt.Sprintf("%x", sha256.Sum256(lines())); got != foldTable {
		t.Errorf("the table hashes to %s", got)
	}
	full := 0
	for _, f := range foldStrings {
		if len([]rune(f.to)) < 2 {
			t.Errorf("%U folds to one code point", f.from)
		}
		full++
	}
	if full != 104 {
		t.Errorf("%d full foldings, CaseFolding.txt has 104", full)
	}
}

// Every folding to one code point stays among what the standard library's 15.0
// tables hold for equal, and all that they hold for equal folds alike.
func TestFoldTableAgainstStandardLibrary(t *testing.T) {
	if unicode.Version != "15.0.0" {
		t.Skipf("the standard library follows Unicode %s", unicode.Version)
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if _, full := foldToString(r); full || !utf8.ValidRune(r) {
			continue
		}
		inOrbit := foldRune(r) == r
		for q := unicode.SimpleFold(r); q != r; q = unicode.SimpleFold(q) {
			inOrbit = inOrbit || q == foldRune(r)
			if _, full := foldToString(q); !full && foldRune(q) != foldRune(r) {
				t.Errorf("%U folds to %U, its equal %U to %U", r, foldRune(r), q, foldRune(q))
			}
		}
		if !inOrbit {
			t.Errorf("%U folds to %U", r, foldRune(r))
		}
	}
}

// CaseFolding.txt did not change from Unicode 14.0 to 15.0, so that an
// implementation of either gives the same table.
func TestFoldTableAgainstOthers(t *testing.T) {
	const python = `
import sys
out = sys.stdout.buffer
for c in range(0x110000):
    if not 0xD800 <= c < 0xE000 and chr(c).casefold() != chr(c):
        out.write(b"%x %s\n" % (c, chr(c).casefold().encode().hex().encode()))`
	const perl = `
use feature qw(fc unicode_strings);
for my $c (0 .. 0x10FFFF) {
    next if $c >= 0xD800 && $c < 0xE000;
    my $f = fc(chr($c));
    next if $f eq chr($c);
    utf8::encode($f);
    printf "%x %s\n", $c, unpack("H*", $f);
}`
	for _, other := range []struct{ command, version, script, flag string }{
		{"python3", `import unicodedata; print(unicodedata.unidata_version, end="")`, python, "-c"},
		{"perl", `use Unicode::UCD; print Unicode::UCD::UnicodeVersion()`, perl, "-e"},
	} {
		t.Run(other.command, func(t *testing.T) {
			version, err := exec.Command(other.command, other.flag, other.version).Output()
			if err != nil || !strings.HasPrefix(string(version), "14.0") && !strings.HasPrefix(string(version), "15.") {
				t.Skipf("no %s with Unicode 14 or 15: %q, %v", other.command, version, err)
			}
			got, err := exec.Command(other.command, other.flag, other.script).Output()
			if err != nil || !bytes.Equal(got, lines()) {
				t.Errorf("%s, Unicode %s, has another table: %v", other.command, version, err)
			}
		})
	}
}
