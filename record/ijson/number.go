package ijson

import (
	"bytes"
	"math"
	"strconv"
)

// integersUpTo is where ECMAScript, and so RFC 8785, begins to write numbers with
// an exponent; below it a double without fraction is written as an integer.
const integersUpTo = 1e21

// smallestPlain is the smallest magnitude that ECMAScript writes without an exponent.
const smallestPlain = 1e-6

// safeDigits is the most digits of which every integer fits an int64.
const safeDigits = 16

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// digits reads one or more digits.
func (w *walker) digits() error {
	if !isDigit(w.peek()) {
		return w.invalid("a digit expected")
	}
	for isDigit(w.peek()) {
		w.at++
	}
	return nil
}

// number reads a number and refuses one that does not survive: an integer beyond
// 2^53-1, a number beyond a double, a number that a double turns into zero.
func (w *walker) number() error {
	start := w.at
	plain, err := w.numberSyntax()
	if err != nil {
		return err
	}
	literal := w.data[start:w.at]
	if plain {
		return w.integer(literal)
	}
	return w.double(literal)
}

// numberSyntax reads a number by the grammar of RFC 8259 section 6 and says
// whether it had neither fraction nor exponent.
func (w *walker) numberSyntax() (plain bool, err error) {
	if w.peek() == '-' {
		w.at++
	}
	if w.peek() == '0' {
		w.at++
	} else if err := w.digits(); err != nil {
		return false, err
	}
	plain = true
	if w.peek() == '.' {
		plain = false
		w.at++
		if err := w.digits(); err != nil {
			return false, err
		}
	}
	if b := w.peek(); b == 'e' || b == 'E' {
		plain = false
		w.at++
		if b := w.peek(); b == '+' || b == '-' {
			w.at++
		}
		return false, w.digits()
	}
	return plain, nil
}

func (w *walker) integer(literal []byte) error {
	digits := bytes.TrimPrefix(literal, []byte("-"))
	var n int64
	if len(digits) <= safeDigits {
		for _, d := range digits {
			n = 10*n + int64(d-'0')
		}
	}
	if len(digits) > safeDigits || n > MaxInteger {
		return w.invalid("an integer beyond 2^53-1")
	}
	if n == 0 && len(literal) > 1 {
		return w.loose("a negative zero")
	}
	return nil
}

func (w *walker) double(literal []byte) error {
	f, err := strconv.ParseFloat(string(literal), 64)
	if err != nil {
		return w.invalid("a number beyond a double")
	}
	if f == 0 && significant(literal) {
		return w.invalid("a number that a double turns into zero")
	}
	// Its canonical form would be an integer literal that does not survive.
	if a := math.Abs(f); a > MaxInteger && a < integersUpTo {
		return w.invalid("an integer beyond 2^53-1")
	}
	var form [32]byte
	if w.canonical && !bytes.Equal(appendNumber(form[:0], f), literal) {
		return w.loose("a number in another than its shortest form")
	}
	return nil
}

// significant reports whether a digit of the literal's mantissa is not zero.
func significant(literal []byte) bool {
	for _, b := range literal {
		if b == 'e' || b == 'E' {
			return false
		}
		if '1' <= b && b <= '9' {
			return true
		}
	}
	return false
}

// appendNumber appends the RFC 8785 form of f, which is that of ECMAScript: the
// shortest digits that read back as f. f must be finite.
func appendNumber(dst []byte, f float64) []byte {
	a := math.Abs(f)
	if a == 0 {
		return append(dst, '0')
	}
	if smallestPlain <= a && a < integersUpTo {
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	// Go writes an exponent of at least two digits.
	if n := len(dst); dst[n-2] == '0' && !isDigit(dst[n-3]) {
		dst = append(dst[:n-2], dst[n-1])
	}
	return dst
}
