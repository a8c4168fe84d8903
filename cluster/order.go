package cluster

import "strings"

// Written is the name of the order in which a text is written, but for what changes no
// role: adverbs, owners, attributes, what "and" joins.
const Written = "written"

// The names of an order that a passive gives; those of [constructions] are theirs.
const (
	orderActive = "activeVoice" // of "is played by a man", "a man plays"
	orderAgent  = "agent"       // the same, with more words taken for the agent
)

// ordering is the tokens of a text in an order, and the name of what gives it.
type ordering struct {
	name   string
	tokens []token
}

// Order is the order of a text's words in which it was compared.
type Order struct {
	// Name is [Written], or that of the construction that the text was read by
	// (docs/clustering.md).
	Name string `json:"name"`
	// Words are those that count, in this order, with the quantifiers and negations that
	// act on each before it.
	Words string `json:"words"`
}

// Orders are the orders of two texts that [Judge] goes by. A text that may be read in
// several is read in the first that lets the pair join.
func Orders(a, b *Reading) (first, second Order) {
	p := judged(a, b)
	first, second = p.a.named(p.orderA), p.b.named(p.orderB)
	if p.a != a {
		return second, first
	}
	return first, second
}

// named is an order by its number.
func (r *Reading) named(n int) Order {
	name := r.plain
	if n > 0 {
		name = r.others[n-1].name
	}
	var words []string
	for _, t := range r.order(n) {
		words = append(words, t.marks...)
		if t.negated {
			words = append(words, "not")
		}
		words = append(words, t.shown())
	}
	return Order{name, strings.Join(words, " ")}
}
