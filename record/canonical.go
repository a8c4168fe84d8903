package record

import (
	"github.com/gowebpki/jcs"

	"consilience/reason"
	"consilience/record/ijson"
)

// Kind is the kind of a content.
type Kind uint8

// The kinds, with their numbers on the wire.
const (
	// Text is UTF-8 text.
	Text Kind = 0
	// Structured is a JSON value.
	Structured Kind = 1
	// Binary is octets.
	Binary Kind = 2
)

// The canonical forms. The Unicode version is part of the name, because the
// normal form of a code point that is not assigned yet may change.
const (
	// FormText is NFC of Unicode 15.0 in UTF-8.
	FormText = "text-nfc-15.0"
	// FormJSON is RFC 8785.
	FormJSON = "json-rfc8785"
	// FormBinary is the octets as they are.
	FormBinary = "binary"
)

// MaxNesting is the deepest nesting of structured content in any space.
const MaxNesting = 64

// Limits are what a space may narrow about a content.
type Limits struct {
	// Nesting is how deep structured content may nest; {} has depth 1. Defaults to
	// MaxNesting when 0 or above MaxNesting.
	Nesting int
}

// kinds holds, by kind, its name, its form, and the form's two functions.
var kinds = [...]struct {
	name, form string
	canonical  func([]byte) ([]byte, error)
	check      func([]byte, Limits) error
}{
	Text:       {"text", FormText, canonicalText, checkText},
	Structured: {"structured", FormJSON, canonicalJSON, checkJSON},
	Binary:     {"binary", FormBinary, canonicalBinary, checkBinary},
}

// String is "text", "structured" or "binary".
func (k Kind) String() string {
	if !k.known() {
		return "unknown"
	}
	return kinds[k].name
}

// Form names the canonical form that this build writes for the kind; "" for a
// kind that does not exist.
func (k Kind) Form() string {
	if !k.known() {
		return ""
	}
	return kinds[k].form
}

func (k Kind) known() bool { return int(k) < len(kinds) }

func (k Kind) check() error {
	if !k.known() {
		return reason.New(reason.OutOfRange, "no kind of content has the number %d", k)
	}
	return nil
}

// Canonical returns CANON(content): NFC for text, RFC 8785 for structured
// content, the octets themselves for binary. The result is never nil and shares
// nothing with content. It returns [reason.ContentInvalid] or
// [reason.NestingTooDeep] for a content that has no canonical form.
func Canonical(kind Kind, content []byte) ([]byte, error) {
	if err := kind.check(); err != nil {
		return nil, err
	}
	return kinds[kind].canonical(content)
}

// CheckCanonical refuses a content that is not in the canonical form of its kind:
// [reason.NotCanonical] for another spelling of a content,
// [reason.ContentInvalid] and [reason.NestingTooDeep] for what is none.
func CheckCanonical(kind Kind, content []byte, limits Limits) error {
	if err := kind.check(); err != nil {
		return err
	}
	return kinds[kind].check(content, limits)
}

// Nesting returns how deep a content in its canonical form nests; 0 for text and
// binary.
func Nesting(kind Kind, content []byte) int {
	if kind != Structured {
		return 0
	}
	return ijson.Nesting(content)
}

// checkForm refuses a form that this build cannot validate for the kind. It is
// never a sign of tampering.
func checkForm(kind Kind, form string) error {
	if form != kind.Form() {
		return reason.New(reason.FormUnsupported, "canonical form %q of %s content is not known here", form, kind)
	}
	return nil
}

func (l Limits) options() ijson.Options {
	if l.Nesting <= 0 || l.Nesting > MaxNesting {
		l.Nesting = MaxNesting
	}
	return ijson.Options{Nesting: l.Nesting}
}

func canonicalJSON(content []byte) ([]byte, error) {
	if err := ijson.Check(content, Limits{}.options()); err != nil {
		return nil, err
	}
	canonical, err := jcs.Transform(content)
	if err != nil {
		return nil, reason.Wrap(reason.ContentInvalid, err, "JSON has no canonical form")
	}
	return canonical, checkCharacters(canonical)
}

func checkJSON(content []byte, limits Limits) error {
	if err := ijson.CheckCanonical(content, limits.options()); err != nil {
		return err
	}
	// Canonical JSON spells every character above U+001F by itself, so that its
	// bytes can be judged as text.
	return checkCharacters(content)
}

func canonicalBinary(content []byte) ([]byte, error) {
	return append([]byte{}, content...), nil
}

func checkBinary([]byte, Limits) error { return nil }
