package cluster

import (
	"slices"
	"strings"

	"consilience/cluster/lexicon"
)

// likeness says why two tokens are taken for each other; a greater one is better.
type likeness int

const (
	unlike   likeness = 0
	contrary likeness = 3 // one is the other with a negating prefix, and no dictionary says what it means
	opposite likeness = 4 // antonyms
	synonym  likeness = 5
	same     likeness = 7
)

// match is a run of tokens of one text that stands for a run of the other's.
type match struct {
	a, b       int // first tokens
	lenA, lenB int // one or two
	like       likeness
}

// alignment is which tokens of two texts stand for each other, in the order of
// both, and what is left.
type alignment struct {
	a, b         []token
	x, y         side
	matches      []match
	leftA, leftB []int
}

// spans are the runs that may stand for each other: a word and a word, a phrase of
// two and a word, two phrases.
var spans = [][2]int{{1, 1}, {2, 1}, {1, 2}, {2, 2}}

// side is one text under alignment, with what its runs mean to the dictionary.
type side struct {
	tokens  []token
	single  []lexicon.Senses // of each plain token
	phrases []lexicon.Senses // of each token and the next
}

func newSide(tokens []token) side {
	s := side{tokens, make([]lexicon.Senses, len(tokens)), make([]lexicon.Senses, len(tokens))}
	for i, t := range tokens {
		if t.kind == plain {
			s.single[i] = lexicon.SensesOf(t.words())
		}
	}
	for i := range len(tokens) - 1 {
		// A phrase of a word that is none by itself, "ad hoc", stands for itself: so
		// says the signature.
		if isPhrase(tokens[i:i+2]) && !s.single[i].None() && (tokens[i+1].kind == relation || !s.single[i+1].None()) {
			s.phrases[i] = lexicon.SensesOf(entries(phrases(tokens[i : i+2])))
		}
	}
	return s
}

// Ready looks up what the text may mean, in all its orders. [Judge] does it where it was
// not done before.
func (r *Reading) Ready() {
	if r.sides != nil {
		return
	}
	r.sides = append(r.sides, newSide(r.tokens))
	for _, o := range r.others {
		r.sides = append(r.sides, newSide(o.tokens))
	}
}

// over is the side of tokens: this one, if it is of them.
func (s side) over(tokens []token) side {
	if len(s.tokens) == len(tokens) && len(tokens) > 0 && &s.tokens[0] == &tokens[0] {
		return s
	}
	return newSide(tokens)
}

// meaning is what a run of tokens may mean.
func (s side) meaning(at, n int) lexicon.Senses {
	if n == 1 {
		return s.single[at]
	}
	return s.phrases[at]
}

// align finds the alignment of most likeness, by dynamic programming from the end.
func align(x, y side) alignment {
	width := len(y.tokens) + 1
	best := make([]likeness, (len(x.tokens)+1)*width)
	step := make([]match, (len(x.tokens)+1)*width)
	for i := len(x.tokens) - 1; i >= 0; i-- {
		for j := len(y.tokens) - 1; j >= 0; j-- {
			best[i*width+j], step[i*width+j] = bestStep(x, y, i, j, best, width)
		}
	}
	return follow(x, y, step, width)
}

func bestStep(x, y side, i, j int, best []likeness, width int) (likeness, match) {
	most, chosen := best[(i+1)*width+j], match{lenA: 1}
	if skip := best[i*width+j+1]; skip > most {
		most, chosen = skip, match{lenB: 1}
	}
	for _, s := range spans {
		if i+s[0] > len(x.tokens) || j+s[1] > len(y.tokens) {
			continue
		}
		like := alike(x, y, i, j, s)
		total := best[(i+s[0])*width+j+s[1]] + like*likeness(s[0]+s[1])
		if like > unlike && total > most {
			most, chosen = total, match{i, j, s[0], s[1], like}
		}
	}
	return most, chosen
}

func follow(x, y side, step []match, width int) alignment {
	a, b := x.tokens, y.tokens
	al := alignment{a: a, b: b, x: x, y: y}
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		m := step[i*width+j]
		switch {
		case m.like > unlike:
			al.matches = append(al.matches, m)
		case m.lenA > 0:
			al.leftA = append(al.leftA, i)
		default:
			al.leftB = append(al.leftB, j)
		}
		i, j = i+m.lenA, j+m.lenB
	}
	for ; i < len(a); i++ {
		al.leftA = append(al.leftA, i)
	}
	for ; j < len(b); j++ {
		al.leftB = append(al.leftB, j)
	}
	return al
}

