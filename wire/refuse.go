package wire

import (
	"bytes"
	"unicode/utf8"

	"consilience/reason"
)

// Refuse names why data, which a decoder did not accept, was refused:
// [reason.NotCanonical] for one well-formed item (RFC 8949 appendix C) whose
// heads are not all in their shortest form, whose lengths are not all definite,
// or whose map keys are not in bytewise order, each once; [reason.Malformed] for
// everything else: bytes that are not one item, text that is no UTF-8, nesting
// beyond 16, and an item that is not of the form that its place asks for.
func Refuse(data []byte) error {
	s := scanner{rest: data, canonical: true}
	switch {
	case !s.item(maxNesting) || len(s.rest) != 0:
		return reason.New(reason.Malformed, "not one well-formed CBOR item")
	case !s.canonical:
		return reason.New(reason.NotCanonical, "CBOR is not in its deterministic form")
	}
	return reason.New(reason.Malformed, "CBOR item is not of the form that its place asks for")
}

// scanner walks over any item and sees whether it is in its deterministic form.
type scanner struct {
	rest      []byte
	canonical bool
}

// indefinite is the argument of a head without one.
const indefinite = 31

// item walks over one item and reports whether it is well-formed.
func (s *scanner) item(levels int) bool {
	major, info, n, ok := s.head()
	if !ok || levels < 0 {
		return false
	}
	switch major {
	case majorUint, majorNegative:
		return info != indefinite
	case majorBytes, majorText:
		return s.text(major, info, n)
	case majorArray:
		return s.elements(info, n, func() bool { return s.item(levels - 1) })
	case majorMap:
		return s.pairs(info, n, levels-1)
	case majorTag:
		return info != indefinite && s.item(levels-1)
	}
	return info != indefinite && (info != 24 || n >= 32) // a simple value, or a float
}

// head reads a head of any form.
func (s *scanner) head() (major, info byte, n uint64, ok bool) {
	if len(s.rest) == 0 {
		return 0, 0, 0, false
	}
	major, info = s.rest[0]&0xe0, s.rest[0]&0x1f
	s.rest = s.rest[1:]
	if info == indefinite {
		s.canonical = false
		return major, info, 0, true
	}
	if info < 24 {
		return major, info, uint64(info), true
	}
	size := 1 << (info - 24)
	if info > 27 || len(s.rest) < size {
		return 0, 0, 0, false
	}
	for _, b := range s.rest[:size] {
		n = n<<8 | uint64(b)
	}
	s.rest = s.rest[size:]
	if major != majorSimple && n < shortest[info-24] {
		s.canonical = false
	}
	return major, info, n, true
}

// text walks over a string of either kind, or over the chunks of one.
func (s *scanner) text(major, info byte, n uint64) bool {
	if info == indefinite {
		return s.elements(info, 0, func() bool {
			chunk, info, n, ok := s.head()
			return ok && chunk == major && info != indefinite && s.text(major, info, n)
		})
	}
	if n > uint64(len(s.rest)) {
		return false
	}
	b := s.rest[:n]
	s.rest = s.rest[n:]
	return major == majorBytes || utf8.Valid(b)
}

// elements walks over n elements, or over all up to the break.
func (s *scanner) elements(info byte, n uint64, element func() bool) bool {
	for i := uint64(0); info == indefinite || i < n; i++ {
		if info == indefinite && len(s.rest) > 0 && s.rest[0] == majorSimple|indefinite {
			s.rest = s.rest[1:]
			return true
		}
		if !element() {
			return false
		}
	}
	return true
}

// pairs walks over the pairs of a map and compares each key with the one before.
func (s *scanner) pairs(info byte, n uint64, levels int) bool {
	var last []byte
	return s.elements(info, n, func() bool {
		begin := s.rest
		if !s.item(levels) {
			return false
		}
		key := begin[:len(begin)-len(s.rest)]
		if last != nil && bytes.Compare(last, key) >= 0 {
			s.canonical = false
		}
		last = key
		return s.item(levels)
	})
}
