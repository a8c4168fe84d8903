package cluster

import (
	"slices"
	"strings"

	"consilience/cluster/lexicon"
)

// activeVoice turns "the guitar is played by a man" into the order of "a man plays
// the guitar", so that roles can be compared by their order: what stands before the
// participle and the agent, which stands after "by", change places. Where the agent
// may end in several places, as in "by a man in a hat" or "by a man who wears a hat",
// the others are the longer ones.
func activeVoice(tokens []token) (orders []ordering) {
	by := slices.IndexFunc(tokens, func(t token) bool { return t.kind == relation && t.sense == "by" })
	verb := -1
	for i := range max(by, 0) {
		if tokens[i].participle {
			verb = i
		}
	}
	if verb < 1 || by == len(tokens)-1 {
		return []ordering{{Written, tokens}}
	}
	for end := by + 2; end <= len(tokens); end++ {
		closed := end == len(tokens) || tokens[end-1].comma
		if closed || tokens[end].kind == relation || tokens[end].clause() {
			orders = append(orders, ordering{orderAgent, active(tokens, verb, by, end)})
		}
		if closed || len(orders) == maxOrders {
			break
		}
	}
	orders[0].name = orderActive
	return orders
}

// maxOrders is how many ends of an agent are tried.
const maxOrders = 4

// active moves the agent, tokens by+1 to end, before the verb and what is before the
// verb after it. An adverb and a particle stay with the verb.
func active(tokens []token, verb, by, end int) []token {
	from, to := verb, verb+1
	if verb > 1 && strings.HasSuffix(tokens[verb-1].text, "ly") {
		from--
	}
	if to < by && tokens[to].kind == relation && to+1 == by {
		to++
	}
	out := slices.Concat(tokens[by+1:end], tokens[from:to], tokens[:from], tokens[to:by], tokens[end:])
	if end < len(tokens) && tokens[end].clause() {
		out[end-1].conjunct, out[end-1].relative = true, false // "the man wears a hat and pushes a bicycle"
	}
	out[end-by-1+verb-from].finished = false
	return out
}

// adverbsFirst puts an adverb in "-ly" before the verb that it follows: "runs
// quickly" and "quickly runs" say the same.
func adverbsFirst(tokens []token) []token {
	for i := 1; i < len(tokens); i++ {
		verb, adverb := tokens[i-1], tokens[i]
		if adverb.kind == plain && verb.kind == plain && strings.HasSuffix(adverb.text, "ly") && !verb.comma &&
			lexicon.MaybeVerb(verb.text) && !adverb.negated && !verb.negated && !isAction(tokens[i+1:]) {
			tokens[i-1], tokens[i] = adverb, verb
		}
	}
	return tokens
}

// isAction reports that tokens begin with a verb that an adverb before it belongs to.
func isAction(tokens []token) bool {
	return len(tokens) > 0 && tokens[0].kind == plain && (tokens[0].participle || tokens[0].finished || strings.HasSuffix(tokens[0].text, "ing"))
}

func (r *reader) isBeing(at int) bool {
	return at < len(r.words) && lexicon.Is(lexicon.Being, r.words[at].fold)
}

// link notes which small word follows the last token.
func (r *reader) link(w word) {
	n := len(r.out.tokens)
	if n == 0 {
		return
	}
	switch last := &r.out.tokens[n-1]; w.fold {
	case "and":
		last.and = true
	case "of":
		last.of = r.being != r.at // "is of"
	case "'s":
		last.owner = true
	}
}

// clause reports a verb that begins a clause about the noun before it: "who runs",
// "running".
func (t token) clause() bool {
	return t.relative || t.kind == plain && !t.bare && strings.HasSuffix(t.text, "ing") && lexicon.MaybeVerb(t.text)
}

func isRelative(w word) bool { return w.fold == "who" || w.fold == "which" || w.fold == "that" }

// part takes back that "and" joins two words: a verb of its own follows.
func (r *reader) part() {
	if n := len(r.out.tokens); n > 0 {
		r.out.tokens[n-1].and = false
	}
}

// openGenitive notes "the X of the": what follows belongs before X, as in "the
// camera's lens".
func (r *reader) openGenitive(w word) {
	n := len(r.out.tokens) - 1
	if w.fold != "of" || n < 0 || r.at < 2 || r.at+1 >= len(r.words) || r.words[r.at-2].fold != "the" || r.out.tokens[n].kind != plain {
		return
	}
	switch next := r.words[r.at+1]; next.fold {
	case "the", "a", "an", "some":
		r.genitive = n
	default:
		if capital(next.text) {
			r.genitive = n
		}
	}
}

// closeGenitive puts the possessed after its possessor.
func (r *reader) closeGenitive() {
	at, n := r.genitive, len(r.out.tokens)
	r.genitive = -1
	if at < 0 || at == n-1 {
		return
	}
	owned, owner := r.out.tokens[at], r.out.tokens[at+1:]
	owned.comma, owner[len(owner)-1].comma = owner[len(owner)-1].comma, false
	owner[0].bare, owned.bare = owned.bare, false
	copy(r.out.tokens[at:], owner)
	r.out.tokens[n-1] = owned
}

// conjunctsSorted puts two single words that "and" joins into one order: "cats and
// dogs" is "dogs and cats". A word with another before it that may modify it stays.
func conjunctsSorted(tokens []token) []token {
	for i := 1; i < len(tokens); i++ {
		a, b := &tokens[i-1], &tokens[i]
		if a.and && a.bare && b.bare && !a.comma && a.kind == b.kind && (a.kind == plain || a.kind == name) &&
			!a.negated && !b.negated && !b.and && (i < 2 || !tokens[i-2].and) && a.text > b.text && conjuncts(*a, *b, tokens[i+1:]) {
			*a, *b = *b, *a
			a.and, b.and = true, false
			a.comma, b.comma = false, a.comma
		}
	}
	return tokens
}

// conjuncts reports words that "and" may join as equals: two nouns, or two verbs
// without an object. It does not join the nouns of "plays the violin and sings".
func conjuncts(a, b token, rest []token) bool {
	for _, ending := range []string{"ing", "s", "ed"} {
		if strings.HasSuffix(b.text, ending) && lexicon.MaybeVerb(b.text) && !b.article {
			object := len(rest) > 0 && !b.comma && rest[0].kind != relation
			return strings.HasSuffix(a.text, ending) && (ending != "ing" || !object)
		}
	}
	return b.text != "has"
}
