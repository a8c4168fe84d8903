package cluster

import (
	"slices"

	"consilience/cluster/lexicon"
)

// attributive reads the clause "which is small" after a noun and puts its one or two
// words before the noun, if they are all that the clause holds.
func (r *reader) attributive(n int) bool {
	at, noun := r.at+n, len(r.out.tokens)-1
	if at < len(r.words) && lexicon.Is(lexicon.Degree, r.words[at].fold) {
		at++
	}
	if noun < 0 || r.out.tokens[noun].kind != plain || r.negate || !r.isAdjective(at) {
		return false
	}
	end := at + 1
	if r.isAdjective(at+2) && r.words[at+1].fold == "and" && !r.words[at].comma {
		end = at + 3
	}
	if w := r.words[end-1]; !w.comma && end < len(r.words) && !r.isBeing(end) && !r.isBeing(end+1) {
		return false
	}
	head := &r.out.tokens[noun]
	head.comma = r.words[end-1].comma
	var values []token
	for i := at; i < end; i += 2 {
		t := classify(r.words[i])
		t.comma, t.bare, t.and = false, true, i+1 < end
		values = append(values, t)
	}
	r.out.tokens = premodify(r.out.tokens, noun, values)
	r.at = end - n
	return true
}

func (r *reader) isAdjective(at int) bool {
	return at < len(r.words) && lexicon.MaybeAdjective(r.words[at].fold)
}

// premodify puts words before a noun and what belongs to it: a compound, or nouns
// before it.
func premodify(tokens []token, noun int, values []token) []token {
	at := start(tokens, noun)
	first := &tokens[at]
	v := &values[0]
	v.bare, first.bare = first.bare, false
	v.article, first.article = first.article, false
	v.definite, first.definite = first.definite, false
	v.marks, first.marks = first.marks, nil
	v.negated, first.negated = first.negated, false
	return slices.Insert(tokens, at, values...)
}

// start is where a compound noun begins.
func start(tokens []token, noun int) int {
	for noun > 0 && !tokens[noun].bare && tokens[noun-1].kind == plain && !tokens[noun-1].comma {
		if len(entries(phrases(tokens[noun-1:noun+1]))) == 0 && !tokens[noun-1].compounds() {
			break
		}
		noun--
	}
	return noun
}

// compounds reports a word that is a part of the compound that follows it and does not
// only describe it: a noun that an article shows to be one, or that can be nothing else.
func (t token) compounds() bool {
	return !lexicon.IsAdjective(t.text) && (t.article || !lexicon.MaybeAdjective(t.text) && !lexicon.MaybeVerb(t.text))
}

// described puts the values of attributes before the noun that has them: "a dog of
// large size" is "a large dog", "a blue colored wall" and "a wall painted blue" are
// "a blue wall".
func described(tokens []token) []token {
	for i := 1; i < len(tokens); i++ {
		if tokens[i-1].kind != plain {
			continue
		}
		if tokens[i-1].of {
			tokens = ofAttribute(tokens, i)
		} else if tokens[i].in(lexicon.Colored) && !tokens[i].predicate() {
			tokens = colored(tokens, i)
		}
	}
	return tokens
}

// ofAttribute reads values and the name of their attribute at i, after "of".
func ofAttribute(tokens []token, i int) []token {
	for end := i + 1; end < min(i+3, len(tokens)); end++ {
		if ends(tokens, end) && !slices.ContainsFunc(tokens[i:end], func(t token) bool { return !t.valueOf(tokens[end].words()) }) {
			return move(tokens, i-1, i, end, end+1)
		}
	}
	return tokens
}

// colored reads a participle at i that says no more than the color beside it.
func colored(tokens []token, i int) []token {
	color := entries([]string{"color"})
	if tokens[i-1].valueOf(color) {
		empty := tokens[i].text == "colored" || tokens[i].text == "coloured"
		if empty && !tokens[i].bare && i+1 < len(tokens) && !tokens[i+1].bare && tokens[i+1].kind == plain {
			return slices.Delete(tokens, i, i+1)
		}
		return tokens
	}
	from := i + 1
	if from < len(tokens) && tokens[from].kind == relation && tokens[from].sense == "in" {
		from++
	}
	end := from
	for end < min(from+2, len(tokens)) && tokens[end].valueOf(color) {
		if end++; ends(tokens, end-1) && !tokens[end-1].and {
			return move(tokens, i-1, from, end, end)
		}
	}
	return tokens
}

// move puts tokens[from:to] before a noun, and drops what is between the noun and
// end besides.
func move(tokens []token, noun, from, to, end int) []token {
	values := slices.Clone(tokens[from:to])
	if acted(tokens[noun+1 : end]) {
		return tokens
	}
	tokens[noun].comma, tokens[noun].of, values[len(values)-1].comma = tokens[end-1].comma, false, false
	return premodify(slices.Delete(tokens, noun+1, end), noun, values)
}

// ends reports that a noun phrase may end with a token.
func ends(tokens []token, i int) bool {
	return i == len(tokens)-1 || tokens[i].comma || tokens[i].of || tokens[i+1].bare || tokens[i+1].kind != plain
}

// valueOf reports a plain word that is a value of an attribute.
func (t token) valueOf(attribute []lexicon.Word) bool {
	return t.kind == plain && meet(attribute, t.words(), lexicon.ValueOf)
}

// predicate reports a participle that a form of "be" makes the statement itself: "is
// made of", and not "which is made of".
func (t token) predicate() bool { return t.participle && !t.relative }

// in reports a plain word of a closed class.
func (t token) in(c lexicon.Class) bool {
	return t.kind == plain && lexicon.Is(c, t.text)
}
