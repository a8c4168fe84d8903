package cli

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible shows text that others wrote on one line of a terminal: what would move the
// cursor, change colors, turn the direction of writing or be seen by nobody (the
// general categories Cc, Cf, Zl and Zp of Unicode) is shown as "\n", "\x1b" or
// "\u202e", and bytes that are no UTF-8 as "\xff". All else stays as it is.
func Visible(text string) string { return visible(text, "") }

// visible is Visible but for the characters of kept, which stay as they are.
func visible(text, kept string) string {
	if plain(text) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case hidden(r) && !strings.ContainsRune(kept, r):
			b.WriteString(escape(r))
		default:
			b.WriteRune(r)
		}
		text = text[n:]
	}
	return b.String()
}

// plain reports whether text is printable ASCII, as most of it is.
func plain(text string) bool {
	for i := range len(text) {
		if text[i] < 0x20 || text[i] >= 0x7f {
			return false
		}
	}
	return true
}

func hidden(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) }

// named are the escapes that everybody reads.
var named = map[rune]string{'\n': `\n`, '\t': `\t`, '\r': `\r`}

func escape(r rune) string {
	switch {
	case named[r] != "":
		return named[r]
	case r < 0x100:
		return fmt.Sprintf(`\x%02x`, r)
	case r < 0x10000:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

// screen is a writer for people: nothing that goes through it drives a terminal. Lines
// and tabs stay.
type screen struct{ w io.Writer }

// Write implements [io.Writer].
func (s screen) Write(p []byte) (int, error) {
	if _, err := io.WriteString(s.w, visible(string(p), "\n\t")); err != nil {
		return 0, err
	}
	return len(p), nil
}
