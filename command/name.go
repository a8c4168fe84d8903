package command

import (
	"bytes"
	"strings"
	"unicode"

	"consilience/identity"
	"consilience/reason"
	"consilience/record"
	"consilience/wire"
)

// CheckName checks the name of a contributor: 1 to 64 bytes of UTF-8 in NFC, no
// control or format characters, and nothing that reads as an id, since commands take
// either. It returns [reason.NameInvalid].
func CheckName(name string) error {
	if err := checkLabel("name", name); err != nil {
		return err
	}
	if name == "" || strings.Trim(name, " ") != name {
		return reason.New(reason.NameInvalid, "a name is not empty and neither begins nor ends with a blank")
	}
	if _, err := identity.ParseID(name); err == nil || strings.HasPrefix(name, "nhe:") {
		return reason.New(reason.NameInvalid, "a name does not look like an id")
	}
	return nil
}

// checkLabel checks a text by which people tell things apart: two that look the same
// are the same. It is text as a record holds it (Unicode 15.0, NFC) without
// characters that nobody sees.
func checkLabel(what, s string) error {
	if err := wire.CheckText(what, s, wire.MaxName); err != nil {
		return err
	}
	canonical, err := record.Canonical(record.Text, []byte(s))
	if err != nil {
		return reason.New(reason.NameInvalid, "%s holds characters that are unassigned in Unicode 15.0, or too many marks in a row", what)
	}
	if !bytes.Equal(canonical, []byte(s)) {
		return reason.New(reason.NameInvalid, "%s is not in the normal form NFC", what)
	}
	if strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unseen, r) }) {
		return reason.New(reason.NameInvalid, "%s holds a format character or a line separator, which nobody sees", what)
	}
	return nil
}

// unseen are the characters of the general categories Cf, Zl and Zp of Unicode 15.0,
// written out so that no other table can change what the log means.
var unseen = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x00ad, Hi: 0x00ad, Stride: 1}, {Lo: 0x0600, Hi: 0x0605, Stride: 1}, {Lo: 0x061c, Hi: 0x061c, Stride: 1},
		{Lo: 0x06dd, Hi: 0x06dd, Stride: 1}, {Lo: 0x070f, Hi: 0x070f, Stride: 1}, {Lo: 0x0890, Hi: 0x0891, Stride: 1},
		{Lo: 0x08e2, Hi: 0x08e2, Stride: 1}, {Lo: 0x180e, Hi: 0x180e, Stride: 1}, {Lo: 0x200b, Hi: 0x200f, Stride: 1},
		{Lo: 0x2028, Hi: 0x202e, Stride: 1}, {Lo: 0x2060, Hi: 0x2064, Stride: 1}, {Lo: 0x2066, Hi: 0x206f, Stride: 1},
		{Lo: 0xfeff, Hi: 0xfeff, Stride: 1}, {Lo: 0xfff9, Hi: 0xfffb, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x110bd, Hi: 0x110bd, Stride: 1}, {Lo: 0x110cd, Hi: 0x110cd, Stride: 1}, {Lo: 0x13430, Hi: 0x1343f, Stride: 1},
		{Lo: 0x1bca0, Hi: 0x1bca3, Stride: 1}, {Lo: 0x1d173, Hi: 0x1d17a, Stride: 1}, {Lo: 0xe0001, Hi: 0xe0001, Stride: 1},
		{Lo: 0xe0020, Hi: 0xe007f, Stride: 1},
	},
	LatinOffset: 1,
}
