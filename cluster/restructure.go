package cluster

import (
	"slices"
	"strings"

	"consilience/cluster/lexicon"
)

// constructions give the order of another construction that says the same, nil where a
// text has none of theirs.
var constructions = []struct {
	name string // as explanations have it
	give func([]token) []token
}{
	{"compounded", compounded},
	{"instrumental", instrumental},
	{"lacking", lacking},
	{"wornIn", wornIn},
	{"wornWith", wornWith},
	{"passive", passive},
	{"conjunctsSwapped", conjunctsSwapped},
	{"grouped", grouped},
}

// restructured are the other orders that a text allows because of its construction.
func restructured(tokens []token) (all []ordering) {
	for _, c := range constructions {
		if other := c.give(tokens); other != nil {
			all = append(all, ordering{c.name, other})
		}
	}
	return all
}

// compounded makes compounds of nouns and what they are for or made of: "a park built
// for skating" may be called "a skating park". A compound does not say which, so this
// is another order and not the one order of both: "a box for wood" is no "box made of
// wood", though either is "a wood box".
func compounded(tokens []token) []token {
	var out []token
	for i := 0; i+2 < len(tokens); i++ {
		from := purpose(tokens, i)
		if from == 0 {
			continue
		}
		end := from + 1
		if end < len(tokens) && !ends(tokens, from) {
			end++
		}
		if !ends(tokens, end-1) || slices.ContainsFunc(tokens[from:end], token.unkind) || acted(tokens[i+1:end]) {
			continue
		}
		tokens = compound(slices.Clone(tokens), i, from, end)
		out = tokens
	}
	return out
}

// compound puts tokens[from:end] before the noun at i.
func compound(tokens []token, i, from, end int) []token {
	kinds := slices.Clone(tokens[from:end])
	for k := range kinds {
		kinds[k].uncounted, kinds[k].comma = true, false
	}
	tokens[i].comma = tokens[end-1].comma
	return premodify(slices.Delete(tokens, i+1, end), i, kinds)
}

// unkind reports what cannot name a kind of thing: a name, code, an owner.
func (t token) unkind() bool { return t.kind != plain || t.owner }

// acted reports that a negation or a quantifier acts on tokens.
func acted(tokens []token) bool {
	return slices.ContainsFunc(tokens, func(t token) bool { return t.negated || len(t.marks) > 0 })
}

// purpose is where the words begin that say what the noun at i is for or made of, 0
// if none do.
func purpose(tokens []token, i int) int {
	noun, next, then := tokens[i], tokens[i+1], tokens[i+2]
	from := 0
	switch {
	case noun.kind != plain || noun.comma && !next.relative || noun.of || noun.and || next.predicate():
	case next.in(lexicon.Purpose) && then.is("for"), next.in(lexicon.Material) && then.is("from"):
		from = i + 3
	case next.in(lexicon.Material) && next.of, next.is("for") && noun.isThing(then):
		from = i + 2
	}
	if from >= len(tokens) {
		return 0
	}
	return from
}

// isThing reports a noun before "for" something: no verb, as in "waits for". What may be
// an action is not named by who it is for: "a customer request" is not "a request for
// customers".
func (t token) isThing(purpose token) bool {
	return !lexicon.MaybeVerb(t.text) || t.article && !slices.ContainsFunc(purpose.words(), lexicon.Acts)
}

// is reports a relation.
func (t token) is(sense string) bool { return t.kind == relation && t.sense == sense }

// instrumental reads "uses a knife to open a box" as "opens a box with a knife".
func instrumental(tokens []token) []token {
	use := slices.IndexFunc(tokens, func(t token) bool { return t.kind == plain && slices.Contains(t.bases, "use") })
	to := slices.IndexFunc(tokens, func(t token) bool { return t.is("to") })
	if use < 1 || to < use+2 || to+1 == len(tokens) || tokens[use].negated || acted(tokens[to:to+1]) || !nominal(tokens[use+1:to]) {
		return nil
	}
	end := to + 1 + slices.IndexFunc(tokens[to+1:], func(t token) bool { return t.comma }) + 1
	if end == to+1 {
		end = len(tokens)
	}
	tool, deed, with := slices.Clone(tokens[use+1:to]), slices.Clone(tokens[to+1:end]), tokens[to]
	if !lexicon.MaybeVerb(deed[0].text) || deed[0].article {
		return nil
	}
	deed[0].finished, deed[0].uncounted = tokens[use].finished, true // "uses to open": "opens"
	tool[len(tool)-1].comma, deed[len(deed)-1].comma = deed[len(deed)-1].comma, false
	with.text, with.sense = "with", "with"
	return slices.Concat(tokens[:use], deed, []token{with}, tool, tokens[end:])
}

