package selection_test

import (
	"slices"
	"strings"
	"testing"

	"consilience/cluster"
	"consilience/projection"
	"consilience/reason"
	"consilience/recall/selection"
	"consilience/record"
)

var setting = selection.Setting{Matcher: "claim-key-v1", NearZero: 50_000, Now: 1_800_000_000_000}

// resolve is Resolve by the matcher that looks for the query.
func resolve(r selection.Request) selection.Policy {
	s := setting
	if r.Query.Text != "" {
		s.Matcher = selection.MatcherWords
	} else if r.Query.Similar != "" {
		s.Matcher = selection.MatcherSimilar + "model"
	}
	return selection.Resolve(r, s)
}

func full() selection.Request {
	return selection.Request{
		Query: selection.Query{Claim: &selection.ClaimKey{Subject: "valve <1>", Predicate: "is", Scope: "plant"}}, MinConfidence: 500_000,
		Authority: selection.TrustedOnly, MaxAge: 1000, MaxBytes: 100, MaxObjects: 3, Order: selection.ByTime, Imitations: true, Tainted: true,
	}
}

// P-73: a request and its policy come back from their bytes, and from no others.
func TestOneEncoding(t *testing.T) {
	requests := []selection.Request{{Query: selection.Query{Text: "a"}}, {Query: selection.Query{Similar: "\u2028&"}}, full()}
	for _, r := range requests {
		raw := r.Encode()
		back, err := selection.ParseRequest(raw)
		if err != nil || string(back.Encode()) != string(raw) {
			t.Fatalf("%s: %v", raw, err)
		}
		p := resolve(r)
		parsed, err := selection.ParsePolicy(p.Encode())
		if err != nil || string(parsed.Encode()) != string(p.Encode()) {
			t.Fatalf("%s: %v", p.Encode(), err)
		}
		if err := parsed.Honours(back, setting.Now); err != nil {
			t.Errorf("%s: %v", p.Encode(), err)
		}
	}
	for _, raw := range []string{
		``, `{}`, `null`, `[]`, `{"query":{}}`, `{"query":{"text":"a"} }`, `{"query":{"text":"a","text":"a"}}`, `{"Query":{"text":"a"}}`,
		`{"query":{"text":"a","similar":"a"}}`, `{"max_bytes":-1,"query":{"text":"a"}}`, `{"max_bytes":0,"query":{"text":"a"}}`,
		`{"max_bytes":1.5,"query":{"text":"a"}}`, `{"max_bytes":524289,"query":{"text":"a"}}`, `{"max_objects":257,"query":{"text":"a"}}`,
		`{"order":"best","query":{"text":"a"}}`, `{"authority":"all","query":{"text":"a"}}`, `{"min_confidence":1000000,"query":{"text":"a"}}`,
		`{"max_objects":-1,"query":{"text":"a"}}`, `{"max_age_ms":3162240000001,"query":{"text":"a"}}`, "{\"query\":{\"text\":\"\xff\"}}",
		`{"query":{"claim":{"predicate":"` + strings.Repeat("a", 4090) + `","subject":"subject"}}}`,
		`{"query":{"claim":{"predicate":"a","subject":"a","value":"a"}}}`, `{"query":{"text":"\ud800"}}`,
		`{"query":{"text":"a"},"x":1}`, `{"imitations":false,"query":{"text":"a"}}`, `{"query":{"text":"` + strings.Repeat("a", 4097) + `"}}`,
	} {
		if _, err := selection.ParseRequest([]byte(raw)); reason.Of(err) == "" {
			t.Errorf("%.60s is a request", raw)
		}
	}
}

// P-19, P-73: a policy that lacks a member, or gives one that is not defined, is none.
func TestEveryMemberOfAPolicyIsNeeded(t *testing.T) {
	whole := string(resolve(full()).Encode())
	for _, member := range strings.Split(strings.Trim(whole, "{}"), ",") {
		if !strings.Contains(member, ":") || strings.Contains(member, "subject") || strings.Contains(member, "scope") {
			continue
		}
		without := strings.Replace(strings.Replace(whole, member+",", "", 1), ","+member, "", 1)
		if _, err := selection.Compile([]byte(without)); without == whole || reason.Of(err) != reason.PolicyInvalid {
			t.Errorf("without %s: %v", member, err)
		}
	}
	for _, extra := range []string{`"a":1,`, `"max_bytes":1,`} {
		if _, err := selection.Compile([]byte("{" + extra + whole[1:])); reason.Of(err) != reason.PolicyInvalid {
			t.Errorf("with %s: %v", extra, err)
		}
	}
}

