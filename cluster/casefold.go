package cluster

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

//go:generate go run ./internal/casefold

// foldRange is every stride-th code point from lo to hi; each folds to itself
// plus delta.
type foldRange struct{ lo, hi, stride, delta rune }

// foldString is a code point that folds to several.
type foldString struct {
	from rune
	to   string
}

// foldCase is the full case folding of Unicode 15.0 (CaseFolding.txt, statuses C
// and F). The table is our own: the ones at hand follow the toolchain, and a key
// that changes with it would make a replay of the log another store.
func foldCase(s string) string {
	var folded strings.Builder
	folded.Grow(len(s))
	for _, r := range s {
		if r < utf8.RuneSelf {
			folded.WriteByte(lowerASCII(byte(r)))
			continue
		}
		if to, ok := foldToString(r); ok {
			folded.WriteString(to)
			continue
		}
		folded.WriteRune(foldRune(r))
	}
	return folded.String()
}

func lowerASCII(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		b += 'a' - 'A'
	}
	return b
}

func foldToString(r rune) (string, bool) {
	i, ok := slices.BinarySearchFunc(foldStrings, r, func(f foldString, r rune) int { return cmp.Compare(f.from, r) })
	if !ok {
		return "", false
	}
	return foldStrings[i].to, true
}

func foldRune(r rune) rune {
	i, ok := slices.BinarySearchFunc(foldRanges, r, func(f foldRange, r rune) int {
		switch {
		case f.hi < r:
			return -1
		case f.lo > r:
			return 1
		}
		return 0
	})
	if !ok || (r-foldRanges[i].lo)%foldRanges[i].stride != 0 {
		return r
	}
	return r + foldRanges[i].delta
}
