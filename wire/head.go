package wire

import "consilience/reason"

// Major types of RFC 8949 section 3.1, as the three high bits of an item's first
// byte, for what is read by hand.
const (
	majorUint     = 0 << 5
	majorNegative = 1 << 5
	majorBytes    = 2 << 5
	majorText     = 3 << 5
	majorArray    = 4 << 5
	majorMap      = 5 << 5
	majorTag      = 6 << 5
	majorSimple   = 7 << 5 // simple values, floats, break
)

// AppendArray appends the head of an array of n elements.
func AppendArray(dst []byte, n int) []byte { return appendHead(dst, majorArray, uint64(n)) }

// AppendBytes appends b as a byte string.
func AppendBytes(dst, b []byte) []byte {
	return append(appendHead(dst, majorBytes, uint64(len(b))), b...)
}

// CutArray reads the head of an array from the front of data and returns the
// number of its elements and what follows the head. It returns
// [reason.Malformed] where no array begins in its shortest form, or one of more
// elements than data has bytes.
func CutArray(data []byte) (n int, rest []byte, err error) {
	v, rest, ok := cutHead(data, majorArray)
	if !ok || v > uint64(len(rest)) {
		return 0, nil, reason.New(reason.Malformed, "no array where one is due")
	}
	return int(v), rest, nil
}

// CutBytes reads a byte string from the front of data and returns it, a part of
// data, and what follows. It returns [reason.Malformed] where none begins in its
// shortest form or data ends before it does.
func CutBytes(data []byte) (b, rest []byte, err error) {
	v, rest, ok := cutHead(data, majorBytes)
	if !ok || v > uint64(len(rest)) {
		return nil, nil, reason.New(reason.Malformed, "no byte string where one is due")
	}
	return rest[:v:v], rest[v:], nil
}

// CheckVersion looks at the version of a payload: the value of key 1, with which
// every payload map begins. It returns [reason.VersionUnsupported] if that is
// another number than want, and nil if there is none: decoding refuses that.
func CheckVersion(payload []byte, want uint64) error {
	_, rest, ok := cutHead(payload, majorMap)
	if !ok || len(rest) == 0 || rest[0] != 1 {
		return nil
	}
	if v, _, ok := cutHead(rest[1:], majorUint); ok && v != want {
		return reason.New(reason.VersionUnsupported, "version %d, this build knows %d", v, want)
	}
	return nil
}

// appendHead appends the shortest head of a major type and its argument.
func appendHead(dst []byte, major byte, n uint64) []byte {
	switch {
	case n < 24:
		return append(dst, major|byte(n))
	case n < 1<<8:
		return append(dst, major|24, byte(n))
	case n < 1<<16:
		return append(dst, major|25, byte(n>>8), byte(n))
	case n < 1<<32:
		return append(dst, major|26, byte(n>>24), byte(n>>16), byte(n>>8), byte(n))
	}
	dst = append(dst, major|27)
	for shift := 56; shift >= 0; shift -= 8 {
		dst = append(dst, byte(n>>shift))
	}
	return dst
}

// cutHead reads a head of the given major type in its shortest form.
func cutHead(data []byte, major byte) (n uint64, rest []byte, ok bool) {
	if len(data) == 0 || data[0]&0xe0 != major {
		return 0, nil, false
	}
	info := data[0] & 0x1f
	if info < 24 {
		return uint64(info), data[1:], true
	}
	size := 1 << (info - 24)
	if info > 27 || len(data) <= size {
		return 0, nil, false
	}
	for _, b := range data[1 : 1+size] {
		n = n<<8 | uint64(b)
	}
	return n, data[1+size:], n >= shortest[info-24]
}

// shortest is the least argument that needs 1, 2, 4 and 8 bytes of its own.
var shortest = [4]uint64{24, 1 << 8, 1 << 16, 1 << 32}
