package ijson

import "bytes"

// The functions here step over parts of a document that was checked before. They
// stay within data whatever it holds, and always move on.

// skipSpace returns the place of the first byte at or after at that is no white space.
func skipSpace(data []byte, at int) int {
	at = min(at, len(data))
	for at < len(data) && isSpace(data[at]) {
		at++
	}
	return at
}

// skipText returns the place after the string that begins at at.
func skipText(data []byte, at int) int {
	for at++; at < len(data); at++ {
		switch data[at] {
		case '"':
			return at + 1
		case '\\':
			at++
		}
	}
	return len(data)
}

// skipValue returns the place after the value that begins at at.
func skipValue(data []byte, at int) int {
	if at >= len(data) {
		return len(data)
	}
	switch kindOf[data[at]] {
	case Text:
		return skipText(data, at)
	case Array, Object:
		return skipNested(data, at)
	}
	if n := bytes.IndexAny(data[at+1:], ",]} \n\r\t"); n >= 0 {
		return at + 1 + n
	}
	return len(data)
}

func skipNested(data []byte, at int) int {
	depth := 0
	for at < len(data) {
		switch data[at] {
		case '"':
			at = skipText(data, at)
			continue
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		}
		if at++; depth == 0 {
			return at
		}
	}
	return at
}
