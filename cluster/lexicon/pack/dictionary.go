package main

import (
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
)

// place is a synset as the database names it.
type place struct {
	part   byte
	offset string
}

// sense is one meaning of a lemma; it packs into 32 bits.
type sense struct{ synset, part, rank, file uint32 }

func (s sense) pack() uint32 {
	return s.synset<<14 | s.part<<12 | min(s.rank, 63)<<6 | s.file
}

// dictionary collects what the file holds.
type dictionary struct {
	numbers  map[place]uint32
	files    map[place]uint32   // the lexicographer files, lexnames(5WN)
	members  map[place][]string // lemmas as the synset lists them
	opposite []pointer
	senses   map[string][]sense
	register map[string][]string // a lemma's plain words, where it is another register's word for them
	pointers map[place][]pointer // by their first synset: what attributes.go follows
}

// pointer leads from a word of one synset to a word of another, or from all to all.
type pointer struct {
	symbol       string
	from, to     place
	fromNo, toNo int // from 1, 0 for all
}

func newDictionary() *dictionary {
	return &dictionary{numbers: map[place]uint32{}, files: map[place]uint32{}, members: map[place][]string{}, senses: map[string][]sense{}, register: map[string][]string{}, pointers: map[place][]pointer{}}
}

var partOf = map[string]byte{"n": 0, "v": 1, "a": 2, "s": 2, "r": 3}

// synsets reads a data file (wndb(5WN)): offset, file number, type, word count in
// hexadecimal, words each with an id, pointer count, pointers, gloss.
func (d *dictionary) synsets(part byte, lines []string) {
	for _, line := range lines {
		if line == "" || line[0] == ' ' {
			continue
		}
		f := strings.Fields(line)
		at := place{part, f[0]}
		d.numbers[at] = uint32(len(d.numbers))
		file, _ := strconv.ParseUint(f[1], 10, 6)
		d.files[at] = uint32(file)
		words, _ := strconv.ParseUint(f[3], 16, 8)
		f = f[4:]
		for range words {
			d.members[at] = append(d.members[at], lemma(f[0]))
			f = f[2:]
		}
		d.registers(at, line)
		pointers, _ := strconv.Atoi(f[0])
		for f = f[1:]; pointers > 0; pointers-- {
			d.point(pointerOf(at, f))
			f = f[4:]
		}
	}
}

func (d *dictionary) point(p pointer) {
	switch p.symbol {
	case "!":
		d.opposite = append(d.opposite, p)
	case attributeOf, similarTo, kindOf:
		d.pointers[p.from] = append(d.pointers[p.from], p)
	}
}

// pointerOf reads "symbol offset part ffff", the last two words' numbers.
func pointerOf(from place, f []string) pointer {
	a, _ := strconv.ParseInt(f[3][:2], 16, 32)
	b, _ := strconv.ParseInt(f[3][2:], 16, 32)
	return pointer{f[0], from, place{partOf[f[2]], f[1]}, int(a), int(b)}
}

// lemma is a word in small letters, without the marker of a position, "(p)".
func lemma(word string) string {
	word, _, _ = strings.Cut(word, "(")
	return strings.ToLower(word)
}

// index reads an index file: lemma, part, synset count, pointer count, pointers,
// sense count, tagged count, offsets with the most frequent sense first.
func (d *dictionary) index(part byte, lines []string) {
	for _, line := range lines {
		if line == "" || line[0] == ' ' {
			continue
		}
		f := strings.Fields(line)
		if strings.Count(f[0], "_") > 2 {
			continue
		}
		n, _ := strconv.Atoi(f[2])
		for rank, offset := range f[len(f)-n:] {
			at := place{part, offset}
			d.senses[f[0]] = append(d.senses[f[0]], sense{d.numbers[at], uint32(part), uint32(rank), d.files[at]})
		}
	}
}

// encode writes the file that package lexicon reads, little-endian: the numbers of
// words, senses, antonyms and attributes and the length of the texts; where each
// word's text and senses end; the senses; the antonyms and the attributes as pairs of
// word numbers, ascending; the texts.
func (d *dictionary) encode() []byte {
	words := make([]string, 0, len(d.senses))
	for w := range d.senses {
		words = append(words, w)
	}
	slices.Sort(words)
	numbers := map[string]uint32{}
	var text []byte
	var ends, senses []uint32
	for i, w := range words {
		numbers[w] = uint32(i)
		text = append(text, w...)
		for _, s := range d.senses[w] {
			senses = append(senses, s.pack())
		}
		ends = append(ends, uint32(len(text)), uint32(len(senses)))
	}
	antonyms, attributes := flat(d.antonyms(numbers)), flat(d.attributes(numbers))
	counts := []uint32{uint32(len(words)), uint32(len(senses)), uint32(len(antonyms) / 2), uint32(len(attributes) / 2), uint32(len(text))}
	var out []byte
	for _, part := range [][]uint32{counts, ends, senses, antonyms, attributes} {
		for _, v := range part {
			out = binary.LittleEndian.AppendUint32(out, v)
		}
	}
	return append(out, text...)
}

func (d *dictionary) antonyms(numbers map[string]uint32) [][2]uint32 {
	var pairs [][2]uint32
	for _, p := range d.opposite {
		a, okA := numbers[d.members[p.from][p.fromNo-1]]
		b, okB := numbers[d.members[p.to][p.toNo-1]]
		if okA && okB {
			pairs = append(pairs, [2]uint32{a, b}, [2]uint32{b, a})
		}
	}
	return pairs
}

// flat is pairs in ascending order, each once.
func flat(pairs [][2]uint32) []uint32 {
	slices.SortFunc(pairs, func(x, y [2]uint32) int { return slices.Compare(x[:], y[:]) })
	var out []uint32
	for _, p := range slices.Compact(pairs) {
		out = append(out, p[0], p[1])
	}
	return out
}
