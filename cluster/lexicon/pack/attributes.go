package main

import "strings"

// Pointers of the database that lead from a word to what it is a value of.
const (
	attributeOf = "="
	similarTo   = "&"
	kindOf      = "@"
)

const (
	attributeRank = 3 // how common the sense of the value must be
	attributeName = 2 // how common the sense of the attribute's name must be
	attributeUp   = 4 // steps from "beige" to "color"
)

// attributes are pairs of a word and the attribute that it is a value of, "large" and
// "size": by the pointer of the adjective or of the one that it is similar to, and of
// words that are nouns as well by their kind: "red" is a color.
func (d *dictionary) attributes(numbers map[string]uint32) [][2]uint32 {
	targets := map[uint32]place{}
	for _, all := range d.pointers {
		for _, p := range all {
			if p.symbol == attributeOf {
				targets[d.numbers[p.to]] = p.to
			}
		}
	}
	at := d.places()
	var pairs [][2]uint32
	for word, senses := range d.senses {
		for _, attribute := range d.valueOf(senses, at, targets) {
			for _, name := range d.members[attribute] {
				if d.names(name, d.numbers[attribute]) {
					pairs = append(pairs, [2]uint32{numbers[word], numbers[name]})
				}
			}
		}
	}
	return pairs
}

func (d *dictionary) places() map[uint32]place {
	at := map[uint32]place{}
	for p, n := range d.numbers {
		at[n] = p
	}
	return at
}

// valueOf finds the attributes of a word that has adjective senses.
func (d *dictionary) valueOf(senses []sense, at, targets map[uint32]place) []place {
	var found, up []place
	adjective := false
	for _, s := range senses {
		if s.rank >= attributeRank {
			continue
		}
		switch from := at[s.synset]; s.part {
		case 0:
			up = append(up, from)
		case 2:
			adjective = true
			for _, head := range append(d.follow(from, similarTo), from) {
				found = append(found, d.follow(head, attributeOf)...)
			}
		}
	}
	if !adjective {
		return nil
	}
	for range attributeUp {
		var next []place
		for _, p := range up {
			next = append(next, d.follow(p, kindOf)...)
		}
		for _, p := range next {
			if _, ok := targets[d.numbers[p]]; ok {
				found = append(found, p)
			}
		}
		up = next
	}
	return found
}

func (d *dictionary) follow(from place, symbol string) []place {
	var to []place
	for _, p := range d.pointers[from] {
		if p.symbol == symbol {
			to = append(to, p.to)
		}
	}
	return to
}

// names reports a single word of which a synset is a usual sense.
func (d *dictionary) names(word string, synset uint32) bool {
	if strings.Contains(word, "_") {
		return false
	}
	for _, s := range d.senses[word] {
		if s.part == 0 && s.synset == synset && s.rank < attributeName {
			return true
		}
	}
	return false
}
