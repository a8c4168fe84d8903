// Package ijson reads I-JSON (RFC 7493) strictly.
//
// The decoders of the standard library keep the last of two equal names, fold the
// case of names, replace broken text and round integers. This package refuses all
// of that before any member is used: duplicate names in every spelling, invalid
// UTF-8, lone surrogates, noncharacters, U+0000, a byte order mark, trailing
// bytes, numbers that a double does not keep, and nesting beyond a limit.
//
//   - [Check] accepts any spelling of an I-JSON document.
//   - [CheckCanonical] accepts its one RFC 8785 spelling only, in a single pass
//     that allocates nothing for a document that is one.
//   - [Parse] is Check and then a [Value]: a view over the bytes, for documents
//     with closed member sets such as projection records and policy files.
//
// Refusals are *reason.Error values whose code is content_invalid,
// nesting_too_deep or, from CheckCanonical only, not_canonical; their detail
// names the byte and never quotes the document.
package ijson

// MaxNesting is the deepest nesting that any caller can allow. It bounds the
// walker's recursion.
const MaxNesting = 1000

// MaxInteger is 2^53-1, the largest magnitude up to which a double keeps every
// integer (RFC 7493 section 2.2).
const MaxInteger = 1<<53 - 1

// Options are what a caller may narrow.
type Options struct {
	// Nesting is how deep arrays and objects may nest; a scalar has depth 0, [] has
	// depth 1. Defaults to MaxNesting when 0 or above MaxNesting.
	Nesting int
}

// Check refuses data unless it is exactly one I-JSON value, white space around
// it allowed.
func Check(data []byte, o Options) error {
	return walk(data, o, false)
}

// CheckCanonical refuses data unless it is exactly one I-JSON value in the
// canonical form of RFC 8785. The first fault in reading order decides the code:
// not_canonical for another spelling, content_invalid for what is not I-JSON.
func CheckCanonical(data []byte, o Options) error {
	return walk(data, o, true)
}

// Parse checks data and returns a view of its value. The view shares data, which
// must not change while it is in use.
func Parse(data []byte, o Options) (Value, error) {
	if err := Check(data, o); err != nil {
		return Value{}, err
	}
	return View(data), nil
}

func walk(data []byte, o Options, canonical bool) error {
	if o.Nesting <= 0 || o.Nesting > MaxNesting {
		o.Nesting = MaxNesting
	}
	w := walker{data: data, options: o, canonical: canonical}
	return w.document()
}
