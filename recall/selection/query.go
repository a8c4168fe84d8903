package selection

import (
	"encoding/json"
	"unicode/utf8"

	"consilience/cluster"
	"consilience/reason"
	"consilience/record"
)

// MaxQuery bounds the text of a query, bytes.
const MaxQuery = 4096

// Query is what is looked for. Exactly one member is given.
type Query struct {
	// Text is looked for by its words: contents that share more and rarer words come first.
	Text string `json:"text,omitempty"`
	// Similar is looked for by its embedding under the space's own model.
	Similar string `json:"similar,omitempty"`
	// Claim is a claim key: what is said under it, whatever the value.
	Claim *ClaimKey `json:"claim,omitempty"`
}

// ClaimKey is the key of a claim (merge contract, rule 3). An absent scope is "".
type ClaimKey struct {
	Subject   string `json:"subject"`
	Predicate string `json:"predicate"`
	Scope     string `json:"scope,omitempty"`
}

// Claim is a claim of the key, as the merge reads one: folded, with the key's hash.
func (k ClaimKey) Claim() (cluster.Claim, error) {
	claim := map[string]any{"subject": k.Subject, "predicate": k.Predicate, "value": 0}
	if k.Scope != "" {
		claim["scope"] = k.Scope
	}
	text, err := json.Marshal(claim)
	if err != nil {
		return cluster.Claim{}, err
	}
	canonical, err := record.Canonical(record.Structured, text)
	if err != nil {
		return cluster.Claim{}, err
	}
	c, ok := cluster.ClaimOf(record.Structured, canonical)
	if !ok {
		return cluster.Claim{}, reason.New(reason.Malformed, "not the key of a claim").On("query.claim")
	}
	return c, nil
}

// equal compares what is looked for, not where it stands in memory.
func (q Query) equal(p Query) bool {
	if (q.Claim == nil) != (p.Claim == nil) || q.Claim != nil && *q.Claim != *p.Claim {
		return false
	}
	return q.Text == p.Text && q.Similar == p.Similar
}

func (q Query) check() error {
	given := 0
	texts := []string{q.Text, q.Similar}
	if q.Claim != nil {
		given++
		texts = append(texts, q.Claim.Subject+q.Claim.Predicate+q.Claim.Scope)
	}
	for i, text := range texts {
		if !utf8.ValidString(text) {
			return reason.New(reason.Malformed, "not UTF-8").On("query")
		}
		if len(text) > MaxQuery {
			return reason.New(reason.OutOfRange, "%d bytes, at most %d", len(text), MaxQuery).On("query")
		}
		if i < 2 && text != "" {
			given++
		}
	}
	if given != 1 {
		return reason.New(reason.Malformed, "a query is one of text, similar and claim").On("query")
	}
	return nil
}
