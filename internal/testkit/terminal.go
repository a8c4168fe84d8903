package testkit

import (
	"strings"
	"unicode"
)

// Drives returns what of a text would drive a terminal, lines aside.
func Drives(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			return r
		}
		return -1
	}, text)
}
