package projection

import (
	"unicode/utf16"
	"unicode/utf8"
)

// text reads a JSON string and returns what it says. Lone surrogates,
// noncharacters, control characters and broken UTF-8 are refused (RFC 7493
// section 2.1).
func (w *walker) text() (string, bool) {
	if !w.take(`"`) {
		return "", w.fail("a string expected")
	}
	start := w.at
	for w.at < len(w.data) {
		switch c := w.data[w.at]; {
		case c == '"':
			w.at++
			return string(w.data[start : w.at-1]), true
		case c == '\\':
			return w.escapedText(start)
		case c < ' ':
			return "", w.fail("a control character in a string")
		case c < utf8.RuneSelf:
			w.at++
		default:
			if _, ok := w.rune(); !ok {
				return "", false
			}
		}
	}
	return "", w.fail("a string without an end")
}

// escapedText goes on with a string in which an escape was found; start is where
// its text began.
func (w *walker) escapedText(start int) (string, bool) {
	said := append([]byte(nil), w.data[start:w.at]...)
	for w.at < len(w.data) {
		var r rune
		var ok bool
		switch c := w.data[w.at]; {
		case c == '"':
			w.at++
			return string(said), true
		case c == '\\':
			w.at++
			r, ok = w.escape()
		case c < ' ':
			return "", w.fail("a control character in a string")
		default:
			r, ok = w.rune()
		}
		if !ok {
			return "", false
		}
		said = utf8.AppendRune(said, r)
	}
	return "", w.fail("a string without an end")
}

// rune reads one code point of UTF-8.
func (w *walker) rune() (rune, bool) {
	r, n := utf8.DecodeRune(w.data[w.at:])
	if r == utf8.RuneError && n <= 1 {
		return 0, w.fail("bytes that are not UTF-8")
	}
	if noncharacter(r) {
		return 0, w.fail("a noncharacter")
	}
	w.at += n
	return r, true
}

var escapes = map[byte]rune{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escape reads what follows a backslash.
func (w *walker) escape() (rune, bool) {
	if w.at < len(w.data) {
		if r, ok := escapes[w.data[w.at]]; ok {
			w.at++
			return r, true
		}
	}
	r, ok := w.hex4()
	if !ok {
		return 0, false
	}
	if utf16.IsSurrogate(r) {
		var low rune
		if w.take(`\`) {
			low, ok = w.hex4()
		}
		if r = utf16.DecodeRune(r, low); !ok || r == utf8.RuneError {
			return 0, w.fail("a lone surrogate")
		}
	}
	if noncharacter(r) {
		return 0, w.fail("a noncharacter")
	}
	return r, true
}

// hex4 reads u and four hex digits.
func (w *walker) hex4() (r rune, ok bool) {
	if !w.take("u") || w.at+4 > len(w.data) {
		return 0, w.fail("an escape that JSON does not have")
	}
	for _, c := range w.data[w.at : w.at+4] {
		switch {
		case isDigit(c):
			r = r<<4 | rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, w.fail("an escape that JSON does not have")
		}
	}
	w.at += 4
	return r, true
}

// noncharacter reports whether I-JSON forbids r: U+FDD0 to U+FDEF and the last
// two code points of every plane.
func noncharacter(r rune) bool { return 0xFDD0 <= r && r <= 0xFDEF || r&0xFFFE == 0xFFFE }
