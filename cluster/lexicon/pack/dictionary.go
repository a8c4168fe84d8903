package main

import (
	"encoding/binary"
	"regexp"
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
type sense struct{ synset, part, rank, count uint32 }

func (s sense) pack() uint32 {
	return s.synset<<14 | s.part<<12 | min(s.rank, 63)<<6 | min(s.count, 63)
}

// dictionary collects what the file holds.
type dictionary struct {
	numbers  map[place]uint32
	members  map[place][]string // lemmas as the synset lists them
	opposite []pointer
	senses   map[string][]sense
	register map[string][]string // a lemma's plain words, where it is another register's word for them
}

// pointer is an antonym by place: a word of one synset, a word of another.
type pointer struct {
	from, to     place
	fromNo, toNo int // from 1
}

func newDictionary() *dictionary {
	return &dictionary{numbers: map[place]uint32{}, members: map[place][]string{}, senses: map[string][]sense{}, register: map[string][]string{}}
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
		words, _ := strconv.ParseUint(f[3], 16, 8)
		f = f[4:]
		for range words {
			d.members[at] = append(d.members[at], lemma(f[0]))
			f = f[2:]
		}
		d.registers(at, line)
		pointers, _ := strconv.Atoi(f[0])
		for f = f[1:]; pointers > 0; pointers-- {
			if f[0] == "!" {
				d.opposite = append(d.opposite, antonym(at, f))
			}
			f = f[4:]
		}
	}
}

// antonym reads a pointer "! offset part ffff", the last two words' numbers.
func antonym(from place, f []string) pointer {
	a, _ := strconv.ParseInt(f[3][:2], 16, 32)
	b, _ := strconv.ParseInt(f[3][2:], 16, 32)
	return pointer{from, place{partOf[f[2]], f[1]}, int(a), int(b)}
}

// registers is how a gloss says that a word means another and differs in register
// only: "an informal term for a father; …", "a polite name for any woman; …".
var registers = regexp.MustCompile(`\| (?:an? )?(?:informal|polite|colloquial|slang)(?: British| American)? (?:name|term|word)s? for (?:an? |any |the )?([a-z]+)(?: or ([a-z]+))?(?:;|\s*$)`)

func (d *dictionary) registers(at place, line string) {
	found := registers.FindStringSubmatch(line)
	for _, plain := range found[min(1, len(found)):] {
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
				added[word] = append(added[word], sense{s.synset, s.part, registerRank, 0})
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

// lemma is a word in small letters, without the marker of a position, "(p)".
func lemma(word string) string {
	word, _, _ = strings.Cut(word, "(")
	return strings.ToLower(word)
}

// senseCounts reads how often each sense was met in tagged text, by lemma and
// synset: "lemma%type:…  offset  number  count".
func senseCounts(lines []string) map[string]uint32 {
	counts := map[string]uint32{}
	for _, line := range lines {
		f := strings.Fields(line)
		if len(f) < 4 {
			continue
		}
		word, key, _ := strings.Cut(f[0], "%")
		n, _ := strconv.Atoi(f[3])
		counts[word+" "+string("?nvars"[key[0]-'0'])+f[1]] += uint32(n)
	}
	return counts
}

// index reads an index file: lemma, part, synset count, pointer count, pointers,
// sense count, tagged count, offsets with the most frequent sense first.
func (d *dictionary) index(part byte, lines []string, counts map[string]uint32) {
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
			count := counts[f[0]+" "+f[1]+offset]
			if f[1] == "a" {
				count += counts[f[0]+" s"+offset]
			}
			d.senses[f[0]] = append(d.senses[f[0]], sense{d.numbers[at], uint32(part), uint32(rank), count})
		}
	}
}

// encode writes the file that package lexicon reads, little-endian: the numbers of
// words, senses and antonyms; where each word's text and senses end; the texts;
// the senses; the antonyms as pairs of word numbers, ascending.
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
	antonyms := d.antonyms(numbers)
	var out []byte
	for _, part := range [][]uint32{{uint32(len(words)), uint32(len(senses)), uint32(len(antonyms) / 2), uint32(len(text))}, ends, senses, antonyms} {
		for _, v := range part {
			out = binary.LittleEndian.AppendUint32(out, v)
		}
	}
	return append(out, text...)
}

func (d *dictionary) antonyms(numbers map[string]uint32) []uint32 {
	var pairs [][2]uint32
	for _, p := range d.opposite {
		a, okA := numbers[d.members[p.from][p.fromNo-1]]
		b, okB := numbers[d.members[p.to][p.toNo-1]]
		if okA && okB {
			pairs = append(pairs, [2]uint32{a, b}, [2]uint32{b, a})
		}
	}
	slices.SortFunc(pairs, func(x, y [2]uint32) int { return slices.Compare(x[:], y[:]) })
	var flat []uint32
	for _, p := range slices.Compact(pairs) {
		flat = append(flat, p[0], p[1])
	}
	return flat
}
