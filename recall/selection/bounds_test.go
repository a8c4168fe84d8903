package selection_test

import (
	"strings"
	"testing"

	"consilience/projection"
	"consilience/reason"
	"consilience/recall/selection"
)

// Requests are bounded, and what is at a bound is a request.
func TestBounds(t *testing.T) {
	for _, raw := range []string{
		`{"min_confidence":999999,"query":{"text":"a"}}`, `{"max_age_ms":3162240000000,"query":{"text":"a"}}`,
		`{"max_bytes":524288,"query":{"text":"a"}}`, `{"max_objects":256,"query":{"text":"a"}}`,
		`{"query":{"text":"` + strings.Repeat("a", 4096) + `"}}`,
	} {
		if _, err := selection.ParseRequest([]byte(raw)); err != nil {
			t.Errorf("%.60s: %v", raw, err)
		}
	}
	for what, c := range map[string]struct {
		raw  string
		want reason.Code
	}{
		"range":    {`{"max_bytes":524289,"query":{"text":"a"}}`, reason.OutOfRange},
		"length":   {`{"query":{"text":"` + strings.Repeat("a", 4097) + `"}}`, reason.OutOfRange},
		"nothing":  {`{"query":{}}`, reason.Malformed},
		"unknown":  {`{"query":{"text":"a"},"x":1}`, reason.Malformed},
		"type":     {`{"query":{"text":1}}`, reason.Malformed},
		"zero":     {`{"max_bytes":0,"query":{"text":"a"}}`, reason.NotCanonical},
		"spelling": {`{"query": {"text":"a"}}`, reason.NotCanonical},
	} {
		if _, err := selection.ParseRequest([]byte(c.raw)); reason.Of(err) != c.want {
			t.Errorf("%s: %v, want %s", what, err, c.want)
		}
	}
	// A query that is made, and not read, is checked too.
	for _, q := range []selection.Query{{Text: "\xff"}, {Claim: &selection.ClaimKey{Subject: "\xff", Predicate: "a"}}} {
		if err := (selection.Request{Query: q}).Check(); reason.Of(err) != reason.Malformed {
			t.Errorf("%+v: %v", q, err)
		}
	}
	if _, err := (selection.ClaimKey{Subject: "\ufdd0", Predicate: "a"}).Claim(); reason.Of(err) != reason.ContentInvalid {
		t.Errorf("a key that no content has: %v", err)
	}
}

// P-19: a policy has every member, within the bounds of a request.
func TestPolicyBounds(t *testing.T) {
	good := selection.Resolve(selection.Request{Query: selection.Query{Text: "a"}}, setting)
	for what, c := range map[string]struct {
		change func(*selection.Policy)
		ok     bool
	}{
		"good":                     {func(*selection.Policy) {}, true},
		"as many candidates":       {func(p *selection.Policy) { p.MaxCandidates = p.MaxObjects }, true},
		"most candidates":          {func(p *selection.Policy) { p.MaxCandidates = projection.MaxEntries }, true},
		"too few candidates":       {func(p *selection.Policy) { p.MaxCandidates = p.MaxObjects - 1 }, false},
		"too many candidates":      {func(p *selection.Policy) { p.MaxCandidates = projection.MaxEntries + 1 }, false},
		"other version":            {func(p *selection.Policy) { p.Version = 2 }, false},
		"no matcher":               {func(p *selection.Policy) { p.Matcher = "" }, false},
		"no authority":             {func(p *selection.Policy) { p.Authority = "" }, false},
		"no order":                 {func(p *selection.Policy) { p.Order = "" }, false},
		"no bytes":                 {func(p *selection.Policy) { p.MaxBytes = 0 }, false},
		"no objects":               {func(p *selection.Policy) { p.MaxObjects = 0 }, false},
		"no query":                 {func(p *selection.Policy) { p.Query = selection.Query{} }, false},
		"more bytes than a reply":  {func(p *selection.Policy) { p.MaxBytes = selection.MaxBytes + 1 }, false},
		"more confidence than all": {func(p *selection.Policy) { p.MinConfidence = 1_000_000 }, false},
	} {
		p := good
		c.change(&p)
		if _, err := selection.ParsePolicy(p.Encode()); c.ok && err != nil || !c.ok && reason.Of(err) != reason.PolicyInvalid {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// As many candidates are looked at as the documentation says.
func TestCandidates(t *testing.T) {
	if got := selection.Resolve(selection.Request{}, setting).Matcher; got != setting.Matcher {
		t.Errorf("the policy names %s", got)
	}
	for authority, want := range map[string]int64{"": 28, selection.AnyTrust: 28, selection.TrustedOnly: 48} {
		if got := selection.Resolve(selection.Request{Authority: authority}, setting).MaxCandidates; got != want {
			t.Errorf("%s: %d", authority, got)
		}
	}
}