// Who asked for less is given no more, whatever the service says.
func TestPoliciesThatDoNotHonourARequest(t *testing.T) {
	r := full()
	for what, change := range map[string]func(*selection.Policy){
		"query": func(p *selection.Policy) { p.Query = selection.Query{Text: "other"} },
		"key": func(p *selection.Policy) {
			p.Query.Claim = &selection.ClaimKey{Subject: "valve <1>", Predicate: "was", Scope: "plant"}
		},
		"confidence": func(p *selection.Policy) { p.MinConfidence = 400_000 },
		"authority":  func(p *selection.Policy) { p.Authority = selection.AnyTrust }, "age": func(p *selection.Policy) { p.UpdatedSince = 0 },
		"bytes": func(p *selection.Policy) { p.MaxBytes++ }, "objects": func(p *selection.Policy) { p.MaxObjects++ },
		"order": func(p *selection.Policy) { p.Order = selection.ByBelief }, "duplicates": func(p *selection.Policy) { p.DropDuplicates = false },
		"imitations": func(p *selection.Policy) { p.DropImitations = true }, "tainted": func(p *selection.Policy) { p.DropTainted = true },
	} {
		p := resolve(r)
		change(&p)
		if got := reason.Of(p.Honours(r, setting.Now)); got != reason.ReplyMismatch {
			t.Errorf("another %s: %q", what, got)
		}
	}
	for _, q := range [][2]selection.Query{{{Text: "a"}, {Text: "b"}}, {{Similar: "a"}, {Similar: "b"}}, {{Text: "a"}, {Similar: "a"}}} {
		p := resolve(selection.Request{Query: q[0]})
		if got := reason.Of(p.Honours(selection.Request{Query: q[1]}, setting.Now)); got != reason.ReplyMismatch {
			t.Errorf("%+v: %q", q, got)
		}
	}
}

// P-73: who asks one kind of query takes no answer that was looked for in another way.
func TestTheMatcherFitsTheQuery(t *testing.T) {
	queries := map[string]selection.Query{
		"words": {Text: "a"}, "similar": {Similar: "a"}, "claim": {Claim: &selection.ClaimKey{Subject: "a", Predicate: "b"}},
	}
	for matcher, fits := range map[string]string{
		selection.MatcherWords: "words", "words-v2": "words", selection.MatcherClaim: "claim", "claim-key-v2": "claim",
		selection.MatcherSimilar + "openai:some/model@64": "similar", "similar-v2/m": "similar",
		"similar-v1/": "", "similar-v1": "", "words": "", "claim-key": "", "other-v1": "", "x/similar-v1": "",
	} {
		for kind, q := range queries {
			p := resolve(selection.Request{Query: q})
			p.Matcher = matcher
			want := reason.ReplyMismatch
			if kind == fits {
				want = ""
			}
			if got := reason.Of(p.Honours(selection.Request{Query: q}, setting.Now)); got != want {
				t.Errorf("%s for %s: %q, want %q", matcher, kind, got, want)
			}
		}
	}
}

// P-39, N-72: one fault of a candidate at a time, at its boundary.
func TestAdmission(t *testing.T) {
	r := full()
	r.Imitations, r.Tainted = false, false
	p := resolve(r)
	rules, err := selection.Compile(p.Encode())
	if err != nil {
		t.Fatal(err)
	}
	good := selection.Standing{Confidence: p.MinConfidence, Status: "active", Updated: p.UpdatedSince}
	for what, c := range map[string]struct {
		change func(*selection.Standing)
		trust  projection.Trust
		want   bool
	}{
		"good":         {func(*selection.Standing) {}, projection.Trusted, true},
		"confirmed":    {func(s *selection.Standing) { s.Status = "confirmed" }, projection.Trusted, true},
		"unverified":   {func(*selection.Standing) {}, projection.Unverified, false},
		"quarantined":  {func(s *selection.Standing) { s.Status = selection.Quarantined }, projection.Trusted, false},
		"contradicted": {func(s *selection.Standing) { s.Status = selection.Contradicted }, projection.Trusted, false},
		"low":          {func(s *selection.Standing) { s.Confidence-- }, projection.Trusted, false},
		"old":          {func(s *selection.Standing) { s.Updated-- }, projection.Trusted, false},
		"tainted":      {func(s *selection.Standing) { s.Tainted = true }, projection.Trusted, false},
	} {
		s := good
		c.change(&s)
		candidate := projection.Candidate{Note: s, Opened: projection.Opened{Labels: projection.Labels{Trust: c.trust}}}
		if got := rules.Admit(candidate); got != c.want {
			t.Errorf("%s: %v", what, got)
		}
	}
	// Every other request lets pass what this one drops.
	lax := selection.Request{Query: r.Query, Tainted: true}
	anything, err := selection.Compile(selection.Resolve(lax, selection.Setting{Matcher: "m"}).Encode())
	if err != nil {
		t.Fatal(err)
	}
	worst := projection.Candidate{Note: selection.Standing{Status: "active", Tainted: true}, Opened: projection.Opened{Labels: projection.Labels{Trust: projection.Unverified}}}
	if !anything.Admit(worst) {
		t.Error("what was asked for is dropped")
	}
	if anything.Admit(projection.Candidate{Opened: worst.Opened}) {
		t.Error("what has no standing is delivered where no confidence is asked for")
	}
	if rules.Admit(projection.Candidate{Opened: projection.Opened{Labels: projection.Labels{Trust: projection.Trusted}}}) {
		t.Error("what nobody vouches for is delivered")
	}
}

