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
	a, b *Reading
	al   alignment // of which the matches are made by aligned
	made bool
}

// Judge compares two texts and returns [Join], [Rival] or the name of the first
// check that refuses them. It does not depend on which is given first. Where a text
// may be read in several orders, the first of them that lets the pair join counts.
func Judge(a, b *Reading) string {
	all := pairs(a, b)
	first := all[0].judge()
	if first == Join || first == Rival {
		return first
	}
	for _, p := range all[1:] {
		if !p.leaves(all[0]) {
			if v := p.judge(); v == Join || v == Rival {
				return v
			}
		}
	}
	return first
}

// leaves reports, for less than a judgement costs, that something has no counterpart
// in this order. The plain order was refused: if before it was aligned, by what no order
// changes.
func (p *pair) leaves(plain *pair) bool {
	if !plain.made {
		return true
	}
	p.al.x, p.al.y = plain.al.x.over(p.al.a), plain.al.y.over(p.al.b)
	if lost(plain.al.leftA, plain.al.a, p.al.x, p.al.y) || lost(plain.al.leftB, plain.al.b, p.al.y, p.al.x) {
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
	verdict := Judge(a, b)
	p := pairs(a, b)[0]
	for _, q := range pairs(a, b) {
		if q.judge() == verdict {
			p = q
			break
		}
	}
	var all []Finding
	for _, c := range checks {
		all = append(all, Finding{c.name, c.check(p)})
	}
	return all
}

// pairs are the readings of two texts against each other, the plain one first.
func pairs(a, b *Reading) []*pair {
	if slices.CompareFunc(a.tokens, b.tokens, func(x, y token) int { return strings.Compare(x.sense, y.sense) }) > 0 {
		a, b = b, a
	}
	all := []*pair{newPair(a, b, a.tokens, b.tokens)}
	for _, other := range a.others {
		all = append(all, newPair(a, b, other, b.tokens))
	}
	for _, other := range b.others {
		all = append(all, newPair(a, b, a.tokens, other))
	}
	return all
}

func newPair(a, b *Reading, x, y []token) *pair {
	p := &pair{a: a, b: b}
	p.al.a, p.al.b = articleOne(x, y), articleOne(y, x)
	return p
}

// aligned is the alignment, made when a check first asks for it: the checks before
// need none, and refuse most pairs that are only alike.
func (p *pair) aligned() *alignment {
	if !p.made {
		p.made = true
		if !p.a.long && !p.b.long {
			p.al = align(p.al.x.over(p.al.a), p.al.y.over(p.al.b))
		}
	}
	return &p.al
}
