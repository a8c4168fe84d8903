// Package lexicon knows English words: base forms, synonyms and antonyms from
// WordNet 3.1, and the small closed classes that grammar is made of (words.txt).
// It is pure, and its data is fixed: what the gate decides about two texts today it
// decides in every replay.
//
// The tour: wordnet.go searches the packed dictionary in place, morphology.go finds
// base forms, senses.go tells synonyms and antonyms, relation.go what else words are to
// each other, words.go reads the classes.
package lexicon

import (
	_ "embed" // wordnet.bin
	"sort"
)

// wordnet is written by pack, which documents its form.
//
//go:embed wordnet.bin
var wordnet string

// dictionary is the parts of wordnet.
type dictionary struct {
	words                      int
	ends, sense                string // little-endian uint32
	antonyms, attributes, text string // the first two: pairs of words, ascending
}

var dict = open(wordnet)

func open(data string) dictionary {
	words, senses, antonyms, attributes := number(data, 0), number(data, 1), number(data, 2), number(data, 3)
	d := dictionary{words: words}
	data = data[20:]
	d.ends, data = data[:8*words], data[8*words:]
	d.sense, data = data[:4*senses], data[4*senses:]
	d.antonyms, data = data[:8*antonyms], data[8*antonyms:]
	d.attributes, d.text = data[:8*attributes], data[8*attributes:]
	return d
}

func number(data string, i int) int {
	b := data[4*i : 4*i+4]
	return int(uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24)
}

// end is where the text of word i ends, and its senses.
func (d dictionary) end(i int) (text, senses int) {
	if i < 0 {
		return 0, 0
	}
	return number(d.ends, 2*i), number(d.ends, 2*i+1)
}

func (d dictionary) word(i int) string {
	from, _ := d.end(i - 1)
	to, _ := d.end(i)
	return d.text[from:to]
}

// Word is an entry of the dictionary.
type Word int32

// missing is the Word of what the dictionary does not have.
const missing Word = -1

// Find looks up a word in small letters; the words of a phrase are joined by "_".
func Find(word string) (Word, bool) {
	w := dict.find(word)
	return w, w != missing
}

func (d dictionary) find(word string) Word {
	k := beginning(word)
	low, high := int(begin[k]), int(begin[k+1])
	for low < high {
		mid := (low + high) / 2
		if d.word(mid) < word {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low == int(begin[k+1]) || d.word(low) != word {
		return missing
	}
	return Word(low)
}

// beginning is the first two bytes of a word.
func beginning(word string) (k int) {
	if len(word) > 0 {
		k = int(word[0]) << 8
	}
	if len(word) > 1 {
		k |= int(word[1])
	}
	return k
}

// begin is how many words come before each beginning: a search among all of them takes
// twice the steps, far apart in memory.
var begin = beginnings(dict)

func beginnings(d dictionary) (before [1<<16 + 1]int32) {
	k := 0
	for w := 0; w < d.words; {
		this := beginning(d.word(w))
		for ; k <= this; k++ {
			before[k] = int32(w)
		}
		w += sort.Search(d.words-w, func(n int) bool { return beginning(d.word(w+n)) > this })
	}
	for ; k < len(before); k++ {
		before[k] = int32(d.words)
	}
	return before
}

// A part of speech.
type part uint8

const (
	noun part = iota
	verb
	adjective
	adverb
)

// meaning is a word's sense: a synset, how common it is among the word's senses of
// this part of speech (0 is the most, up to 63), and the topic that it belongs to, a
// lexicographer file of WordNet (lexnames(5WN)).
type meaning struct {
	synset      uint32
	part        part
	rank, topic uint8
}

// meanings calls yield for each sense of a word until it returns false.
func (d dictionary) meanings(w Word, yield func(meaning) bool) {
	if w == missing {
		return
	}
	_, from := d.end(int(w) - 1)
	_, to := d.end(int(w))
	for ; from < to; from++ {
		v := uint32(number(d.sense, from))
		if !yield(meaning{v >> 14, part(v >> 12 & 3), uint8(v >> 6 & 63), uint8(v & 63)}) {
			return
		}
	}
}

// has reports whether a word has a sense as a part of speech.
func (d dictionary) has(w Word, p part) bool {
	found := false
	d.meanings(w, func(m meaning) bool { found = m.part == p; return !found })
	return found
}
