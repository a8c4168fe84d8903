package ijson

import (
	"bytes"
	"slices"

	"consilience/reason"
)

// walker reads one document from front to back. In canonical mode every deviation
// from RFC 8785 is a fault of its own; otherwise only I-JSON is asked for.
type walker struct {
	data      []byte
	at        int
	depth     int
	options   Options
	canonical bool
}

func (w *walker) document() error {
	if err := w.space(); err != nil {
		return err
	}
	if err := w.value(); err != nil {
		return err
	}
	if err := w.space(); err != nil {
		return err
	}
	if w.at != len(w.data) {
		return w.invalid("bytes after the value")
	}
	return nil
}

// invalid is a refusal of what is not I-JSON, at the walker's place.
func (w *walker) invalid(what string) error {
	return reason.New(reason.ContentInvalid, "JSON, byte %d: %s", w.at, what)
}

// loose is a refusal of another spelling than the canonical one; outside
// canonical mode it is none.
func (w *walker) loose(what string) error {
	if !w.canonical {
		return nil
	}
	return reason.New(reason.NotCanonical, "JSON, byte %d: %s", w.at, what)
}

// peek returns the next byte, 0 at the end: a raw 0 is legal nowhere in JSON.
func (w *walker) peek() byte {
	if w.at < len(w.data) {
		return w.data[w.at]
	}
	return 0
}

func isSpace(b byte) bool { return b == ' ' || b == '\n' || b == '\r' || b == '\t' }

func (w *walker) space() error {
	if !isSpace(w.peek()) {
		return nil
	}
	if err := w.loose("white space"); err != nil {
		return err
	}
	for isSpace(w.peek()) {
		w.at++
	}
	return nil
}

func (w *walker) value() error {
	switch b := w.peek(); {
	case b == '{':
		return w.nested(w.object)
	case b == '[':
		return w.nested(w.array)
	case b == '"':
		_, _, err := w.text()
		return err
	case b == '-' || isDigit(b):
		return w.number()
	case b == 't':
		return w.literal("true")
	case b == 'f':
		return w.literal("false")
	case b == 'n':
		return w.literal("null")
	}
	return w.invalid("a value expected")
}

func (w *walker) literal(word string) error {
	if !bytes.HasPrefix(w.data[w.at:], []byte(word)) {
		return w.invalid("a value expected")
	}
	w.at += len(word)
	return nil
}

// nested reads an array or object one level down.
func (w *walker) nested(read func() error) error {
	if w.depth++; w.depth > w.options.Nesting {
		return reason.New(reason.NestingTooDeep, "JSON nests deeper than %d", w.options.Nesting)
	}
	w.at++
	if err := w.space(); err != nil {
		return err
	}
	err := read()
	w.depth--
	return err
}

func (w *walker) array() error {
	if w.peek() == ']' {
		w.at++
		return nil
	}
	for {
		if err := w.value(); err != nil {
			return err
		}
		more, err := w.separator(']')
		if !more || err != nil {
			return err
		}
	}
}

// separator reads a comma, or the end of an array or object.
func (w *walker) separator(end byte) (more bool, err error) {
	if err := w.space(); err != nil {
		return false, err
	}
	switch w.peek() {
	case end:
		w.at++
		return false, nil
	case ',':
		w.at++
		return true, w.space()
	}
	return false, w.invalid("a comma or the end of an array or object expected")
}

func (w *walker) object() error {
	if w.peek() == '}' {
		w.at++
		return nil
	}
	start, ascending := w.at, true
	var last name
	for first := true; ; first = false {
		n, err := w.member()
		if err != nil {
			return err
		}
		if !first {
			order := compareNames(last, n)
			if order == 0 {
				return w.invalid("a duplicate member name")
			}
			if order > 0 {
				if err := w.loose("members out of order"); err != nil {
					return err
				}
				ascending = false
			}
		}
		last = n
		more, err := w.separator('}')
		if err != nil {
			return err
		}
		if !more {
			return w.distinct(start, ascending)
		}
	}
}

// member reads a name, its colon and its value.
func (w *walker) member() (name, error) {
	if w.peek() != '"' {
		return name{}, w.invalid("a member name expected")
	}
	raw, escaped, err := w.text()
	if err != nil {
		return name{}, err
	}
	if err := w.space(); err != nil {
		return name{}, err
	}
	if w.peek() != ':' {
		return name{}, w.invalid("a colon expected")
	}
	w.at++
	if err := w.space(); err != nil {
		return name{}, err
	}
	return name{raw, escaped}, w.value()
}

// distinct refuses an object with two equal names. Names that ascend are
// distinct already, so that only documents in another order pay for the sort.
func (w *walker) distinct(start int, ascending bool) error {
	if ascending {
		return nil
	}
	var names []string
	for at := start; at < w.at; {
		end := skipText(w.data, at)
		names = append(names, unescape(w.data[at+1:end-1]))
		at = skipValue(w.data, skipSpace(w.data, skipSpace(w.data, end)+1))
		at = skipSpace(w.data, skipSpace(w.data, at)+1)
	}
	slices.Sort(names)
	if len(slices.Compact(names)) != len(names) {
		return w.invalid("a duplicate member name")
	}
	return nil
}
