package lexicon

import "slices"

// Senses is what some words may mean, taken together: the base forms that an inflected
// word may be of, or the one entry of a phrase. It is made once for many comparisons.
type Senses struct {
	words    []Word
	usual    []uint32 // synsets, ascending
	antonyms []Word
	mask     uint64 // a bit for each usual synset, so that most that share none are told at once
}

// commonRank is how many senses of each part of speech are usual ones of a word.
const commonRank = 8

// SensesOf returns what words may mean.
func SensesOf(words []Word) Senses {
	s := Senses{words: words}
	for _, w := range words {
		dict.meanings(w, func(m meaning) bool {
			if m.rank < commonRank {
				s.usual = append(s.usual, m.synset)
				s.mask |= 1 << (m.synset % 64)
			}
			return true
		})
		s.antonyms = seconds(s.antonyms, dict.antonyms, w)
	}
	slices.Sort(s.usual)
	return s
}

// None reports that the dictionary has none of the words.
func (s Senses) None() bool { return len(s.words) == 0 }

// Synonyms reports whether words share a meaning that is a usual one of both: among the
// commonRank most common of its part of speech.
func (s Senses) Synonyms(o Senses) bool {
	if s.mask&o.mask == 0 {
		return false
	}
	a, b := s.usual, o.usual
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] == b[0]:
			return true
		case a[0] < b[0]:
			a = a[1:]
		default:
			b = b[1:]
		}
	}
	return false
}

// Antonyms reports whether WordNet has words as opposites.
func (s Senses) Antonyms(o Senses) bool {
	return slices.ContainsFunc(s.antonyms, func(w Word) bool { return slices.Contains(o.words, w) })
}

// seconds appends the second words of the pairs whose first is a word.
func seconds(to []Word, pairs string, first Word) []Word {
	for at := lowerBound(pairs, int(first), 0); at < len(pairs)/8 && number(pairs, 2*at) == int(first); at++ {
		to = append(to, Word(number(pairs, 2*at+1)))
	}
	return to
}

// lowerBound is the place of the first of ascending pairs that is not before a pair.
func lowerBound(pairs string, a, b int) int {
	low, high := 0, len(pairs)/8
	for low < high {
		mid := (low + high) / 2
		if x, y := number(pairs, 2*mid), number(pairs, 2*mid+1); x < a || x == a && y < b {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}
