package cluster

import (
	"strings"
	"unicode"

	"consilience/cluster/lexicon"
)

// kind says what a token is, and so what it may be taken for in the other text.
type kind uint8

const (
	plain      kind = iota // a word of the language
	name                   // of a person, place or thing
	numeral                // a number; its sense is the value
	ordinal                // a place in an order; its sense is the value
	version                // dotted digits
	date                   // a month, weekday, calendar date or time of day
	unit                   // of measure
	identifier             // a code token: digits or signs among letters, mixed case
	quotation              // a word inside quotation marks
	relation               // how two things stand to each other
	pronoun
)

// token is a word or phrase of a text that a fact can change by.
type token struct {
	kind       kind
	text       string         // folded; of an identifier or a quotation as written
	sense      string         // what counts: equal senses of one kind are the same
	bases      []string       // base forms, of a plain word
	known      []lexicon.Word // the dictionary's entries for them
	capital    bool
	marks      []string // senses of the quantifiers before it, and "only"
	negated    bool     // an odd number of negations acts on it
	finished   bool     // in the simple past or a participle: "-ed"
	bare       bool     // no token before it can modify it
	and        bool     // "and" follows
	of         bool     // "of" follows
	article    bool     // an article is before it
	definite   bool     // which is "the"
	owner      bool     // "'s" follows
	relative   bool     // "who", "which" or "that" is before it
	conjunct   bool     // stands where "and" may, and no relative clause
	uncounted  bool     // says of no thing whether it is one or several: "cow" of "cow pasture"
	adjoined   bool     // a unit written before its number
	participle bool     // "be" is before it: a passive, if it is a verb
	undergone  bool     // "being" is before it: a passive that goes on
	agentless  bool     // may be another text's passive that goes on, and nothing else
	comma      bool     // a comma or another stop follows
}

// words are the dictionary's entries for a token.
func (t token) words() []lexicon.Word {
	if t.bases == nil {
		return entries(t.forms())
	}
	return t.known
}

func entries(forms []string) []lexicon.Word {
	var all []lexicon.Word
	for _, f := range forms {
		if w, ok := lexicon.Find(f); ok {
			all = append(all, w)
		}
	}
	return all
}

// hard reports a token that stands for itself only: nothing else means the same.
func (t token) hard() bool { return t.kind >= numeral && t.kind <= quotation }

// one reports the word "one".
func (t token) one() bool { return t.kind == numeral && t.text == "" && t.sense == "1" }

// forms are the ways to look a token up.
func (t token) forms() []string {
	if t.bases == nil {
		return []string{t.text}
	}
	return t.bases
}

// shown is a token as explanations write it.
func (t token) shown() string {
	if t.text == "" {
		return t.sense
	}
	return t.text
}

// classify makes a token of a single word that is in no closed class.
func classify(w word) token {
	t := token{text: w.fold, sense: w.fold, comma: w.comma, capital: capital(w.text)}
	switch {
	case w.quoted:
		t.kind, t.text, t.sense = quotation, w.text, w.text
	case isNumeral(w.fold):
		t.kind, t.sense = numeral, plainNumber(w.fold)
	case isOrdinal(w.fold):
		t.kind, t.sense = ordinal, w.fold[:len(w.fold)-2]
	case isVersion(w.fold):
		t.kind, t.sense = version, strings.TrimPrefix(w.fold, "v")
	case isDate(w.fold):
		t.kind = date
	case isIdentifier(w.text):
		t.kind, t.text, t.sense = identifier, w.text, w.text
	default:
		if t.bases = w.bases; t.bases == nil {
			t.bases = lexicon.Bases(w.fold)
		}
		t.known = entries(t.bases)
		t.kind = nameOrPlain(w, t.bases)
		t.finished = strings.HasSuffix(w.fold, "ed") || len(t.bases) > 1 && t.bases[1] != w.fold && !strings.HasSuffix(w.fold, "s") && !strings.HasSuffix(w.fold, "ing")
	}
	return t
}

// nameOrPlain takes a capital for a name, except where a sentence begins with a
// word that the dictionary knows.
func nameOrPlain(w word, bases []string) kind {
	if !capital(w.text) {
		return plain
	}
	if w.first && !allCapitals(w.text) {
		for _, b := range bases {
			if lexicon.Known(b) {
				return plain
			}
		}
	}
	return name
}

func allCapitals(s string) bool { return len(s) > 1 && strings.ToUpper(s) == s }

func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// isNumeral accepts 7, -7, 7.5, 1,000 and 1,000.5.
func isNumeral(s string) bool {
	s = strings.TrimPrefix(strings.TrimPrefix(s, "-"), "+")
	whole, fraction, dotted := strings.Cut(s, ".")
	groups := strings.Split(whole, ",")
	for i, g := range groups {
		if !digits(g) || i > 0 && len(g) != 3 || i == 0 && len(groups) > 1 && len(g) > 3 {
			return false
		}
	}
	return !dotted || digits(fraction)
}

// plainNumber writes a numeral without its grouping.
func plainNumber(s string) string {
	return strings.TrimPrefix(strings.ReplaceAll(s, ",", ""), "+")
}

func isOrdinal(s string) bool {
	for _, e := range []string{"st", "nd", "rd", "th"} {
		if n, ok := strings.CutSuffix(s, e); ok && digits(n) {
			return true
		}
	}
	return false
}

// isVersion accepts dotted digits of three parts or more, and any after a "v".
func isVersion(s string) bool {
	bare, marked := strings.CutPrefix(s, "v")
	parts := strings.Split(bare, ".")
	for _, p := range parts {
		if !digits(p) {
			return false
		}
	}
	return marked || len(parts) > 2
}

// isDate accepts digits with the separators of dates and times: 2026-11-30, 1/2/26,
// 14:35, 14:35:07.
func isDate(s string) bool {
	for _, separator := range []string{"-", "/", ":"} {
		parts := strings.Split(s, separator)
		all := len(parts) == 3 || separator == ":" && len(parts) == 2
		for _, p := range parts {
			all = all && digits(p)
		}
		if all {
			return true
		}
	}
	return false
}

// isIdentifier accepts a word with a digit, a sign that language does not use
// inside of words, or a capital after a small letter.
func isIdentifier(s string) bool {
	small := false
	for _, r := range s {
		switch {
		case unicode.IsDigit(r), !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '\'' && r != '’' && r != '-':
			return true
		case unicode.IsUpper(r) && small:
			return true
		}
		small = unicode.IsLower(r)
	}
	return strings.HasPrefix(s, "-")
}
