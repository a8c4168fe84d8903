package agent

import (
	"fmt"
	"strconv"
	"strings"

	"consilience/reason"
	"consilience/wire"
)

// ParsePPM reads a number above 0 and at most 1, such as "0.8", in millionths. It
// is read as a decimal, never as a float, so that 0.7 is 700000 everywhere. It
// returns [reason.OutOfRange].
func ParsePPM(s string) (uint32, error) {
	refusal := reason.New(reason.OutOfRange, "not a number above 0 and at most 1 with at most 6 decimals").On(strconv.Quote(s))
	whole, fraction, _ := strings.Cut(s, ".")
	if whole == "" || len(whole) > 1 || len(fraction) > 6 || strings.HasSuffix(s, ".") {
		return 0, refusal
	}
	n, err := strconv.ParseUint(whole+fraction+strings.Repeat("0", 6-len(fraction)), 10, 32)
	if err != nil || n == 0 || n > wire.Scale {
		return 0, refusal
	}
	return uint32(n), nil
}

// FormatPPM is the shortest decimal of a number in millionths: "0.8", "1".
func FormatPPM(v uint32) string {
	s := fmt.Sprintf("%d.%06d", v/wire.Scale, v%wire.Scale)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}