// Who asked for what changed lately is given nothing older, and no age is too long to
// be asked for.
func TestAgeIsHonoured(t *testing.T) {
	r := full()
	const century = 100 * 366 * 24 * 3600 * 1000
	for what, c := range map[string]struct {
		age, since, evaluated uint64
		want                  reason.Code
	}{
		"at once":                     {1000, setting.Now - 1000, setting.Now, ""},
		"after a minute of searching": {1000, setting.Now - 1000, setting.Now + 60_000, ""},
		"a millisecond more":          {1000, setting.Now - 1000, setting.Now + 60_001, reason.ReplyMismatch},
		"older than was asked for":    {1000, 1, setting.Now, reason.ReplyMismatch},
		"younger than was asked for":  {1000, setting.Now - 999, setting.Now, reason.ReplyMismatch},
		"whenever":                    {1000, 0, setting.Now, reason.ReplyMismatch},
		"a limit nobody asked for":    {0, 1, setting.Now, reason.ReplyMismatch},
		"longer than there were days": {century, 1, setting.Now, ""},
		"whenever for a century":      {century, 0, setting.Now, reason.ReplyMismatch},
	} {
		r.MaxAge = c.age
		p := resolve(r)
		p.UpdatedSince = c.since
		if got := reason.Of(p.Honours(r, c.evaluated)); got != c.want {
			t.Errorf("%s: %q", what, got)
		}
	}
	r.MaxAge = century
	p := resolve(r)
	if p.UpdatedSince != 1 || p.Honours(r, setting.Now+5) != nil {
		t.Errorf("%d", p.UpdatedSince)
	}
}

// N-72: nothing below the space's near-zero limit is delivered, whatever is asked.
func TestNearZeroIsAFloor(t *testing.T) {
	for asked, want := range map[uint32]uint32{0: 50_000, 49_999: 50_000, 50_001: 50_001} {
		if got := selection.Resolve(selection.Request{MinConfidence: asked}, setting).MinConfidence; got != want {
			t.Errorf("asked for %d: %d", asked, got)
		}
	}
}

func TestOrders(t *testing.T) {
	candidates := []projection.Candidate{
		{Note: selection.Standing{Item: record.ItemID{1}, Score: 1, Belief: 3, Updated: 2}},
		{Note: selection.Standing{Item: record.ItemID{2}, Score: 3, Belief: 1, Updated: 1}},
		{Note: selection.Standing{Item: record.ItemID{3}, Score: 1, Belief: 3, Updated: 3}},
	}
	for order, want := range map[string][]byte{selection.ByRelevance: {2, 1, 3}, selection.ByBelief: {1, 3, 2}, selection.ByTime: {3, 1, 2}} {
		r := selection.Request{Query: selection.Query{Text: "a"}, Order: order}
		rules, err := selection.Compile(resolve(r).Encode())
		if err != nil {
			t.Fatal(err)
		}
		sorted := slices.SortedStableFunc(slices.Values(candidates), rules.Compare)
		var got []byte
		for _, c := range sorted {
			got = append(got, c.Note.(selection.Standing).Item[0])
		}
		if string(got) != string(want) {
			t.Errorf("%s: %v", order, got)
		}
	}
}

// A key is hashed as the merge hashes that of a claim, folding included.
func TestClaimKeyHash(t *testing.T) {
	canonical, err := record.Canonical(record.Structured, []byte(`{"subject":" GATE ","predicate":"number","scope":"A","value":"B7"}`))
	if err != nil {
		t.Fatal(err)
	}
	claim, _ := cluster.ClaimOf(record.Structured, canonical)
	got, err := selection.ClaimKey{Subject: "gate", Predicate: "Number", Scope: "a"}.Claim()
	if err != nil || got.KeyHash != claim.KeyHash {
		t.Errorf("%x %v", got.KeyHash, err)
	}
}

func FuzzRequest(f *testing.F) {
	f.Add(full().Encode())
	f.Add([]byte(`{"query":{"text":"a"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := selection.ParseRequest(data)
		if err == nil && string(r.Encode()) != string(data) {
			t.Fatalf("%s is read as %s", data, r.Encode())
		}
	})
}

func FuzzPolicy(f *testing.F) {
	f.Add(resolve(full()).Encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := selection.ParsePolicy(data)
		if err == nil && string(p.Encode()) != string(data) {
			t.Fatalf("%s is read as %s", data, p.Encode())
		}
	})
}
