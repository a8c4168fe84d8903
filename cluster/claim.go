// Package cluster decides which item a record joins.
//
// A record joins the item of its kind and content hash. Beyond that there are two
// ways: a claim ([ClaimOf]) has a key, and what else is said under that key are
// its rivals, never its duplicates; a text joins a similar one that the gate lets
// through ([Finder]). Everything else founds an item of its own.
//
// The tour of the gate: word.go cuts a text into words, reading.go and number.go make
// its [Reading], the tokens that a fact can change by; structure.go and voice.go bring
// them into one order, restructure.go adds the orders that other constructions give;
// order.go names them; align.go says which tokens of two texts stand for each other; gate.go
// ([Judge], [Explain]) runs the checks, which are in checks.go. Words are known from package lexicon. What is
// similar enough to be judged is found outside: packages embed, vector and near.
package cluster

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"consilience/record"
	"consilience/record/ijson"
	"consilience/wire"
)

// Claim is a structured content that states one value of one predicate of one
// subject, perhaps within a scope.
type Claim struct {
	// Subject, Predicate and Scope are the parts of the key, folded: NFC, case
	// folding, NFC, trimmed. An absent scope is "".
	Subject, Predicate, Scope string
	// Value is the value's canonical JSON (RFC 8785), not folded. It is a part of
	// the content that the claim was read from.
	Value []byte
	// KeyHash is [KeyHash] of the three parts, ValueHash is HASH(Value).
	KeyHash, ValueHash [32]byte
}

// ClaimOf reads a content in its canonical form as a claim. False: it is none,
// because it is not an object of exactly subject, predicate, value and optionally
// scope, or because a part of the key is not a string.
func ClaimOf(kind record.Kind, canonical []byte) (Claim, bool) {
	if kind != record.Structured {
		return Claim{}, false
	}
	var c Claim
	found := 0
	for name, value := range ijson.View(canonical).Members() {
		if name == "value" {
			c.Value = value.Raw()
			continue
		}
		part := c.part(name)
		text, ok := value.Text()
		if part == nil || !ok {
			return Claim{}, false
		}
		if name != "scope" {
			found++
		}
		*part = fold(text)
	}
	if found != 2 || c.Value == nil {
		return Claim{}, false
	}
	c.KeyHash = KeyHash(c.Subject, c.Predicate, c.Scope)
	c.ValueHash = wire.Hash(c.Value)
	return c, true
}

// part returns the part of the key that a member holds, nil for another member.
func (c *Claim) part(name string) *string {
	switch name {
	case "subject":
		return &c.Subject
	case "predicate":
		return &c.Predicate
	case "scope":
		return &c.Scope
	}
	return nil
}

// KeyHash is HASH(CBOR [subject, predicate, scope]) of folded parts, what is
// indexed instead of a key of any length.
func KeyHash(subject, predicate, scope string) [32]byte {
	return wire.Hash(wire.Marshal([]string{subject, predicate, scope}))
}

// fold brings a part of a claim's key to the form that is compared: NFC, full
// case folding, NFC again since folding can undo it, and trimmed last.
func fold(part string) string {
	if isASCII(part) {
		return strings.TrimFunc(foldCase(part), isSpace)
	}
	return strings.TrimFunc(norm.NFC.String(foldCase(norm.NFC.String(part))), isSpace)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// isSpace is Unicode's White_Space and the four information separators U+001C to
// U+001F: what Python's str.strip takes off, which the reference of the merge uses.
func isSpace(r rune) bool {
	switch {
	case '\t' <= r && r <= '\r', 0x1C <= r && r <= ' ', 0x2000 <= r && r <= 0x200A:
		return true
	}
	switch r {
	case 0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000:
		return true
	}
	return false
}
