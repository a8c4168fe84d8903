package recall

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"consilience/cluster"
	"consilience/record"
	"consilience/record/ijson"
)

const (
	// maxWords bounds the words of one content that are looked for; the first ones count.
	maxWords = 512
	// maxAsked bounds the words of a query.
	maxAsked = 32
)

// Words are the words of a content as numbers of a space, ascending, each once. Of a
// claim they are those of its parts, not the names of its members.
func Words(space int32, kind record.Kind, content []byte) []int64 {
	return numbers(space, wordsOf(searchable(kind, content), maxWords))
}

// asked are the words of a query.
func asked(space int32, query string) []int64 {
	return numbers(space, wordsOf(query, maxAsked))
}

// searchable is the text of a content.
func searchable(kind record.Kind, content []byte) string {
	if _, ok := cluster.ClaimOf(kind, content); !ok {
		return string(content)
	}
	var b strings.Builder
	for _, value := range ijson.View(content).Members() {
		if text, ok := value.Text(); ok {
			b.WriteString(text)
		} else {
			b.Write(value.Raw())
		}
		b.WriteByte(' ')
	}
	return b.String()
}

// wordsOf are the first words of a text, in NFKC and lower case: runs of letters,
// digits and marks. Scripts that are written without spaces give a word for each
// character.
func wordsOf(text string, most int) []string {
	var words []string
	seen := map[string]bool{}
	take := func(w string) {
		if w != "" && !seen[w] && len(words) < most {
			seen[w] = true
			words = append(words, w)
		}
	}
	text = strings.ToLower(norm.NFKC.String(text))
	start := -1
	for i, r := range text {
		alone := unicode.In(r, unspaced...)
		inside := !alone && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
		if inside && start < 0 {
			start = i
		}
		if !inside && start >= 0 {
			take(text[start:i])
			start = -1
		}
		if alone {
			take(string(r))
		}
		if len(words) >= most {
			return words
		}
	}
	if start >= 0 {
		take(text[start:])
	}
	return words
}

// unspaced are scripts that put no spaces between words.
var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

// numbers makes numbers of words. The space goes in, so that one index serves all
// spaces and finds no word of another; and a number does not show its word.
func numbers(space int32, words []string) []int64 {
	out := make([]int64, 0, len(words))
	var buffer []byte
	for _, w := range words {
		buffer = append(binary.BigEndian.AppendUint32(buffer[:0], uint32(space)), w...)
		sum := sha256.Sum256(buffer)
		out = append(out, int64(binary.BigEndian.Uint64(sum[:8])))
	}
	slices.Sort(out)
	return slices.Compact(out)
}
