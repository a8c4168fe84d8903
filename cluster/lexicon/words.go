package lexicon

import (
	_ "embed" // words.txt, irregular.txt
	"strings"
)

//go:embed words.txt
var wordsFile string

//go:embed irregular.txt
var irregularFile string

// A Class is a closed class of words.
type Class string

// The classes of words.txt.
const (
	Article    Class = "article"    // before a noun
	Dropped    Class = "dropped"    // carries no meaning that a fact could change by
	Negation   Class = "negation"   // turns the polarity of what follows
	Relation   Class = "relation"   // how two things stand to each other
	Pronoun    Class = "pronoun"    // stands for a thing
	Modal      Class = "modal"      // how sure, allowed or frequent
	Quantifier Class = "quantifier" // how many, without a number
	Number     Class = "number"     // a number in words
	Ordinal    Class = "ordinal"    // a place in an order, in words
	Unit       Class = "unit"       // of measure
	Calendar   Class = "calendar"   // a month or a weekday
	Past       Class = "past"       // an auxiliary of the past
	Being      Class = "being"      // forms of "be"
	Having     Class = "having"     // forms of "have"
	Light      Class = "light"      // names the kind of the value that follows
	Short      Class = "short"      // short form of a word, which is its sense
	// Existential is "there" before a form of "be"; elsewhere it is a place.
	Existential Class = "existential"
	Degree      Class = "degree"   // adds emphasis to an adjective, and no fact
	Colored     Class = "colored"  // participles before or after a color
	Purpose     Class = "purpose"  // participles before "for" what a thing is for
	Material    Class = "material" // participles before "of" what a thing is made of
	// Attributive begins a clause that says of a thing what it is.
	Attributive Class = "attributive"
)

// Meaning is an entry of a closed class; words of one class and sense mean the same.
type Meaning struct {
	Class Class
	Sense string
}

// classes maps a word or a phrase, its words joined by a blank, to its entries.
var classes = readClasses(wordsFile)

// irregular maps an inflected form to its bases; irregularPlural has those of nouns.
var irregular, irregularPlural = readIrregular(irregularFile)

// longest is the number of words of the longest entry that begins with a word.
var longest = longestOf(classes)

// MaxPhrase is the number of words in the longest phrase of a closed class.
const MaxPhrase = 4

// In returns the sense of a word or phrase in a class.
func In(c Class, phrase string) (sense string, ok bool) {
	for _, m := range classes[phrase] {
		if m.Class == c {
			return m.Sense, true
		}
	}
	return "", false
}

// Is reports a word or phrase of a class.
func Is(c Class, phrase string) bool {
	_, ok := In(c, phrase)
	return ok
}

// Closed reports whether a word begins or is an entry of a closed class by itself.
func Closed(word string) bool { return len(classes[word]) > 0 }

// Phrase returns how many of the words, at most [MaxPhrase], form the longest entry of a
// closed class that starts with the first, and its entries; 0 if none does.
func Phrase(words []string) (n int, entries []Meaning) {
	if len(words) == 0 {
		return 0, nil
	}
	for n := min(len(words), longest[words[0]]); n > 0; n-- {
		if entries, ok := classes[strings.Join(words[:n], " ")]; ok {
			return n, entries
		}
	}
	return 0, nil
}

// lines calls line with each line of a data file that is neither empty nor a comment.
func lines(file string, line func(string)) {
	for l := range strings.Lines(file) {
		if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, "#") {
			line(l)
		}
	}
}

// readClasses reads "class sense: word, phrase of words, word".
func readClasses(file string) map[string][]Meaning {
	all := map[string][]Meaning{}
	lines(file, func(l string) {
		head, list, _ := strings.Cut(l, ":")
		class, sense, _ := strings.Cut(head, " ")
		for phrase := range strings.SplitSeq(list, ",") {
			phrase = strings.TrimSpace(phrase)
			m := Meaning{Class(class), sense}
			if sense == "" {
				m.Sense = phrase
			}
			all[phrase] = append(all[phrase], m)
		}
	})
	return all
}

func longestOf(classes map[string][]Meaning) map[string]int {
	longest := map[string]int{}
	for phrase := range classes {
		words := strings.Fields(phrase)
		longest[words[0]] = max(longest[words[0]], len(words))
	}
	return longest
}

// readIrregular reads "base: form form" and "plural base: form".
func readIrregular(file string) (all map[string][]string, plural map[string]bool) {
	all, plural = map[string][]string{}, map[string]bool{}
	lines(file, func(l string) {
		head, forms, _ := strings.Cut(l, ":")
		base, marked := strings.CutPrefix(head, "plural ")
		for form := range strings.FieldsSeq(forms) {
			all[form] = append(all[form], base)
			plural[form] = plural[form] || marked
		}
	})
	return all, plural
}
