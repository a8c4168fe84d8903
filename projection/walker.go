package projection

import (
	"bytes"
	"strconv"
	"strings"

	"consilience/reason"
)

// walker reads a JSON document whose shape is known in advance: objects with a
// fixed set of members, arrays, strings, integers, booleans and null. It refuses
// everything that I-JSON (RFC 7493) forbids, and every number that is not a plain
// non-negative integer, before a caller sees a value.
//
// A walker stops at its first fault: methods return false and err holds it.
type walker struct {
	data []byte
	at   int
	path []string // member names that lead to the place, for the refusal only
	code reason.Code
	err  error
}

// member is one member of a closed object.
type member struct {
	name     string
	read     func(*walker) bool
	optional bool
}

// document reads exactly one object, white space around it allowed.
func (w *walker) document(members []member) error {
	w.space()
	if w.object(members) {
		w.space()
		if w.at != len(w.data) {
			w.fail("bytes after the object")
		}
	}
	return w.err
}

// fail records a refusal at the walker's place; it never quotes the document.
func (w *walker) fail(what string) bool { return w.failAs(w.code, what) }

func (w *walker) failAs(code reason.Code, what string) bool {
	if w.err == nil {
		e := reason.New(code, "%s", what)
		if len(w.path) > 0 {
			e = e.On(strings.Join(w.path, "."))
		}
		w.err = e
	}
	return false
}

func (w *walker) space() {
	for w.at < len(w.data) && strings.IndexByte(" \t\r\n", w.data[w.at]) >= 0 {
		w.at++
	}
}

// take consumes word if it comes next.
func (w *walker) take(word string) bool {
	if !bytes.HasPrefix(w.data[w.at:], []byte(word)) {
		return false
	}
	w.at += len(word)
	return true
}

// object reads an object that has every member of members that is not optional,
// none twice in any spelling, and no other.
func (w *walker) object(members []member) bool {
	if !w.take("{") {
		return w.fail("an object expected")
	}
	var seen uint32
	w.space()
	if !w.take("}") {
		for more := true; more; {
			if !w.member(members, &seen) || !w.separator("}", &more) {
				return false
			}
		}
	}
	for i, m := range members {
		if seen&(1<<i) == 0 && !m.optional {
			return w.fail("member " + m.name + " is missing")
		}
	}
	return true
}

// member reads a name, its colon and its value.
func (w *walker) member(members []member, seen *uint32) bool {
	name, ok := w.text()
	if !ok {
		return false
	}
	i := indexOf(members, name)
	if i < 0 {
		return w.fail("a member that this version does not define")
	}
	w.path = append(w.path, members[i].name)
	if *seen&(1<<i) != 0 {
		return w.fail("member stands twice")
	}
	*seen |= 1 << i
	w.space()
	if !w.take(":") {
		return w.fail("a colon expected")
	}
	w.space()
	if !members[i].read(w) {
		return w.fail("value refused")
	}
	w.path = w.path[:len(w.path)-1]
	return true
}

func indexOf(members []member, name string) int {
	for i, m := range members {
		if m.name == name {
			return i
		}
	}
	return -1
}

// separator reads a comma, or the end of an object or array.
func (w *walker) separator(end string, more *bool) bool {
	w.space()
	*more = w.take(",")
	if !*more && !w.take(end) {
		return w.fail("a comma or " + end + " expected")
	}
	w.space()
	return true
}

// list reads an array, calling each for every element in order.
func (w *walker) list(each func(i int) bool) bool {
	if !w.take("[") {
		return w.fail("an array expected")
	}
	w.space()
	if w.take("]") {
		return true
	}
	for i, more := 0, true; more; i++ {
		w.path = append(w.path, strconv.Itoa(i))
		if !each(i) || !w.separator("]", &more) {
			return w.fail("element refused")
		}
		w.path = w.path[:len(w.path)-1]
	}
	return true
}

// integer reads digits alone: no sign, fraction, exponent or leading zero, at
// most 2^53-1. 1.0, 1e0 and -0 have integral values and are refused all the same,
// since no canonical form spells them so.
func (w *walker) integer(least int64) (n int64, ok bool) {
	start := w.at
	for ; w.at < len(w.data) && isDigit(w.data[w.at]); w.at++ {
		if n = n*10 + int64(w.data[w.at]-'0'); n > maxInteger {
			return 0, w.fail("an integer above 2^53-1")
		}
	}
	if w.at == start || w.data[start] == '0' && w.at > start+1 || w.at < len(w.data) && strings.IndexByte(".eE", w.data[w.at]) >= 0 {
		return 0, w.fail("a plain non-negative integer expected")
	}
	if n < least {
		return 0, w.fail("an integer of at least " + strconv.FormatInt(least, 10) + " expected")
	}
	return n, true
}

// boolean reads true or false.
func (w *walker) boolean() (v, ok bool) {
	if w.take("true") {
		return true, true
	}
	return false, w.take("false") || w.fail("true or false expected")
}
