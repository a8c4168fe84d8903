package cluster

import (
	"slices"
	"strings"
)

// The checks of the gate: what two texts may not differ in if they are to be one
// item (merge.md, "Which item a record joins"). Each is a function of the two texts
// alone.
const (
	CheckLength       = "length"       // a text too long to compare
	CheckNumber       = "number"       // a number or a place in an order
	CheckUnit         = "unit"         // of measure
	CheckDate         = "date"         // month, weekday, calendar date, time
	CheckVersion      = "version"      // dotted digits
	CheckIdentifier   = "identifier"   // a code token
	CheckQuoted       = "quoted"       // words inside quotation marks
	CheckName         = "name"         // of a person, place or thing
	CheckQuantifier   = "quantifier"   // all, some, few, most, …
	CheckModality     = "modality"     // may, must, probably, usually, …
	CheckPlural       = "plural"       // one thing is not several
	CheckTense        = "tense"        // what was is not what is
	CheckOrder        = "order"        // the roles of what is named
	CheckRelation     = "relation"     // in, on, behind, with, or, …
	CheckSubstitution = "substitution" // words that are no synonyms
	CheckAddition     = "addition"     // one text says more
	CheckPolarity     = "polarity"     // one says what the other denies
)

// Finding is what a check says about a pair.
type Finding struct {
	Check string `json:"check"`
	// Against is what differs, "" if the check lets the pair pass.
	Against string `json:"against,omitempty"`
}

// checks in the order in which they name a refusal. Polarity is last: it makes two
// texts rivals if nothing else refuses them.
var checks = []struct {
	name  string
	check func(*pair) string
}{
	{CheckLength, tooLong},
	{CheckNumber, differing(numeral, ordinal)},
	{CheckUnit, differing(unit)},
	{CheckDate, differing(date)},
	{CheckVersion, differing(version)},
	{CheckIdentifier, differing(identifier)},
	{CheckQuoted, differing(quotation)},
	{CheckName, differing(name)},
	{CheckQuantifier, quantity},
	{CheckModality, func(p *pair) string { return sets(p.a.modals, p.b.modals) }},
	{CheckPlural, plural},
	{CheckTense, tense},
	{CheckOrder, order},
	{CheckRelation, relations},
	{CheckSubstitution, substitution},
	{CheckAddition, addition},
	{CheckPolarity, polarity},
}

// pair is two texts under comparison.
type pair struct {
	a, b           *Reading
	orderA, orderB int       // in which they are read
	al             alignment // of which the matches are made by aligned
	made           bool
}

// Judge compares two texts and returns [Join], [Rival] or the name of the first
// check that refuses them. It does not depend on which is given first. Where a text
// may be read in several orders, the first of them that lets the pair join counts.
func Judge(a, b *Reading) string {
	a, b = ordered(a, b)
	plain := newPair(a, b, 0, 0)
	first := plain.judge()
	if first == Join || first == Rival || !plain.made {
		return first // if it was refused before it was aligned, by what no order changes
	}
	for _, p := range otherPairs(a, b) {
		if !p.leaves(plain) {
			if v := p.judge(); v == Join || v == Rival {
				return v
			}
		}
	}
	return first
}

// leaves reports, for less than a judgement costs, that something has no counterpart
// in this order.
func (p *pair) leaves(plain *pair) bool {
	x, y := p.sides()
	if lost(plain.al.leftA, plain.al.a, x, y) || lost(plain.al.leftB, plain.al.b, y, x) {
		return true
	}
	al := p.aligned()
	return len(al.leftA)+len(al.leftB) > 0
}

func (p *pair) judge() string {
	for _, c := range checks {
		if c.check(p) != "" {
			return p.verdict(c.name)
		}
	}
	return Join
}

// verdict tells a rival from a related text.
func (p *pair) verdict(check string) string {
	if check == CheckPolarity && p.differsByNegation() {
		return Rival
	}
	return check
}

// Explain returns what every check says about a pair, in the reading that [Judge]
// goes by.
func Explain(a, b *Reading) []Finding {
	p := judged(a, b)
	var all []Finding
	for _, c := range checks {
		all = append(all, Finding{c.name, c.check(p)})
	}
	return all
}

// judged is the reading that [Judge] goes by.
func judged(a, b *Reading) *pair {
	verdict, all := Judge(a, b), pairs(a, b)
	for _, p := range all {
		if p.judge() == verdict {
			return p
		}
	}
	return all[0]
}

// pairs are the readings of two texts against each other, the plain one first.
func pairs(a, b *Reading) []*pair {
	a, b = ordered(a, b)
	return append([]*pair{newPair(a, b, 0, 0)}, otherPairs(a, b)...)
}

// ordered is two texts in the order that does not depend on which was given first.
func ordered(a, b *Reading) (first, second *Reading) {
	if slices.CompareFunc(a.tokens, b.tokens, func(x, y token) int { return strings.Compare(x.sense, y.sense) }) > 0 {
		return b, a
	}
	return a, b
}

// otherPairs are the readings in which one of the texts is in another order.
func otherPairs(a, b *Reading) []*pair {
	all := make([]*pair, 0, len(a.others)+len(b.others))
	for i := range a.others {
		all = append(all, newPair(a, b, i+1, 0))
	}
	for i := range b.others {
		all = append(all, newPair(a, b, 0, i+1))
	}
	return all
}

// newPair is two texts in one of their orders each, of which 0 is the plain one.
func newPair(a, b *Reading, orderA, orderB int) *pair {
	x, y := a.order(orderA), b.order(orderB)
	p := &pair{a: a, b: b, orderA: orderA, orderB: orderB}
	p.al.a, p.al.b = articleOne(x, y), articleOne(y, x)
	return p
}

// order is the tokens in an order.
func (r *Reading) order(n int) []token {
	if n == 0 {
		return r.tokens
	}
	return r.others[n-1].tokens
}

// sides gives the alignment its sides.
func (p *pair) sides() (x, y side) {
	if p.al.x.tokens == nil {
		p.a.Ready()
		p.b.Ready()
		p.al.x, p.al.y = p.a.sides[p.orderA].over(p.al.a), p.b.sides[p.orderB].over(p.al.b)
	}
	return p.al.x, p.al.y
}

// aligned is the alignment, made when a check first asks for it: the checks before
// need none, and refuse most pairs that are only alike.
func (p *pair) aligned() *alignment {
	if !p.made {
		p.made = true
		if !p.a.long && !p.b.long {
			p.al = align(p.sides())
		}
	}
	return &p.al
}
