package ijson

import (
	"strings"
	"testing"

	"consilience/reason"
)

const (
	ok      = reason.Code("")
	invalid = reason.ContentInvalid
	loose   = reason.NotCanonical
	deep    = reason.NestingTooDeep
)

// documents holds a document and what Check and CheckCanonical say of it.
// N-24, AN-1, AN-4.
var documents = []struct {
	name, document   string
	check, canonical reason.Code
}{
	{"object", `{"a":1,"b":[true,false,null,"x"]}`, ok, ok},
	{"scalar at top", `"x"`, ok, ok},
	{"empty", ``, invalid, invalid},
	{"only space", " ", invalid, loose},
	{"space around", " {} ", ok, loose},
	{"space inside", `{"a": 1}`, ok, loose},
	{"line end", "{}\n", ok, loose},
	{"form feed", "\f{}", invalid, invalid},
	{"no-break space", "\u00a0{}", invalid, invalid},
	{"byte order mark", "\ufeff{}", invalid, invalid},
	{"trailing bytes", `{}x`, invalid, invalid},
	{"two values", `{}{}`, invalid, invalid},
	{"trailing NUL", "{}\x00", invalid, invalid},
	{"comma at end", `[1,]`, invalid, invalid},
	{"comma at end of object", `{"a":1,}`, invalid, invalid},
	{"single quotes", `{'a':1}`, invalid, invalid},
	{"comment", `{}/**/`, invalid, invalid},
	{"capital literal", `True`, invalid, invalid},
	{"NaN", `NaN`, invalid, invalid},
	{"Infinity", `-Infinity`, invalid, invalid},

	{"members out of order", `{"b":1,"a":2}`, ok, loose},
	{"UTF-16 order", "{\"\U0001f600\":1,\"\ufb33\":2}", ok, ok},
	{"UTF-8 order", "{\"\ufb33\":1,\"\U0001f600\":2}", ok, loose},
	{"prefix first", `{"a":1,"aa":2}`, ok, ok},
	{"name with an escape in order", `{"\t":1,"a":2}`, ok, ok},
	{"case twins", `{"A":1,"a":2}`, ok, ok},
	{"names equal after NFC", "{\"\u0061\u030a\":1,\"\u00e5\":2}", ok, ok},
	{"duplicate", `{"a":1,"a":1}`, invalid, invalid},
	{"duplicate apart", `{"b":1,"a":1,"b":1}`, invalid, loose},
	{"duplicate through an escape", `{"a":1,"\u0061":1}`, invalid, loose},
	{"duplicate escape twice", `{"\n":1,"\n":1}`, invalid, invalid},
	{"duplicate one down", `[{"x":{"b":1,"a":1,"b":1}}]`, invalid, loose},
	{"same name at two levels", `{"a":{"a":1}}`, ok, ok},

	{"short escapes", `"\"\\\b\f\n\r\t"`, ok, ok},
	{"control", `"\u001f"`, ok, ok},
	{"control in upper case", `"\u001F"`, ok, loose},
	{"control the long way", `"\u000a"`, ok, loose},
	{"solidus", `"\/"`, ok, loose},
	{"letter as escape", `"\u0061"`, ok, loose},
	{"pair as escapes", `"\ud83d\ude02"`, ok, loose},
	{"delete", "\"\x7f\"", ok, ok},
	{"raw control", "\"\x1f\"", invalid, invalid},
	{"unknown escape", `"\x"`, invalid, invalid},
	{"short \\u", `"\u00"`, invalid, invalid},
	{"lone high", `"\ud83d"`, invalid, invalid},
	{"lone low", `"\ude02"`, invalid, invalid},
	{"reversed pair", `"\ude02\ud83d"`, invalid, invalid},
	{"high and letter", `"\ud83d\u0061"`, invalid, invalid},
	{"lone surrogate in a name", `{"\ud83d":1}`, invalid, invalid},
	{"surrogate in UTF-8", "\"\xed\xa0\x80\"", invalid, invalid},
	{"broken UTF-8", "\"\xc3\"", invalid, invalid},
	{"overlong", "\"\xc0\x80\"", invalid, invalid},
	{"beyond Unicode", "\"\xf4\x90\x80\x80\"", invalid, invalid},
	{"replacement character", "\"\ufffd\"", ok, ok},
	{"noncharacter", "\"\ufdd0\"", invalid, invalid},
	{"noncharacter as escape", `"\uffff"`, invalid, invalid},
	{"noncharacter in a plane", "\"\U0001fffe\"", invalid, invalid},
	{"U+0000 as escape", `"\u0000"`, invalid, invalid},
	{"U+0000 in a name", `{"\u0000":1}`, invalid, invalid},
	{"backslash and u0000", `"\\u0000"`, ok, ok},
	{"no end", `"a`, invalid, invalid},
	{"no end after a backslash", `"a\`, invalid, invalid},

	{"zero", `0`, ok, ok},
	{"negative zero", `-0`, ok, loose},
	{"negative zero with a fraction", `-0.0`, ok, loose},
	{"zero with exponent", `0e5`, ok, loose},
	{"one with a fraction", `1.0`, ok, loose},
	{"one with exponent", `1e0`, ok, loose},
	{"leading zero", `01`, invalid, invalid},
	{"plus", `+1`, invalid, invalid},
	{"no integer part", `.5`, invalid, invalid},
	{"no fraction", `1.`, invalid, invalid},
	{"no exponent", `1e`, invalid, invalid},
	{"hexadecimal", `0x1`, invalid, invalid},
	{"underscore", `1_0`, invalid, invalid},
	{"minus alone", `-`, invalid, invalid},
	{"2^53-1", `9007199254740991`, ok, ok},
	{"-(2^53-1)", `-9007199254740991`, ok, ok},
	{"2^53", `9007199254740992`, invalid, invalid},
	{"2^53+1", `9007199254740993`, invalid, invalid},
	{"-2^53", `-9007199254740992`, invalid, invalid},
	{"2^53 with a fraction", `9007199254740992.0`, invalid, invalid},
	{"2^53 with an exponent", `9007199254740992e0`, invalid, invalid},
	{"2^64", `18446744073709551616`, invalid, invalid},
	{"1e20", `1e20`, invalid, invalid},
	{"1e21", `1e21`, ok, loose},
	{"1e+21", `1e+21`, ok, ok},
	{"1E+21", `1E+21`, ok, loose},
	{"10^21 in digits", `1000000000000000000000`, invalid, invalid},
	{"1e400", `1e400`, invalid, invalid},
	{"-1e400", `-1e400`, invalid, invalid},
	{"1e-400", `1e-400`, invalid, invalid},
	{"smallest double", `5e-324`, ok, ok},
	{"largest double", `1.7976931348623157e+308`, ok, ok},
	{"plain small", `0.000001`, ok, ok},
	{"small with exponent", `1e-7`, ok, ok},
	{"padded exponent", `1e-07`, ok, loose},
	{"rounded fraction", `333333333.33333329`, ok, loose},
	{"shortest fraction", `333333333.3333333`, ok, ok},

	{"eight deep", `[[[[[[[[1]]]]]]]]`, ok, ok},
	{"nine deep", `[[[[[[[[[1]]]]]]]]]`, deep, deep},
	{"nine deep mixed", `[[[[{"a":[[[[1]]]]}]]]]`, deep, deep},
	{"brackets in a string", `"[[[[[[[[[[["`, ok, ok},
	{"wide", `[[[]],[[]],[[]],[[]],[[]],[[]]]`, ok, ok},
}

func TestDocuments(t *testing.T) {
	for _, d := range documents {
		t.Run(d.name, func(t *testing.T) {
			o := Options{Nesting: 8}
			if got := reason.Of(Check([]byte(d.document), o)); got != d.check {
				t.Errorf("Check: got %q, want %q", got, d.check)
			}
			if got := reason.Of(CheckCanonical([]byte(d.document), o)); got != d.canonical {
				t.Errorf("CheckCanonical: got %q, want %q", got, d.canonical)
			}
		})
	}
}

// The recursion is bounded whatever a caller asks for.
func TestNestingHasACeiling(t *testing.T) {
	document := []byte(strings.Repeat("[", 200_000))
	if err := Check(document, Options{Nesting: 1 << 30}); reason.Of(err) != reason.NestingTooDeep {
		t.Errorf("got %v", err)
	}
}

// A refusal tells the place and nothing of the document.
func TestRefusalsQuoteNothing(t *testing.T) {
	for _, document := range []string{`{"canary":1,"canary":2}`, `["canary",canary]`, `"canary`, `{"z":1,"canary":1}`} {
		for _, check := range []func([]byte, Options) error{Check, CheckCanonical} {
			if err := check([]byte(document), Options{}); err != nil && strings.Contains(err.Error(), "canary") {
				t.Errorf("%v", err)
			}
		}
	}
}

func BenchmarkCheckCanonical(b *testing.B) {
	claim := []byte(`{"predicate":"departure","scope":"2026-11-30","subject":"flight-1208","value":{"gate":"B 12","minutes":17.5,"note":"Zürich, Genève","time":"14:35"}}`)
	b.SetBytes(int64(len(claim)))
	b.ReportAllocs()
	for b.Loop() {
		if err := CheckCanonical(claim, Options{Nesting: 8}); err != nil {
			b.Fatal(err)
		}
	}
}
