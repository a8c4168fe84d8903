package wire

import (
	"unicode/utf8"

	"consilience/reason"
)

// Longest texts on the wire, in bytes of UTF-8.
const (
	MaxSpaceName = 64   // name of a space
	MaxName      = 64   // name of a contributor, or an origin
	MaxReason    = 1024 // an operator's reason
)

// SpaceName checks the name of a space, [a-z0-9_-]{1,64}: it is a token of a
// subject. It returns [reason.NameInvalid].
func SpaceName(s string) error {
	ok := s != "" && len(s) <= MaxSpaceName
	for i := 0; ok && i < len(s); i++ {
		c := s[i]
		ok = c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '-'
	}
	if !ok {
		return reason.New(reason.NameInvalid, "a space is named by 1 to %d of a-z, 0-9, _ and -", MaxSpaceName)
	}
	return nil
}

// CheckText checks a text that people read: valid UTF-8 of at most limit bytes
// without control characters (C0, DEL, C1), so that it is safe in a log and on a
// terminal. No Unicode table is asked: the answer must not change with one. It
// returns [reason.NameInvalid].
func CheckText(what, s string, limit int) error {
	if len(s) > limit || !utf8.ValidString(s) {
		return reason.New(reason.NameInvalid, "%s is longer than %d bytes or no UTF-8", what, limit)
	}
	for _, r := range s {
		if r < 0x20 || r >= 0x7f && r < 0xa0 {
			return reason.New(reason.NameInvalid, "%s holds a control character", what)
		}
	}
	return nil
}

// CheckRange checks that low <= v <= high. It returns [reason.OutOfRange].
func CheckRange(what string, v, low, high uint64) error {
	if v < low || v > high {
		return reason.New(reason.OutOfRange, "%s is %d, not within %d to %d", what, v, low, high)
	}
	return nil
}
