package cluster

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// word is a piece of a text between blanks, without the punctuation around it.
type word struct {
	text     string   // as written
	fold     string   // case-folded NFC
	bases    []string // base forms, once they were looked up
	first    bool     // begins a sentence
	quoted   bool     // lies inside quotation marks or backquotes
	comma    bool     // a comma or another stop follows
	end      bool     // a sentence ends after it
	question bool     // the sentence is a question
}

// quotes are the marks that open a quotation, with those that close it. The
// apostrophe is none: it is a letter of "isn't".
var quotes = map[rune]rune{'"': '"', '`': '`', '“': '”', '«': '»', '„': '“', '「': '」', '『': '』', '‹': '›'}

// closes is the mark that closes a quotation opened by r, 0 if r opens none.
func closes(r rune) rune {
	if r != '"' && r != '`' && r < utf8.RuneSelf {
		return 0
	}
	return quotes[r]
}

// Punctuation that is cut off a word. Other signs belong to it: "*p", "<b>" and
// "C++" are what they are.
const (
	leading  = "(¿¡'‘"
	trailing = ")'’" + stops
	stops    = ",;:.!?…。，、；：！？؟،؛"
)

// cut cuts a text into words. Cutting is by blanks, by dashes between blanks, and
// inside a run of letters where "n't", "'s" and their like begin.
func cut(text string) []word {
	fields := strings.Fields(norm.NFC.String(text))
	all := make([]word, 0, len(fields)+len(fields)/4)
	first, closing := true, rune(0)
	for _, field := range fields {
		core, quoted, next := unquote(field, closing)
		closing = next
		core = strings.TrimLeft(core, leading)
		bare := strings.TrimRight(core, trailing)
		tail := core[len(bare):]
		if bare == "" && strings.Trim(field, stops) == "" {
			all = stop(all, tail)
			first = first || strings.ContainsAny(tail, ".!?")
			continue
		}
		if bare == "" {
			bare, tail = field, ""
		}
		w := word{text: bare, first: first, quoted: quoted, comma: strings.ContainsAny(tail, ",;:.!?"), end: strings.ContainsAny(tail, ".!?;"), question: strings.ContainsAny(tail, "?？؟")}
		all = split(all, w)
		first = w.end
	}
	return all
}

// stop notes punctuation that stands alone on the word before it.
func stop(all []word, tail string) []word {
	if n := len(all); n > 0 && strings.ContainsAny(tail, ",;:.!?？؟") {
		all[n-1].question = strings.ContainsAny(tail, "?？؟")
		all[n-1].comma = true
		all[n-1].end = all[n-1].end || strings.ContainsAny(tail, ".!?;")
	}
	return all
}

// unquote takes the quotation marks off a field. closing is the mark that an open
// quotation waits for, 0 outside of one.
func unquote(field string, closing rune) (core string, quoted bool, next rune) {
	quoted = closing != 0
	if !quoted && !strings.ContainsFunc(field, func(r rune) bool { return closes(r) != 0 }) {
		return field, false, 0
	}
	var out strings.Builder
	for _, r := range field {
		switch {
		case closing != 0 && r == closing:
			closing = 0
		case closing == 0 && closes(r) != 0:
			closing, quoted = closes(r), true
		default:
			out.WriteRune(r)
		}
	}
	return out.String(), quoted, closing
}

// contractions are endings that are words of their own.
var contractions = []struct{ ending, word string }{
	{"n't", "not"}, {"n’t", "not"}, {"'s", "'s"}, {"’s", "'s"}, {"'re", "are"}, {"’re", "are"}, {"'m", "am"}, {"’m", "am"},
	{"'ll", "will"}, {"’ll", "will"}, {"'ve", "have"}, {"’ve", "have"}, {"'d", "would"}, {"’d", "would"},
}

// wholes are contracted words whose stem is not what they contract.
var wholes = map[string][]string{
	"cannot": {"can", "not"}, "can't": {"can", "not"}, "won't": {"will", "not"}, "shan't": {"shall", "not"}, "ain't": {"is", "not"},
	"gonna": {"going", "to"}, "wanna": {"want", "to"}, "gotta": {"have", "to"},
}

// split appends a word, cut if it is contracted or hyphenated.
func split(all []word, w word) []word {
	w.fold = foldCase(w.text)
	if w.quoted {
		return append(all, w)
	}
	apostrophe := strings.ContainsAny(w.fold, "'’")
	if parts, ok := wholes[straight(w.fold, apostrophe)]; ok {
		return append(all, pieces(w, parts)...)
	}
	for _, c := range contractions {
		if !apostrophe {
			break
		}
		stem, ok := strings.CutSuffix(w.fold, c.ending)
		if ok && stem != "" && len(w.text) == len(w.fold) {
			head := w
			head.text, head.fold, head.comma, head.end = w.text[:len(stem)], stem, false, false
			w.text, w.fold, w.first = c.word, c.word, false
			return append(split(all, head), w)
		}
	}
	if hyphenated(w.text) {
		return append(all, pieces(w, strings.Split(w.text, "-"))...)
	}
	return append(all, w)
}

// straight is a word with straight apostrophes.
func straight(word string, apostrophe bool) string {
	if !apostrophe {
		return word
	}
	return strings.ReplaceAll(word, "’", "'")
}

func pieces(w word, parts []string) []word {
	out := make([]word, len(parts))
	for i, p := range parts {
		out[i] = w
		out[i].text, out[i].fold = p, foldCase(p)
		out[i].first = w.first && i == 0
		out[i].comma, out[i].end = w.comma && i == len(parts)-1, w.end && i == len(parts)-1
	}
	return out
}

// hyphenated reports letters joined by single hyphens, as in "well-known"; with a
// digit it would be an identifier.
func hyphenated(s string) bool {
	if !strings.Contains(s, "-") || strings.HasPrefix(s, "-") || strings.HasSuffix(s, "-") || strings.Contains(s, "--") {
		return false
	}
	for _, r := range s {
		if r != '-' && !unicode.IsLetter(r) {
			return false
		}
	}
	return true
}

// capital reports that a word begins with a capital letter.
func capital(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r) || unicode.IsTitle(r)
}
