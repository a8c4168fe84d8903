package cluster

import (
	"slices"
	"strings"

	"consilience/cluster/lexicon"
)

func tooLong(p *pair) string {
	if p.a.long || p.b.long {
		return "over the length that is compared"
	}
	return ""
}

// differ describes two sides of a difference.
func differ(a, b []string) string {
	return "«" + strings.Join(a, " ") + "» «" + strings.Join(b, " ") + "»"
}

// quantity compares how many, without a number, and of what: "all cats see some dogs"
// is not "some cats see all dogs". "Some" says no more than naming a thing does while
// something is going on, "some dogs are running", but less than "the dogs" does.
func quantity(p *pair) string {
	void := ""
	if p.a.episode && p.b.episode {
		void = "some"
	}
	if found := sets(without(p.a.quantifiers, void), without(p.b.quantifiers, void)); found != "" {
		return found
	}
	if len(marks(p.al.a))+len(marks(p.al.b)) == 0 {
		return ""
	}
	al := p.aligned()
	for _, m := range al.matches {
		x, y := al.a[m.a:m.a+m.lenA], al.b[m.b:m.b+m.lenB]
		a, b := marks(x), marks(y)
		if found := sets(without(a, void), without(b, void)); found != "" {
			return found
		}
		if x[0].definite != y[0].definite && !slices.Equal(a, b) && several(al.a[m.a:]) {
			return differ(texts(x), texts(y))
		}
	}
	return ""
}

// several reports that the phrase that tokens begin with has a plural.
func several(tokens []token) bool {
	for i, t := range tokens {
		if i > 0 && t.bare {
			return false
		}
		if lexicon.Plural(t.text) {
			return true
		}
	}
	return false
}

// marks are the senses before the tokens of a run, ascending.
func marks(run []token) []string {
	var all []string
	for _, t := range run {
		all = append(all, t.marks...)
	}
	slices.Sort(all)
	return all
}

func without(senses []string, one string) []string {
	return slices.DeleteFunc(slices.Clone(senses), func(s string) bool { return s == one })
}

// sets compares sorted senses.
func sets(a, b []string) string {
	if slices.Equal(slices.Compact(slices.Clone(a)), slices.Compact(slices.Clone(b))) {
		return ""
	}
	return differ(a, b)
}

// differing refuses tokens of some kinds that one text has and the other has not.
func differing(kinds ...kind) func(*pair) string {
	var any uint16
	for _, k := range kinds {
		any |= 1 << k
	}
	return func(p *pair) string {
		if (p.a.kinds|p.b.kinds)&any == 0 {
			return ""
		}
		a, b := unmatched(p.al.a, p.al.b, kinds), unmatched(p.al.b, p.al.a, kinds)
		if len(a)+len(b) == 0 {
			return ""
		}
		return differ(a, b)
	}
}

// unmatched returns the tokens of some kinds that the other text lacks, counted.
func unmatched(tokens, others []token, kinds []kind) []string {
	type key struct {
		kind  kind
		sense string
	}
	of := func(t token) key {
		if t.kind == name {
			return key{plain, t.sense} // a name may begin a sentence as a word
		}
		return key{t.kind, t.sense}
	}
	have := map[key]int{}
	for _, t := range others {
		have[of(t)]++
	}
	var left []string
	for _, t := range tokens {
		if !slices.Contains(kinds, t.kind) {
			continue
		}
		if have[of(t)]--; have[of(t)] < 0 {
			left = append(left, t.shown())
		}
	}
	return left
}

// plural refuses one thing against several: "a server" and "servers", "a person" and
// "men". A verb's "-s" goes with its subject, except after "do".
func plural(p *pair) string {
	if p.a.supported || p.b.supported {
		return ""
	}
	al := p.aligned()
	for _, m := range al.matches {
		if m.like < synonym || m.lenA+m.lenB > 2 {
			continue
		}
		if a, b := al.a[m.a], al.b[m.b]; pluralOf(a, b, m.like) || pluralOf(b, a, m.like) {
			return differ([]string{a.text}, []string{b.text})
		}
	}
	return ""
}

func pluralOf(many, one token, like likeness) bool {
	switch {
	case many.kind != plain || one.kind != plain || many.uncounted || one.uncounted:
		return false
	case like == synonym:
		return lexicon.Plural(many.text) && lexicon.Singular(one.text)
	}
	return many.text != one.text && strings.HasSuffix(many.text, "s") && slices.Contains(many.bases, one.text) && !alsoOne(many, one)
}

