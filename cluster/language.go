package cluster

import (
	"unicode"

	"consilience/cluster/lexicon"
)

// english reports that at least half of a text's words are English, names and code
// left aside. In other languages "an" and "war" are other words: there a text is
// compared word by word, and only punctuation and blanks may differ.
func english(words []word) bool {
	known, unknown := 0, 0
	for _, w := range words {
		switch {
		case w.quoted || isIdentifier(w.text) || capital(w.text) && !w.first:
		case lexicon.Closed(w.fold) || knownInSomeForm(w.fold):
			known++
		default:
			unknown++
		}
	}
	return known >= unknown && known > 0
}

func knownInSomeForm(word string) bool {
	if !latin(word) {
		return false
	}
	for _, b := range lexicon.Bases(word) {
		if lexicon.Known(b) {
			return true
		}
	}
	return false
}

func latin(word string) bool {
	for _, r := range word {
		if r > unicode.MaxLatin1 {
			return false
		}
	}
	return true
}

// verbatim takes the next word as it is written.
func (r *reader) verbatim() {
	w := r.words[r.at]
	r.at++
	t := classify(w)
	if t.kind == plain || t.kind == name {
		t = token{kind: name, text: w.text, sense: w.text, comma: w.comma}
	}
	r.push(t)
}
