package lexicon

import "strings"

// ValueOf reports whether a word names a value of an attribute: "large" of "size",
// "blue" of "color".
func ValueOf(attribute, value Word) bool { return listed(dict.attributes, value, attribute) }

// Topics of nouns.
const (
	topicGroup  = 14
	topicPerson = 18
)

// Acts reports whether a word names, in its most common meaning as a noun, a person or
// a group of them: one that does things of its own.
func Acts(word Word) bool {
	acts := false
	dict.meanings(word, func(m meaning) bool {
		acts = acts || m.part == noun && m.rank == 0 && (m.topic == topicGroup || m.topic == topicPerson)
		return !acts
	})
	return acts
}

// listed searches ascending pairs of words.
func listed(pairs string, first, second Word) bool {
	at := lowerBound(pairs, int(first), int(second))
	return at < len(pairs)/8 && number(pairs, 2*at) == int(first) && number(pairs, 2*at+1) == int(second)
}

var negatingPrefixes = []string{"un", "in", "im", "il", "ir", "non", "dis", "non-"}

// Negated reports whether a word is another with a prefix that negates it, both
// known: "unencrypted" of "encrypted", not "under" of "der".
func Negated(word, of string) bool {
	if len(of) < 4 || len(word) <= len(of) || !strings.HasSuffix(word, of) {
		return false
	}
	prefix := word[:len(word)-len(of)]
	for _, p := range negatingPrefixes {
		if prefix == p {
			return negatable(of)
		}
	}
	return false
}

// Negates reports whether a word is some known word with a negating prefix.
func Negates(word string) bool {
	for _, p := range negatingPrefixes {
		if of, ok := strings.CutPrefix(word, p); ok && Negated(word, of) {
			return true
		}
	}
	return false
}

// negatable reports a word that a negating prefix can be put before.
func negatable(word string) bool {
	for _, b := range Bases(word) {
		w := dict.find(b)
		if dict.has(w, adjective) || dict.has(w, verb) || dict.has(w, adverb) {
			return true
		}
	}
	return false
}