// alsoOne reports a word in "-s" that the dictionary has as a synonym of the one
// without: "woods" and "wood".
func alsoOne(many, one token) bool {
	return sensesOf(many.text).Synonyms(sensesOf(one.text))
}

func sensesOf(word string) lexicon.Senses { return lexicon.SensesOf(entries([]string{word})) }

// tense refuses a text in the past against one that is not.
func tense(p *pair) string {
	if p.a.past != p.b.past {
		return "only one is set in the past"
	}
	al := p.aligned()
	for _, m := range al.matches {
		if m.like == same && m.lenA == 1 && m.lenB == 1 && al.a[m.a].finished != al.b[m.b].finished {
			return differ(texts(al.a[m.a:m.a+1]), texts(al.b[m.b:m.b+1]))
		}
	}
	return ""
}

// order refuses texts that name the same in another order: what is left on both
// sides is the same.
func order(p *pair) string {
	al := p.aligned()
	a, b := al.leftA, slices.Clone(al.leftB)
	var moved []string
	for _, i := range a {
		at := slices.IndexFunc(b, func(j int) bool { return alikeTokens(al.a[i], al.b[j], al.x.single[i], al.y.single[j]) >= synonym })
		if at >= 0 {
			moved = append(moved, al.a[i].shown())
			b = slices.Delete(b, at, at+1)
		}
	}
	if len(moved) == 0 {
		return ""
	}
	return "moved: " + strings.Join(moved, " ")
}

// relations refuses another relation, or one more.
func relations(p *pair) string {
	al := p.aligned()
	a, b := left(al.a, al.leftA, relation), left(al.b, al.leftB, relation)
	if len(a)+len(b) == 0 {
		return ""
	}
	return differ(a, b)
}

func left(tokens []token, at []int, k kind) []string {
	var out []string
	for _, i := range at {
		if tokens[i].kind == k {
			out = append(out, tokens[i].text)
		}
	}
	return out
}

// substitution refuses words on both sides that nothing says mean the same.
func substitution(p *pair) string {
	al := p.aligned()
	if len(al.leftA) == 0 || len(al.leftB) == 0 {
		return ""
	}
	return differ(pick(al.a, al.leftA), pick(al.b, al.leftB))
}

// addition refuses a text that says all that the other says, and more.
func addition(p *pair) string {
	al := p.aligned()
	if (len(al.leftA) == 0) == (len(al.leftB) == 0) {
		return ""
	}
	return differ(pick(al.a, al.leftA), pick(al.b, al.leftB))
}

func pick(tokens []token, at []int) []string {
	var out []string
	for _, i := range at {
		out = append(out, tokens[i].shown())
	}
	return out
}

// polarity refuses a statement against its denial. Two negations in one place
// cancel; so do a negation and an antonym: "not impolite" is "polite". But what a
// negating prefix means only a dictionary can tell: "invaluable" is not "not valuable".
func polarity(p *pair) string {
	al := p.aligned()
	for _, m := range al.matches {
		odd := negated(al.a[m.a:m.a+m.lenA]) != negated(al.b[m.b:m.b+m.lenB])
		if odd != (m.like == opposite) || m.like == contrary {
			return differ(pick(al.a, []int{m.a}), pick(al.b, []int{m.b}))
		}
	}
	if p.a.loose != p.b.loose {
		return "only one ends in a negation"
	}
	return ""
}

func negated(run []token) bool {
	odd := false
	for _, t := range run {
		odd = odd != t.negated
	}
	return odd
}

// differsByNegation reports that what the two differ in is a negation or a negating
// prefix, and no word and its antonym.
func (p *pair) differsByNegation() bool {
	al := p.aligned()
	for _, m := range al.matches {
		a, b := al.a[m.a], al.b[m.b]
		if m.like <= opposite && (a.negated != b.negated || m.lenA+m.lenB > 2 || !prefixed(a, b)) {
			return false
		}
	}
	return true
}

// articleOne takes the word "one" for an article where the other text has no such
// number: "one man" is "a man".
func articleOne(tokens, others []token) []token {
	if !slices.ContainsFunc(tokens, token.one) || slices.ContainsFunc(others, token.one) {
		return tokens
	}
	return slices.DeleteFunc(slices.Clone(tokens), token.one)
}
