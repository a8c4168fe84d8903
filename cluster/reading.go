package cluster

import (
	"crypto/sha256"
	"slices"
	"strings"

	"consilience/cluster/lexicon"
)

// MaxTokens is how many tokens of a text the gate compares; a longer text joins by
// its content only.
const MaxTokens = 64

// maxOthers is how many other orders of a text are tried, so that a text made to have
// many costs no more.
const maxOthers = 5

// Reading is a text as the gate sees it: the tokens that a fact can change by, in
// order, and what acts on the whole. It depends on the text alone. It is safe for
// concurrent use once [Reading.Ready] was called.
type Reading struct {
	tokens      []token
	plain       string     // the name of their order
	others      []ordering // the same in other orders that the text allows
	quantifiers []string   // senses, ascending
	modals      []string   // senses, ascending
	past        bool       // an auxiliary sets it in the past
	episode     bool       // something is going on: "is running"
	supported   bool       // "do" carries a verb's ending
	loose       int        // negations that act on no token
	negations   int
	long        bool
	hard        [sha256.Size]byte // of the tokens that stand for themselves only
	kinds       uint16            // a bit for each kind that a token is of
	sides       []side            // of the tokens and of the other orders, once they were asked for
}

// Read reads a text.
func Read(text string) *Reading {
	r := reader{words: cut(text), being: -2, genitive: -1}
	r.out.tokens = make([]token, 0, min(len(r.words), MaxTokens+1))
	next := r.next
	if !english(r.words) {
		next = r.verbatim
	}
	for r.at < len(r.words) && len(r.out.tokens) <= MaxTokens {
		next()
	}
	r.closeGenitive()
	if r.negate {
		r.out.loose++
	}
	r.out.long = len(r.out.tokens) > MaxTokens
	if n := len(r.words); n > 0 && r.words[n-1].question {
		r.out.modals = append(r.out.modals, "question")
	}
	r.out.tokens = adverbsFirst(conjunctsSorted(described(r.out.tokens)))
	orders := activeVoice(r.out.tokens)
	r.out.plain, r.out.tokens, r.out.others = orders[0].name, orders[0].tokens, orders[1:]
	r.out.others = append(r.out.others, restructured(r.out.tokens)...)
	r.out.others = r.out.others[:min(len(r.out.others), maxOthers)]
	slices.Sort(r.out.quantifiers)
	slices.Sort(r.out.modals)
	r.out.sign()
	for _, t := range r.out.tokens {
		r.out.kinds |= 1 << t.kind
	}
	return &r.out
}

// Signature tells texts apart that the gate never lets join: it is a hash over the
// numbers, dates, versions, identifiers and quotations of a text, in any order. The
// word "one" is left out: it may be an article. Words that the dictionary does not
// know are in: nothing else means the same.
func (r *Reading) Signature() [sha256.Size]byte { return r.hard }

func (r *Reading) sign() {
	var senses []string
	for _, t := range r.tokens {
		switch {
		case t.hard() && !t.one():
			senses = append(senses, string('a'+rune(t.kind))+t.sense)
		case (t.kind == plain || t.kind == name) && len(t.words()) == 0 && !lexicon.Negates(t.text) && !t.lacks():
			senses = append(senses, t.sense)
		}
	}
	slices.Sort(senses)
	r.hard = sha256.Sum256([]byte(strings.Join(senses, "\x00")))
}

// reader is a Reading being made.
type reader struct {
	words    []word
	at       int
	out      Reading
	negate   bool     // the next token is negated
	genitive int      // the token before "of" that belongs after the following phrase, -1 for none
	being    int      // the place after the last form of "be"
	marks    []string // quantifiers of the next token
	inPhrase bool     // the word before was a token that may modify the next
	passive  bool     // "being" was read: a participle follows
	article  bool     // an article was just read
	definite bool     // and was "the"
	relative bool     // so was "who", "which" or "that", perhaps with a form of "be"
}

