package ijson

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// shortEscapes maps the letter after a backslash to what it stands for; 0 where
// there is no such escape.
var shortEscapes = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// hasShortEscape holds the control characters that RFC 8785 section 3.2.2.2
// writes with a letter and not with \u.
const hasShortEscape = "\b\f\n\r\t"

// text reads the string whose opening quote is next. It returns what stands
// between the quotes and whether that holds escapes.
func (w *walker) text() (raw []byte, escaped bool, err error) {
	w.at++
	start := w.at
	for w.at < len(w.data) {
		b := w.data[w.at]
		switch {
		case b == '"':
			w.at++
			return w.data[start : w.at-1], escaped, nil
		case b == '\\':
			escaped = true
			if err := w.escape(); err != nil {
				return nil, false, err
			}
		case b < 0x20:
			return nil, false, w.invalid("a raw control character in a string")
		case b < utf8.RuneSelf:
			w.at++
		default:
			if err := w.multibyte(); err != nil {
				return nil, false, err
			}
		}
	}
	return nil, false, w.invalid("a string without end")
}

// multibyte reads one code point above U+007F that stands for itself.
func (w *walker) multibyte() error {
	r, n := utf8.DecodeRune(w.data[w.at:])
	if r == utf8.RuneError && n == 1 {
		return w.invalid("invalid UTF-8")
	}
	if err := w.character(r); err != nil {
		return err
	}
	w.at += n
	return nil
}

// character refuses code points that may not occur however they are spelled:
// noncharacters, which RFC 7493 section 2.1 forbids, and U+0000, which a text
// column of a database does not hold.
func (w *walker) character(r rune) error {
	if r == 0 {
		return w.invalid("U+0000 in a string")
	}
	if isNoncharacter(r) {
		return w.invalid("a noncharacter in a string")
	}
	return nil
}

func isNoncharacter(r rune) bool {
	return r&0xFFFE == 0xFFFE || 0xFDD0 <= r && r <= 0xFDEF
}

// escape reads one escape, or the two that spell a surrogate pair.
func (w *walker) escape() error {
	if w.at+1 >= len(w.data) {
		return w.invalid("a string without end")
	}
	letter := w.data[w.at+1]
	if letter == 'u' {
		return w.unicodeEscape()
	}
	if shortEscapes[letter] == 0 {
		return w.invalid("an unknown escape")
	}
	if letter == '/' {
		if err := w.loose("an escape that is not needed"); err != nil {
			return err
		}
	}
	w.at += 2
	return nil
}

func (w *walker) unicodeEscape() error {
	r, n := decodeUnicodeEscape(w.data[w.at:])
	if n == 0 {
		return w.invalid("a broken \\u escape or a lone surrogate")
	}
	if err := w.character(r); err != nil {
		return err
	}
	if r >= 0x20 || strings.ContainsRune(hasShortEscape, r) || isUpperHex(w.data[w.at+5]) {
		if err := w.loose("an escape in another than its shortest form"); err != nil {
			return err
		}
	}
	w.at += n
	return nil
}

func isUpperHex(b byte) bool { return 'A' <= b && b <= 'F' }

// decodeUnicodeEscape decodes the escape, or the surrogate pair of escapes, that
// b begins with and returns its length; 0 for anything else.
func decodeUnicodeEscape(b []byte) (r rune, n int) {
	high, ok := hex4(b)
	switch {
	case !ok || 0xDC00 <= high && high <= 0xDFFF:
		return 0, 0
	case high < 0xD800 || high > 0xDFFF:
		return high, 6
	}
	low, ok := hex4(b[6:])
	if !ok || low < 0xDC00 || low > 0xDFFF {
		return 0, 0
	}
	return 0x10000 + (high-0xD800)<<10 + (low - 0xDC00), 12
}

// hex4 reads \uXXXX.
func hex4(b []byte) (r rune, ok bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	for _, c := range b[2:6] {
		r <<= 4
		switch {
		case isDigit(c):
			r |= rune(c - '0')
		case 'a' <= c && c <= 'f':
			r |= rune(c-'a') + 10
		case isUpperHex(c):
			r |= rune(c-'A') + 10
		default:
			return 0, false
		}
	}
	return r, true
}

// inside returns the text of a string that stands between its quotes.
func inside(quoted []byte) string {
	if len(quoted) < 2 {
		return ""
	}
	return unescape(quoted[1 : len(quoted)-1])
}

// unescape returns the text of what stands between two quotes. On bytes that
// were not checked it drops what it cannot read.
func unescape(raw []byte) string {
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw)
	}
	var s strings.Builder
	s.Grow(len(raw))
	for at := 0; at < len(raw); {
		if raw[at] != '\\' {
			s.WriteByte(raw[at])
			at++
			continue
		}
		if at+1 == len(raw) {
			break
		}
		if raw[at+1] != 'u' {
			s.WriteByte(shortEscapes[raw[at+1]])
			at += 2
			continue
		}
		r, n := decodeUnicodeEscape(raw[at:])
		s.WriteRune(r)
		at += max(n, 2)
	}
	return s.String()
}
