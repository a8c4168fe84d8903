package wire

import "unicode/utf8"

// Reader reads one item that is on the way of every delta, without reflection
// and in one pass: it accepts only the deterministic encoding, so what it has
// read needs no comparison. The caller asks for what is due; after the first
// thing that is something else all answers are zero, and [Reader.Done] says so.
//
// Elsewhere [Unmarshal] reads the same form from a struct's tags.
type Reader struct {
	data, rest []byte
	failed     bool
}

// NewReader returns a reader of the one item in data.
func NewReader(data []byte) *Reader { return &Reader{data: data, rest: data} }

// Done returns nil if all that was asked for was there and nothing follows, and
// else what [Unmarshal] returns for such data.
func (r *Reader) Done() error {
	if r.failed || len(r.rest) != 0 {
		return Refuse(r.data)
	}
	return nil
}

// Failed reports whether something else was found than was asked for; loops stop
// at it.
func (r *Reader) Failed() bool { return r.failed }

// Map reads the head of a map of n pairs.
func (r *Reader) Map(n int) { r.expect(r.head(majorMap) == uint64(n)) }

// Tuple reads the head of an array of exactly n elements.
func (r *Reader) Tuple(n int) { r.expect(r.head(majorArray) == uint64(n)) }

// Array reads the head of an array and returns the number of its elements, which
// is never larger than what is left of the data.
func (r *Reader) Array() int {
	n := r.head(majorArray)
	r.expect(n <= uint64(len(r.rest)) && n <= maxElements)
	if r.failed {
		return 0
	}
	return int(n)
}

// Key reads the unsigned integer k, the key of a map's next pair.
func (r *Reader) Key(k uint64) *Reader {
	r.expect(r.head(majorUint) == k)
	return r
}

// Uint reads an unsigned integer.
func (r *Reader) Uint() uint64 { return r.head(majorUint) }

// Uint32 reads an unsigned integer of at most 32 bits.
func (r *Reader) Uint32() uint32 {
	n := r.head(majorUint)
	r.expect(n < 1<<32)
	return uint32(n)
}

// Null reads null and reports true, or reads nothing and reports false.
func (r *Reader) Null() bool {
	if r.failed || len(r.rest) == 0 || r.rest[0] != Null[0] {
		return false
	}
	r.rest = r.rest[1:]
	return true
}

// Bytes reads a byte string and returns it as a part of the data, never nil
// unless the reader failed.
func (r *Reader) Bytes() []byte { return r.take(r.head(majorBytes)) }

// Bytes32 reads a byte string of 32 bytes.
func (r *Reader) Bytes32() (b [32]byte) {
	s := r.Bytes()
	r.expect(len(s) == len(b))
	if !r.failed {
		b = [32]byte(s)
	}
	return b
}

// Text reads a text string of valid UTF-8.
func (r *Reader) Text() string {
	s := r.take(r.head(majorText))
	r.expect(utf8.Valid(s))
	return string(s)
}

// head reads the head of an item of a major type and returns its argument.
func (r *Reader) head(major byte) uint64 {
	n, rest, ok := cutHead(r.rest, major)
	if r.failed || !ok {
		r.failed = true
		return 0
	}
	r.rest = rest
	return n
}

// take reads the next n bytes.
func (r *Reader) take(n uint64) []byte {
	if r.failed || n > uint64(len(r.rest)) {
		r.failed = true
		return nil
	}
	b := r.rest[:n:n]
	r.rest = r.rest[n:]
	return b
}

func (r *Reader) expect(ok bool) {
	if !ok {
		r.failed = true
	}
}
