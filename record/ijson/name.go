package ijson

// name is a member name as it stands between its quotes.
type name struct {
	raw     []byte
	escaped bool
}

// compareNames orders two names by their UTF-16 code units (RFC 8785 section
// 3.2.3). Only names with escapes are decoded.
func compareNames(a, b name) int {
	if a.escaped || b.escaped {
		return compareUTF16(unescape(a.raw), unescape(b.raw))
	}
	return compareUTF16(a.raw, b.raw)
}

// compareUTF16 orders two valid UTF-8 strings by their UTF-16 code units.
func compareUTF16[T string | []byte](a, b T) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return int(rank(a[i])) - int(rank(b[i]))
		}
	}
	return len(a) - len(b)
}

// rank orders the bytes of UTF-8 as UTF-16 orders what they begin: the lead bytes
// of the supplementary planes (F0 to F4, surrogates in UTF-16) come before those
// of U+E000 to U+FFFF (EE and EF).
func rank(b byte) byte {
	switch {
	case b >= 0xF0:
		return b - 2
	case b >= 0xEE:
		return b + 0x10
	}
	return b
}