// next reads a phrase of a closed class or a single word.
func (r *reader) next() {
	w := r.words[r.at]
	if n, entries := r.phrase(); n > 0 {
		for _, m := range entries {
			if r.take(m, n) {
				r.at += n
				return
			}
		}
	}
	r.at++
	for _, t := range r.measured(w) {
		r.push(t)
	}
}

// phrase looks for the longest phrase of a closed class at this place. Quoted words,
// and capitals inside a sentence but for "I", are names and no grammar.
func (r *reader) phrase() (int, []lexicon.Meaning) {
	var folded [lexicon.MaxPhrase]string
	n := 0
	for n < len(folded) && r.at+n < len(r.words) && r.words[r.at+n].grammar() {
		folded[n] = r.words[r.at+n].fold
		n++
		if r.words[r.at+n-1].comma {
			break
		}
	}
	if n == 0 && r.at < len(r.words) && !r.words[r.at].quoted {
		return calendar(r.words[r.at].fold)
	}
	return lexicon.Phrase(folded[:n])
}

// grammar reports that a word can belong to a closed class.
func (w word) grammar() bool {
	return !w.quoted && (!capital(w.text) || w.fold == "i" || w.first && !allCapitals(w.text))
}

func calendar(fold string) (int, []lexicon.Meaning) {
	if sense, ok := lexicon.In(lexicon.Calendar, fold); ok {
		return 1, []lexicon.Meaning{{Class: lexicon.Calendar, Sense: sense}}
	}
	return 0, nil
}

// take applies a meaning of n words, if it can be meant here.
func (r *reader) take(m lexicon.Meaning, n int) bool {
	w := r.words[r.at]
	last := r.words[r.at+n-1]
	switch m.Class {
	case lexicon.Article:
		if last.comma || r.at+1 == len(r.words) {
			return false
		}
		r.stopAt(last)
		r.article, r.definite = true, w.fold == "the"
	case lexicon.Existential:
		return r.existential()
	case lexicon.Dropped:
		r.openGenitive(w)
		r.out.supported = r.out.supported || w.fold == "do" || w.fold == "does"
		r.stopAt(last)
		r.link(w)
		r.relative = isRelative(w)
	case lexicon.Attributive:
		r.stopAt(last)
		r.relative = !r.attributive(n)
	case lexicon.Being:
		return r.auxiliary(w, last)
	case lexicon.Short:
		r.push(classify(word{text: m.Sense, fold: m.Sense, comma: last.comma}))
	case lexicon.Past:
		return r.auxiliary(w, last)
	case lexicon.Having:
		return w.fold != "having" && r.participleFollows() && r.perfect(w, last)
	case lexicon.Degree:
		return !r.negate && r.isAdjective(r.at+1)
	case lexicon.Negation:
		r.deny(m, last)
	case lexicon.Modal:
		r.out.modals = append(r.out.modals, m.Sense)
		if m.Sense == "only" {
			r.marks = append(r.marks, m.Sense)
		}
	case lexicon.Quantifier:
		r.out.quantifiers = append(r.out.quantifiers, m.Sense)
		r.marks = append(r.marks, m.Sense)
	case lexicon.Unit:
		return len(w.fold) > 2 && r.emit(unit, m.Sense, last)
	case lexicon.Calendar:
		return (capital(w.text) || len(m.Sense) > 5) && r.emit(date, m.Sense, last)
	case lexicon.Number:
		r.number(m.Sense, last)
	case lexicon.Ordinal:
		return r.emit(ordinal, m.Sense, last)
	case lexicon.Relation:
		return r.emit(relation, m.Sense, last)
	case lexicon.Pronoun:
		return r.emit(pronoun, m.Sense, last)
	case lexicon.Light:
		return r.at+1 < len(r.words) && startsWithDigit(r.words[r.at+1].fold)
	default:
		return false
	}
	return true
}

