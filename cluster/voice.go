package cluster

import (
	"slices"
	"strings"

	"consilience/cluster/lexicon"
)

// activeVoice turns "the guitar is played by a man" into the order of "a man plays
// the guitar", so that roles can be compared by their order: what stands before the
// participle and the agent, which stands after "by", change places.
func activeVoice(tokens []token) []token {
	by := slices.IndexFunc(tokens, func(t token) bool { return t.kind == relation && t.sense == "by" })
	verb := -1
	for i := range max(by, 0) {
		if tokens[i].participle {
			verb = i
		}
	}
	if verb < 1 || by == len(tokens)-1 {
		return tokens
	}
	end := by + 1
	for end < len(tokens) && tokens[end].kind != relation && !tokens[end-1].comma {
		end++
	}
	from, to := verb, verb+1
	if verb > 1 && strings.HasSuffix(tokens[verb-1].text, "ly") {
		from--
	}
	if to < by && tokens[to].kind == relation && to+1 == by {
		to++
	}
	active := slices.Concat(tokens[by+1:end], tokens[from:to], tokens[:from], tokens[to:by], tokens[end:])
	active[end-by-1+verb-from].finished = false
	return active
}

// adverbsFirst puts an adverb in "-ly" before the verb that it follows: "runs
// quickly" and "quickly runs" say the same.
func adverbsFirst(tokens []token) []token {
	for i := 1; i < len(tokens); i++ {
		verb, adverb := tokens[i-1], tokens[i]
		if adverb.kind == plain && verb.kind == plain && strings.HasSuffix(adverb.text, "ly") && !verb.comma &&
			lexicon.MaybeVerb(verb.text) && !adverb.negated && !verb.negated {
			tokens[i-1], tokens[i] = adverb, verb
		}
	}
	return tokens
}

// attributive reads the clause "which is small" after a noun and puts its word
// before the noun, if that word is all that the clause holds.
func (r *reader) attributive(n int) {
	at, noun := r.at+n, len(r.out.tokens)-1
	if at >= len(r.words) || noun < 0 || r.out.tokens[noun].kind != plain || r.negate {
		return
	}
	w := r.words[at]
	last := at == len(r.words)-1
	if !w.comma && !last && !r.isBeing(at+1) && !r.isBeing(at+2) || !lexicon.MaybeAdjective(w.fold) {
		return
	}
	t := classify(w)
	head := &r.out.tokens[noun]
	head.comma, t.comma = w.comma && last, false
	r.out.tokens = slices.Insert(r.out.tokens, noun, t)
	r.at++
}

func (r *reader) isBeing(at int) bool {
	if at >= len(r.words) {
		return false
	}
	_, ok := lexicon.In(lexicon.Being, r.words[at].fold)
	return ok
}

// join notes that "and" follows the last token.
func (r *reader) join(w word) {
	if n := len(r.out.tokens); n > 0 && w.fold == "and" {
		r.out.tokens[n-1].and = true
	}
}

// conjunctsSorted puts two single words that "and" joins into one order: "cats and
// dogs" is "dogs and cats". A word with another before it that may modify it stays.
func conjunctsSorted(tokens []token) []token {
	for i := 1; i < len(tokens); i++ {
		a, b := &tokens[i-1], &tokens[i]
		if a.and && a.bare && b.bare && !a.comma && a.kind == b.kind && (a.kind == plain || a.kind == name) &&
			!a.negated && !b.negated && !b.and && (i < 2 || !tokens[i-2].and) && a.text > b.text {
			*a, *b = *b, *a
			a.and, b.and = true, false
			a.comma, b.comma = false, a.comma
		}
	}
	return tokens
}
