package main

import (
	"regexp"
	"strings"
)

// registers is how a gloss says that a word means another and differs in register
// only: "an informal term for a father; …", "a polite name for any woman; …".
var registers = regexp.MustCompile(`\| (?:an? )?(?:informal|polite|colloquial|slang)(?: British| American)? (?:name|term|word)s? for (?:an? |any |the )?([a-z]+)(?: or ([a-z]+))?(?:;|\s*$)`)

// definition is a gloss that begins with a definition of words only.
var definition = regexp.MustCompile(`\| (?:an? |the )?([a-z ]+?)\s*(?:;|$)`)

// tops is the file of the nouns that are no kind of another.
const tops = 3

func (d *dictionary) registers(at place, line string) {
	found := registers.FindStringSubmatch(line)
	if d.files[at] == tops && len(found) == 0 {
		// What is a kind of nothing is defined by its synonym: "person", "a human being".
		found = definition.FindStringSubmatch(line)
	}
	for _, plain := range found[min(1, len(found)):] {
		plain = strings.ReplaceAll(plain, " ", "_")
		for _, m := range d.members[at] {
			if plain != "" {
				d.register[m+" "+at.offset] = append(d.register[m+" "+at.offset], plain)
			}
		}
	}
}

// registerRank is the rank of the sense that a word has by its register.
const registerRank = 7

// addRegisters gives a word the first meaning of the plain word for it, if that is
// its own first meaning as a noun: "mom" means "mother", "bread" does not mean "money".
func (d *dictionary) addRegisters() {
	added := map[string][]sense{}
	for at, plains := range d.register {
		word, offset, _ := strings.Cut(at, " ")
		own, ok := d.first(word)
		if !ok || own.synset != d.numbers[place{0, offset}] {
			continue
		}
		for _, plain := range plains {
			if s, ok := d.first(plain); ok {
				added[word] = append(added[word], sense{s.synset, s.part, registerRank, s.file})
			}
		}
	}
	for word, senses := range added {
		d.senses[word] = append(d.senses[word], senses...)
	}
}

// first is a word's most common sense as a noun.
func (d *dictionary) first(word string) (sense, bool) {
	for _, s := range d.senses[word] {
		if s.part == 0 && s.rank == 0 {
			return s, true
		}
	}
	return sense{}, false
}
