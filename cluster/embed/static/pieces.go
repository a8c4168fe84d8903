package static

import "unicode/utf8"

// maxWord is the longest word, in bytes, that is cut; a longer one counts nothing.
const maxWord = 200

// cut calls piece for the pieces of a word, longest first from the left, as
// WordPiece does. A word with a part that no piece covers counts nothing.
func (t table) cut(word string, piece func(int32)) {
	if id, ok := t.pieces[word]; ok {
		piece(id)
		return
	}
	if len(word) > maxWord {
		return
	}
	var found [maxWord]int32
	n := 0
	key := make([]byte, 0, maxWord+2)
	for start := 0; start < len(word); n++ {
		end := len(word)
		for ; end > start; end = shorter(word, start, end) {
			key = key[:0]
			if start > 0 {
				key = append(key, "##"...)
			}
			key = append(key, word[start:end]...)
			if id, ok := t.pieces[string(key)]; ok {
				found[n] = id
				break
			}
		}
		if end == start {
			return
		}
		start = end
	}
	for _, id := range found[:n] {
		piece(id)
	}
}

// shorter is end before the last letter of word[start:end].
func shorter(word string, start, end int) int {
	_, size := utf8.DecodeLastRuneInString(word[start:end])
	return end - size
}
