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
	active := slices.Concat(tokens[by+1:end], tokens[verb:verb+1], tokens[:verb], tokens[verb+1:by], tokens[end:])
	active[end-by-1].finished = false
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
func (r *reader) attributive(n int) bool {
	at, noun := r.at+n, len(r.out.tokens)-1
	if at >= len(r.words) || noun < 0 || r.out.tokens[noun].kind != plain || r.negate {
		return false
	}
	w := r.words[at]
	last := at == len(r.words)-1
	if !w.comma && !last && !r.isBeing(at+1) && !r.isBeing(at+2) || !lexicon.MaybeAdjective(w.fold) {
		return false
	}
	t := classify(w)
	head := &r.out.tokens[noun]
	head.comma, t.comma = w.comma && last, false
	r.out.tokens = slices.Insert(r.out.tokens, noun, t)
	r.at++
	return true
}

func (r *reader) isBeing(at int) bool {
	if at >= len(r.words) {
		return false
	}
	_, ok := lexicon.In(lexicon.Being, r.words[at].fold)
	return ok
}
