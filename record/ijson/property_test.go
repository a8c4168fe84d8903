package ijson

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// speller writes random documents, each value in a random spelling.
type speller struct{ *rand.Rand }

var alphabet = []rune("ab\"\\/\b\n\t\x01\x1f\x7fé߿ࠀ\ud7ff\ue000\ufb33\uffef\U00010000\U0001f602\U0010fffd")

func (s speller) space() string { return []string{"", "", "", " ", "\n", "\t \r"}[s.IntN(6)] }

func (s speller) value(depth int) string {
	switch kind := s.IntN(8); {
	case kind == 0 && depth > 0:
		return s.list('[', ']', func() string { return s.value(depth - 1) })
	case kind <= 2 && depth > 0:
		seen := map[string]bool{}
		return s.list('{', '}', func() string {
			text := s.text()
			for seen[text] {
				text += "x"
			}
			seen[text] = true
			return s.quote(text) + s.space() + ":" + s.space() + s.value(depth-1)
		})
	case kind <= 4:
		return s.quote(s.text())
	case kind <= 6:
		return s.number()
	}
	return []string{"true", "false", "null"}[s.IntN(3)]
}

func (s speller) list(open, end byte, element func() string) string {
	parts := make([]string, s.IntN(5))
	for i := range parts {
		parts[i] = s.space() + element() + s.space()
	}
	return string(open) + strings.Join(parts, ",") + s.space() + string(end)
}

func (s speller) text() string {
	var b strings.Builder
	for range s.IntN(5) {
		b.WriteRune(alphabet[s.IntN(len(alphabet))])
	}
	return b.String()
}

// quote spells a string, each character by itself or as an escape.
func (s speller) quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r >= 0x10000 && s.IntN(3) == 0:
			fmt.Fprintf(&b, `\u%04x\u%04X`, 0xD800+(r-0x10000)>>10, 0xDC00+(r-0x10000)&0x3FF)
		case r < 0x10000 && s.IntN(4) == 0, r < 0x20 && r != '\n':
			fmt.Fprintf(&b, `\u%04x`, r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + `"`
}

func (s speller) number() string {
	switch s.IntN(4) {
	case 0:
		return fmt.Sprint(s.Int64N(2*MaxInteger) - MaxInteger)
	case 1:
		return fmt.Sprint(s.IntN(200) - 100)
	}
	f := math.Float64frombits(s.Uint64())
	if s.IntN(2) == 0 {
		f = (s.Float64() - 0.5) * math.Pow(10, float64(s.IntN(16)))
	}
	if a := math.Abs(f); math.IsNaN(f) || math.IsInf(f, 0) || a > MaxInteger && a < integersUpTo {
		return "-0.0"
	}
	return fmt.Sprintf([]string{"%g", "%v", "%.17e", "%.20f"}[s.IntN(4)], f)
}

// Every spelling of a value passes Check, only one passes CheckCanonical, and a
// changed byte makes the walker and the canonicaliser disagree about nothing.
func TestWalkerAgreesWithCanonicaliser(t *testing.T) {
	s := speller{rand.New(rand.NewPCG(8785, 7493))}
	for range 20_000 {
		document := []byte(s.value(4))
		if err := Check(document, Options{}); err != nil && !strings.Contains(err.Error(), "beyond 2^53-1") && !strings.Contains(err.Error(), "into zero") {
			t.Fatalf("%q: %v", document, err)
		}
		agree(t, document)
		document[s.IntN(len(document))] = byte(s.IntN(128))
		agree(t, document)
	}
}
