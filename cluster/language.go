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
	for i := range words {
		w := &words[i]
		switch {
		case w.quoted || isIdentifier(w.text) || capital(w.text) && !w.first:
		case lexicon.Closed(w.fold) || w.known():
			known++
		default:
			unknown++
		}
	}
	return known >= unknown && known > 0
}

// known reports a word that the dictionary has in some form, and keeps the forms.
func (w *word) known() bool {
	if !latin(w.fold) {
		return false
	}
	w.bases = lexicon.Bases(w.fold)
	for _, b := range w.bases {
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