// lost reports that of what is left of a text in one order something is in its other
// order, too, and like nothing there is in the text compared with it.
func lost(left []int, plain []token, own, others side) bool {
	for _, i := range left {
		t := plain[i]
		at := slices.IndexFunc(own.tokens, func(o token) bool { return o.kind == t.kind && o.sense == t.sense })
		if at >= 0 && !own.phrased(at) && !others.have(own, at) {
			return true
		}
	}
	return false
}

// phrased reports that a token is a part of a phrase.
func (s side) phrased(at int) bool {
	return !s.phrases[at].None() || at > 0 && !s.phrases[at-1].None()
}

// have reports that something is like another text's token.
func (s side) have(own side, at int) bool {
	for j := range s.tokens {
		if alikeTokens(own.tokens[at], s.tokens[j], own.single[at], s.single[j]) > unlike || s.phrased(j) {
			return true
		}
	}
	return false
}

// alike compares two runs of tokens.
func alike(x, y side, i, j int, span [2]int) likeness {
	if span == [2]int{1, 1} {
		return alikeTokens(x.tokens[i], y.tokens[j], x.single[i], y.single[j])
	}
	a, b := x.tokens[i:i+span[0]], y.tokens[j:j+span[1]]
	if span == [2]int{2, 1} && isPlace(a, b[0]) || span == [2]int{1, 2} && isPlace(b, a[0]) {
		return same
	}
	if span[0] != span[1] && written(a) == written(b) && isPhrase(a) && isPhrase(b) && joined(a) == joined(b) && known(a) && known(b) {
		return same
	}
	if x.meaning(i, span[0]).Synonyms(y.meaning(j, span[1])) {
		return synonym
	}
	return unlike
}

// known reports a run of which the dictionary has every word: others stand for
// themselves only, as in [Reading.Signature].
func known(run []token) bool {
	return !slices.ContainsFunc(run, func(t token) bool { return len(t.known) == 0 && t.kind == plain })
}

// isPlace reports "on a stage" against "onstage": a relation and a noun that the
// dictionary has as one word.
func isPlace(run []token, whole token) bool {
	where, what := run[0], run[1]
	return where.kind == relation && what.kind == plain && whole.kind == plain && !what.definite &&
		where.text+what.text == whole.text && len(what.known) > 0 && len(whole.known) > 0
}

// written is how long a run is, written as one word.
func written(run []token) (n int) {
	for _, t := range run {
		n += len(t.text)
	}
	return n
}

// joined is a run written as one word: "web site" is "website".
func joined(run []token) string {
	if len(run) == 1 {
		return run[0].text
	}
	return run[0].text + run[1].text
}

func alikeTokens(a, b token, sensesA, sensesB lexicon.Senses) likeness {
	if apart(a, b) || apart(b, a) {
		return unlike
	}
	if a.sense == b.sense && (a.kind == b.kind || a.kind+b.kind == plain+name) {
		return same
	}
	if a.kind != plain || b.kind != plain {
		return unlike
	}
	switch {
	case meet(a.bases, b.bases, func(x, y string) bool { return x == y }):
		return same
	case sensesA.Antonyms(sensesB):
		return opposite
	case prefixed(a, b):
		return contrary
	case sensesA.Synonyms(sensesB):
		return synonym
	}
	return unlike
}

// apart reports what another order of a text may not be taken for: a request for
// customers for a customer's, a clause for one about another noun, what goes on for what
// is done.
func apart(other, text token) bool {
	return other.uncounted && text.owner || other.conjunct && !text.begins() || other.agentless && !text.undergone
}

// begins reports a word that may follow "and": no clause about the noun before it.
func (t token) begins() bool { return t.conjunct || t.bare && !t.relative }

// prefixed reports that a word is the other with a negating prefix.
func prefixed(a, b token) bool {
	return meet(a.bases, b.bases, func(x, y string) bool { return lexicon.Negated(x, y) || lexicon.Negated(y, x) })
}

func meet[T any](a, b []T, related func(x, y T) bool) bool {
	for _, x := range a {
		for _, y := range b {
			if related(x, y) {
				return true
			}
		}
	}
	return false
}

// isPhrase reports a word, or two of which the second may be a particle: "chop up".
func isPhrase(run []token) bool {
	last := run[len(run)-1]
	return run[0].kind == plain && (last.kind == plain || len(run) == 2 && last.kind == relation && !strings.Contains(last.text, " "))
}

func texts(run []token) []string {
	var out []string
	for _, t := range run {
		out = append(out, t.shown())
	}
	return out
}

// phrases are the ways to look a run up: its words or their base forms, joined.
func phrases(run []token) []string {
	out := []string{""}
	for i, t := range run {
		var longer []string
		for _, head := range out {
			for _, b := range t.forms() {
				if i > 0 {
					b = head + "_" + b
				}
				longer = append(longer, b)
			}
		}
		out = longer
	}
	return out
}