// nominal reports words that may all belong to one noun phrase.
func nominal(tokens []token) bool {
	for i, t := range tokens {
		if t.kind != plain && t.kind != name && t.kind != identifier || t.comma || t.and || i > 0 && t.bare {
			return false
		}
	}
	return true
}

// lacking reads "a shirtless man" as "a man without a shirt".
func lacking(tokens []token) []token {
	i := slices.IndexFunc(tokens, token.lacks)
	if i < 0 {
		return nil
	}
	at := i + 1
	for at < len(tokens) && tokens[at].kind == plain && !tokens[at].bare && !tokens[at-1].comma {
		at++
	}
	with := token{kind: relation, text: "with", sense: "with", negated: !tokens[i].negated}
	noun := strings.TrimSuffix(tokens[i].text, "less")
	what := classify(word{text: noun, fold: noun})
	what.uncounted, what.comma = true, tokens[at-1].comma
	return slices.Concat(tokens[:i], tokens[i+1:at], []token{with, what}, tokens[at:])
}

// lacks reports a word that says what there is none of: "shirtless".
func (t token) lacks() bool {
	what, ok := strings.CutSuffix(t.text, "less")
	return ok && t.kind == plain && len(what) > 2 && lexicon.Singular(what)
}

// wornIn and wornWith read "a man wearing a hat" as "a man in a hat" or "with a hat".
func wornIn(tokens []token) []token   { return worn(tokens, "in") }
func wornWith(tokens []token) []token { return worn(tokens, "with") }

func worn(tokens []token, sense string) []token {
	i := slices.IndexFunc(tokens, func(t token) bool { return t.kind == plain && (t.text == "wearing" || t.text == "wears") })
	if i < 1 || i == len(tokens)-1 {
		return nil
	}
	out := slices.Clone(tokens)
	out[i] = token{kind: relation, text: sense, sense: sense, negated: tokens[i].negated, comma: tokens[i].comma, relative: tokens[i].relative}
	return out
}

// passive reads "someone is moving the disk" as "the disk is being moved".
func passive(tokens []token) []token {
	if len(tokens) < 3 || tokens[0].text != "someone" && tokens[0].text != "somebody" || tokens[0].negated || !tokens[1].ongoing() {
		return nil
	}
	end := 3
	for end < len(tokens) && tokens[end].kind != relation && !tokens[end-1].comma {
		end++
	}
	verb := tokens[1]
	verb.finished, verb.agentless, verb.comma = true, true, tokens[end-1].comma
	return slices.Concat(tokens[2:end], []token{verb}, tokens[end:])
}

// conjunctsSwapped puts the second of two things that are going on at once first:
// "is singing and playing a guitar". What is not going on may be done in that order.
func conjunctsSwapped(tokens []token) []token {
	second := slices.IndexFunc(tokens, func(t token) bool { return t.and }) + 1
	first := second - 1
	for first > 0 && !tokens[first].ongoing() {
		first--
	}
	if first < 1 || second == len(tokens) || !tokens[second].ongoing() || acted(tokens[first:]) {
		return nil
	}
	if slices.ContainsFunc(tokens[second:len(tokens)-1], func(t token) bool { return t.comma || t.and }) {
		return nil
	}
	return slices.Concat(tokens[:first], tokens[second:], tokens[first:second])
}

// ongoing reports a verb in "-ing" that begins a predicate.
func (t token) ongoing() bool {
	return t.kind == plain && t.bare && !t.article && strings.HasSuffix(t.text, "ing") && lexicon.MaybeVerb(t.text)
}

// grouped reads "a group of servers" as "some servers".
func grouped(tokens []token) []token {
	i := slices.IndexFunc(tokens, func(t token) bool { return t.of && t.text == "group" && t.kind == plain && t.article && !t.definite })
	if i < 0 || i+1 == len(tokens) || acted(tokens[i:i+2]) {
		return nil
	}
	out := slices.Delete(slices.Clone(tokens), i, i+1)
	out[i].marks = []string{"some"}
	return out
}
