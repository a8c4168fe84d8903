package cluster

import (
	"strconv"

	"consilience/cluster/lexicon"
)

// number takes a number in words. It counts with the one before it: "twenty one" is
// 21, "200 million" is 200000000.
func (r *reader) number(sense string, last word) {
	n := len(r.out.tokens)
	value, _ := strconv.ParseUint(sense, 10, 64)
	if n > 1 && r.out.tokens[n-1].kind == unit && r.out.tokens[n-1].adjoined {
		n-- // "$200 million": the unit was written before its number
	}
	if n > 0 && r.out.tokens[n-1].kind == numeral && !r.negate && !r.out.tokens[n-1].comma {
		before := &r.out.tokens[n-1]
		if head, err := strconv.ParseUint(before.sense, 10, 32); err == nil {
			switch {
			case value >= 100:
				before.sense = strconv.FormatUint(head*value, 10)
				return
			case head >= 20 && head%10 == 0 && value < 10 && before.text == "":
				before.sense = strconv.FormatUint(head+value, 10)
				return
			}
		}
	}
	r.push(token{kind: numeral, sense: sense, comma: last.comma})
}

// measured splits a number from the unit that is written to it: 5GB, 20%, $10.
func (r *reader) measured(w word) []token {
	if sense, ok := unitSense(w.text); ok && cased[w.text] && r.afterNumber() && !w.quoted {
		return []token{{kind: unit, text: w.fold, sense: sense, comma: w.comma}}
	}
	number, signed := cutSign(w.text)
	end := lastDigit(number)
	if w.quoted || end == 0 || !isNumeral(number[:end]) {
		return []token{classify(w)}
	}
	tokens := []token{{kind: numeral, text: w.fold, sense: plainNumber(number[:end]), comma: w.comma}}
	for _, u := range []string{signed, number[end:]} {
		if u == "" {
			continue
		}
		sense, ok := unitSense(u)
		if !ok {
			return []token{classify(w)}
		}
		tokens = append(tokens, token{kind: unit, text: u, sense: sense, comma: w.comma, adjoined: u == signed})
	}
	return r.separate(tokens)
}

// afterNumber reports that the last token is a number: "200 million USD".
func (r *reader) afterNumber() bool {
	n := len(r.out.tokens)
	return n > 0 && r.out.tokens[n-1].kind == numeral && !r.out.tokens[n-1].comma
}

// longestSymbol is the length in bytes of the longest symbol of a unit, "GiB".
const longestSymbol = 3

// cased are the symbols that are written with capitals. Any other symbol with a
// capital is a unit of its own: 10 Mb are not 10 MB.
var cased = map[string]bool{
	"B": true, "kB": true, "KB": true, "MB": true, "GB": true, "TB": true, "KiB": true, "MiB": true, "GiB": true, "TiB": true,
	"Hz": true, "MHz": true, "GHz": true, "W": true, "kW": true, "V": true, "°C": true, "°F": true,
	"EUR": true, "USD": true, "GBP": true, "JPY": true,
}

// unitSense is what a unit means, by its symbol or its name.
func unitSense(text string) (sense string, ok bool) {
	fold := foldCase(text)
	sense, ok = lexicon.In(lexicon.Unit, fold)
	if ok && fold != text && len(text) <= longestSymbol && !cased[text] {
		return text, true
	}
	return sense, ok
}

// cutSign cuts the sign of a currency off a number.
func cutSign(s string) (number, sign string) {
	for i, c := range s {
		switch c {
		case '$', '€', '£', '¥':
		default:
			return s[i:], s[:i]
		}
	}
	return "", s
}

// lastDigit is where the last digit ends, 0 if there is none.
func lastDigit(s string) int {
	for i := len(s); i > 0; i-- {
		if digits(s[i-1 : i]) {
			return i
		}
	}
	return 0
}

// separate takes the next word for the unit where only a number makes it one: 5 s.
func (r *reader) separate(tokens []token) []token {
	if len(tokens) > 1 || r.at >= len(r.words) {
		return tokens
	}
	next := r.words[r.at]
	if sense, ok := unitSense(next.text); ok && len(next.text) <= longestSymbol {
		r.at++
		tokens = append(tokens, token{kind: unit, text: next.fold, sense: sense, comma: next.comma})
	}
	return tokens
}