func startsWithDigit(s string) bool {
	return s != "" && (s[0] >= '0' && s[0] <= '9' || len(s) > 1 && s[0] == 'v' && digits(s[1:2]))
}

// auxiliary takes a form of "be", "have" or "do" and notes the past.
func (r *reader) auxiliary(w, last word) bool {
	if w.fold == "had" && !r.participleFollows() {
		return false
	}
	if _, past := lexicon.In(lexicon.Past, w.fold); past {
		r.out.past = true
		r.out.supported = r.out.supported || w.fold == "did"
	}
	if _, being := lexicon.In(lexicon.Being, w.fold); being {
		r.being = r.at + 1
		r.part()
		r.passive = r.passive || w.fold == "being"
	}
	r.stopAt(last)
	return true
}

// perfect takes "have" before a participle: what has been may be no more.
func (r *reader) perfect(w, last word) bool {
	r.out.modals = append(r.out.modals, "perfect")
	return r.auxiliary(w, last)
}

// existential takes "there" before a form of "be", or "there's".
func (r *reader) existential() bool {
	next := r.at + 1
	return r.isBeing(next) || next < len(r.words) && (r.words[next].fold == "'s" || r.words[next].fold == "not")
}

// participleFollows reports "have" and its forms before a participle or a negation:
// an auxiliary, not possession.
func (r *reader) participleFollows() bool {
	for _, w := range r.words[r.at+1 : min(r.at+3, len(r.words))] {
		if w.fold == "been" || strings.HasSuffix(w.fold, "ed") || len(lexicon.Bases(w.fold)) > 1 && strings.HasSuffix(w.fold, "n") && lexicon.MaybeVerb(w.fold) {
			return true
		}
	}
	return false
}

func (r *reader) deny(m lexicon.Meaning, last word) {
	r.out.negations++
	if n := len(r.out.tokens); n > 0 && m.Sense == "no" && r.out.tokens[n-1].is("with") && !r.negate {
		r.out.tokens[n-1].negated = !r.out.tokens[n-1].negated // "with no" is "without"
		return
	}
	r.negate = !r.negate
	switch m.Sense {
	case "without":
		r.emit(relation, "with", last)
	case "nobody":
		r.push(classify(word{text: "someone", fold: "someone", comma: last.comma}))
	case "nothing":
		r.emit(pronoun, "something", last)
	case "none":
		r.emit(pronoun, "some", last)
	}
}

func (r *reader) emit(k kind, sense string, last word) bool {
	r.push(token{kind: k, text: sense, sense: sense, comma: last.comma})
	return true
}

func (r *reader) push(t token) {
	if r.negate {
		t.negated, r.negate = true, false
	}
	t.marks, r.marks = r.marks, nil
	t.article, t.definite, r.article, r.definite = r.article, r.definite, false, false
	t.relative, r.relative = r.relative, false
	if t.kind != plain && t.kind != name {
		r.closeGenitive()
	}
	if t.kind == plain && r.at <= r.being+2 {
		t.participle, t.undergone = t.finished || r.passive, r.passive
		r.out.episode = r.out.episode || r.passive || strings.HasSuffix(t.text, "ing")
		r.passive = r.passive && strings.HasSuffix(t.text, "ly")
	}
	t.bare = r.at == 0 || !r.inPhrase
	r.inPhrase = t.kind == plain || t.kind == name
	r.out.tokens = append(r.out.tokens, t)
	if t.comma {
		r.closeGenitive()
	}
}

// stopAt keeps the comma of a word that is dropped.
func (r *reader) stopAt(w word) {
	r.inPhrase = false
	if r.genitive >= 0 && r.genitive < len(r.out.tokens)-1 {
		r.closeGenitive()
	}
	if n := len(r.out.tokens); n > 0 && w.comma {
		r.out.tokens[n-1].comma = true
	}
}
