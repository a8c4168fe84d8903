package static

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// tokens calls word for each word of a text until it returns false: small letters
// without accents; punctuation and Chinese characters are words of their own. This
// is the preparation of BERT's uncased models.
func tokens(text string, word func(string) bool) {
	if !plainASCII(text) {
		text = norm.NFD.String(text)
	}
	buf := make([]byte, 0, 64)
	flush := func() bool {
		more := len(buf) == 0 || word(string(buf))
		buf = buf[:0]
		return more
	}
	for _, r := range text {
		switch kindOf(r) {
		case dropped:
		case blank:
			if !flush() {
				return
			}
		case alone:
			if !flush() || !word(string(r)) {
				return
			}
		default:
			buf = utf8.AppendRune(buf, unicode.ToLower(r))
		}
	}
	flush()
}

func plainASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// class is what a code point does to the word around it.
type class uint8

const (
	letter  class = iota
	blank         // ends a word
	alone         // is a word
	dropped       // is not there
)

func kindOf(r rune) class {
	switch {
	case r < utf8.RuneSelf:
		return ascii(r)
	case r == utf8.RuneError, unicode.Is(unicode.Mn, r), unicode.Is(unicode.C, r):
		return dropped
	case unicode.IsSpace(r):
		return blank
	case unicode.IsPunct(r), chinese(r):
		return alone
	}
	return letter
}

func ascii(r rune) class {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
		return letter
	case r == ' ', r == '\t', r == '\n', r == '\r':
		return blank
	case r < ' ', r == 0x7f:
		return dropped
	}
	return alone
}

// chinese reports the blocks of ideographs that BERT sets apart.
func chinese(r rune) bool {
	return 0x4E00 <= r && r <= 0x9FFF || 0x3400 <= r && r <= 0x4DBF || 0x20000 <= r && r <= 0x2A6DF ||
		0x2A700 <= r && r <= 0x2CEAF || 0xF900 <= r && r <= 0xFAFF || 0x2F800 <= r && r <= 0x2FA1F
}
