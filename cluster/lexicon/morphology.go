package lexicon

import "strings"

// ending is a rule of WordNet's morphology (morphy(7WN)): an inflected ending, what
// it stands for, and the part of speech that the result must have.
type ending struct {
	inflected, base string
	part            part
}

var endings = []ending{
	{"s", "", noun}, {"ses", "s", noun}, {"xes", "x", noun}, {"zes", "z", noun}, {"ches", "ch", noun}, {"shes", "sh", noun},
	{"oes", "o", noun}, {"men", "man", noun}, {"ies", "y", noun},
	{"s", "", verb}, {"ies", "y", verb}, {"es", "e", verb}, {"es", "", verb},
	{"ed", "e", verb}, {"ed", "", verb}, {"ied", "y", verb}, {"ing", "e", verb}, {"ing", "", verb},
	{"er", "", adjective}, {"er", "e", adjective}, {"ier", "y", adjective},
	{"est", "", adjective}, {"est", "e", adjective}, {"iest", "y", adjective},
}

// Known reports whether the dictionary has a word, in small letters, as it stands.
func Known(word string) bool { return dict.find(word) != missing }

// Bases returns the forms that a word in small letters may be an inflection of,
// itself first. A word that the dictionary does not know is its own only base.
func Bases(word string) []string {
	bases := []string{word}
	if base, ok := irregular[word]; ok {
		return append(bases, base...)
	}
	for _, e := range endings {
		if stem, ok := strings.CutSuffix(word, e.inflected); ok && len(stem) > 1 {
			bases = inflected(bases, stem+e.base, e.part)
			if e.inflected != "s" && e.base == "" && doubled(stem) {
				bases = inflected(bases, stem[:len(stem)-1], e.part)
			}
		}
	}
	return bases
}

func inflected(bases []string, base string, p part) []string {
	if dict.has(dict.find(base), p) {
		bases = append(bases, base)
	}
	return bases
}

// Plural reports whether a word in small letters is, if a noun, the plural of another:
// "servers", "people". Singular reports whether it is a noun in the singular. "News" and
// verbs in "-ing" are neither.
func Plural(word string) bool {
	if irregularPlural[word] {
		return true
	}
	if !strings.HasSuffix(word, "s") || dict.has(dict.find(word), noun) {
		return false
	}
	return maybe(word, noun)
}

// Singular is described at [Plural].
func Singular(word string) bool {
	return dict.has(dict.find(word), noun) && !irregularPlural[word] && !strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ing")
}

// doubled reports a stem that repeats its last consonant, as in "running".
func doubled(stem string) bool {
	n := len(stem)
	return n > 2 && stem[n-1] == stem[n-2] && !strings.ContainsRune("aeiouls", rune(stem[n-1])) ||
		n > 3 && stem[n-1] == 'l' && stem[n-2] == 'l'
}

// MaybeVerb reports whether a word in small letters can be a form of a verb.
func MaybeVerb(word string) bool { return maybe(word, verb) }

// MaybeAdjective reports whether a word in small letters can be an adjective or a
// participle.
func MaybeAdjective(word string) bool {
	return maybe(word, adjective) || maybe(word, verb) && (strings.HasSuffix(word, "ing") || strings.HasSuffix(word, "ed"))
}

// IsAdjective reports whether a word in small letters is an adjective as it stands.
func IsAdjective(word string) bool { return dict.has(dict.find(word), adjective) }

func maybe(word string, p part) bool {
	for _, b := range Bases(word) {
		if dict.has(dict.find(b), p) {
			return true
		}
	}
	return false
}
