package record

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"consilience/reason"
)

//go:generate go run ./internal/assigned

// maxMarks is the most combining marks that may stand in a row. The normaliser
// puts U+034F into a longer run (the stream-safe form of UAX #15), so that two
// texts would share a hash.
const maxMarks = 30

// alwaysAssigned is the first code point that Unicode 15.0 leaves unassigned;
// all below it are assigned.
const alwaysAssigned = 0x378

// canonicalText is NFC. Because every code point is assigned in Unicode 15.0, the
// result is the same with the tables of every later version (Unicode's
// normalization stability policy).
func canonicalText(content []byte) ([]byte, error) {
	if err := checkCharacters(content); err != nil {
		return nil, err
	}
	return norm.NFC.Append([]byte{}, content...), nil
}

func checkText(content []byte, _ Limits) error {
	if err := checkCharacters(content); err != nil {
		return err
	}
	if !norm.NFC.IsNormal(content) {
		return reason.New(reason.NotCanonical, "text is not in NFC")
	}
	return nil
}

// checkCharacters refuses invalid UTF-8, U+0000, code points unassigned in
// Unicode 15.0 and more than 30 combining marks in a row.
func checkCharacters(b []byte) error {
	marks := 0
	for at := 0; at < len(b); {
		if c := b[at]; c < utf8.RuneSelf {
			if c == 0 {
				return invalidText(at, "U+0000")
			}
			marks = 0
			at++
			continue
		}
		r, n := utf8.DecodeRune(b[at:])
		if r == utf8.RuneError && n == 1 {
			return invalidText(at, "invalid UTF-8")
		}
		if r >= alwaysAssigned && !unicode.Is(assigned, r) {
			return invalidText(at, "a code point that Unicode 15.0 does not assign")
		}
		if marks = countMarks(marks, b[at:at+n]); marks > maxMarks {
			return invalidText(at, "more than 30 combining marks in a row")
		}
		at += n
	}
	return nil
}

func invalidText(at int, what string) error {
	return reason.New(reason.ContentInvalid, "text, byte %d: %s", at, what)
}

// countMarks returns how many combining marks stand in a row after one more
// character, given how many stood before it. It counts in the decomposed form, so
// that equivalent texts are judged alike.
func countMarks(before int, character []byte) int {
	p := norm.NFD.Properties(character)
	if p.LeadCCC() == 0 && p.TrailCCC() == 0 {
		return 0
	}
	d := p.Decomposition()
	if d == nil {
		return before + 1
	}
	for len(d) > 0 {
		q := norm.NFD.Properties(d)
		if before++; q.CCC() == 0 {
			before = 0
		}
		d = d[q.Size():]
	}
	return before
}
