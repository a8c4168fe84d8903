package ijson

import (
	"iter"
	"slices"

	"consilience/reason"
)

// Kind is the type of a JSON value.
type Kind uint8

// The kinds of a [Value]. Invalid is that of no value at all.
const (
	Invalid Kind = iota
	Null
	Bool
	Number
	Text
	Array
	Object
)

var kindNames = [...]string{"nothing", "null", "a boolean", "a number", "a string", "an array", "an object"}

// String names the kind with its article, for a refusal.
func (k Kind) String() string { return kindNames[min(int(k), len(kindNames)-1)] }

// kindOf maps the first byte of a value to its kind.
var kindOf = [256]Kind{
	'n': Null, 't': Bool, 'f': Bool, '"': Text, '[': Array, '{': Object, '-': Number,
	'0': Number, '1': Number, '2': Number, '3': Number, '4': Number,
	'5': Number, '6': Number, '7': Number, '8': Number, '9': Number,
}

// Value is a value inside a document that was checked: a view that reads the
// bytes anew at every call and keeps nothing.
type Value struct{ raw []byte }

// View returns the value of a document that [Check] or [CheckCanonical] accepted
// before. On other bytes its answers mean nothing, but it does not panic.
func View(data []byte) Value {
	start := skipSpace(data, 0)
	return Value{data[start:skipValue(data, start)]}
}

// Kind returns the value's type.
func (v Value) Kind() Kind {
	if len(v.raw) == 0 {
		return Invalid
	}
	return kindOf[v.raw[0]]
}

// Raw returns the value's own bytes as they stand in the document.
func (v Value) Raw() []byte { return v.raw }

// Text returns the text of a string.
func (v Value) Text() (string, bool) {
	if v.Kind() != Text {
		return "", false
	}
	return inside(v.raw), true
}

// Bool returns a boolean.
func (v Value) Bool() (value, ok bool) {
	return v.Kind() == Bool && v.raw[0] == 't', v.Kind() == Bool
}

// Uint returns a number that is written as an unsigned integer: no sign, fraction
// or exponent, at most 2^53-1. Its value alone does not decide: 1.0 and 1e0 are
// refused, since no writer of canonical JSON writes them.
func (v Value) Uint() (uint64, bool) {
	if len(v.raw) == 0 || len(v.raw) > safeDigits {
		return 0, false
	}
	var n uint64
	for _, b := range v.raw {
		if !isDigit(b) {
			return 0, false
		}
		n = 10*n + uint64(b-'0')
	}
	return n, n <= MaxInteger && (v.raw[0] != '0' || len(v.raw) == 1)
}

// Elements yields the elements of an array in their order; none for another kind.
func (v Value) Elements() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if v.Kind() != Array {
			return
		}
		for at := skipSpace(v.raw, 1); at < len(v.raw)-1; {
			end := skipValue(v.raw, at)
			if !yield(Value{v.raw[at:end]}) {
				return
			}
			at = skipSpace(v.raw, skipSpace(v.raw, end)+1)
		}
	}
}

// Members yields the members of an object in the order of the document, names
// decoded; none for another kind.
func (v Value) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		if v.Kind() != Object {
			return
		}
		for at := skipSpace(v.raw, 1); at < len(v.raw)-1; {
			end := skipText(v.raw, at)
			begin := skipSpace(v.raw, skipSpace(v.raw, end)+1)
			after := skipValue(v.raw, begin)
			if !yield(inside(v.raw[at:end]), Value{v.raw[begin:after]}) {
				return
			}
			at = skipSpace(v.raw, skipSpace(v.raw, after)+1)
		}
	}
}

// Fields returns the members of a closed object: every name of required once,
// names of optional or not, and no other. It returns [reason.Malformed] that says
// which name is missing or how many are unknown; names compare byte for byte.
func (v Value) Fields(required []string, optional ...string) (map[string]Value, error) {
	if v.Kind() != Object {
		return nil, reason.New(reason.Malformed, "an object expected, found %s", v.Kind())
	}
	fields := make(map[string]Value, len(required)+len(optional))
	unknown := 0
	for name, value := range v.Members() {
		if !slices.Contains(required, name) && !slices.Contains(optional, name) {
			unknown++
			continue
		}
		fields[name] = value
	}
	if unknown > 0 {
		return nil, reason.New(reason.Malformed, "%d members that are not defined", unknown)
	}
	for _, name := range required {
		if _, ok := fields[name]; !ok {
			return nil, reason.New(reason.Malformed, "member %q is missing", name)
		}
	}
	return fields, nil
}

// Nesting returns how deep the arrays and objects of a checked document nest.
func Nesting(data []byte) int {
	depth, deepest := 0, 0
	for at := 0; at < len(data); {
		switch data[at] {
		case '"':
			at = skipText(data, at)
			continue
		case '[', '{':
			depth++
			deepest = max(deepest, depth)
		case ']', '}':
			depth--
		}
		at++
	}
	return deepest
}
