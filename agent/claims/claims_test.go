package claims_test

import (
	"slices"
	"strings"
	"testing"

	"consilience/agent/claims"
	"consilience/cluster"
	"consilience/reason"
	"consilience/record"
)

// Tables in every layout that is offered.
func TestRead(t *testing.T) {
	t.Parallel()
	one := claims.Claim{Line: 2, Subject: "UA-1", Predicate: "departs", Value: "10:00", Source: "aa"}
	first := one
	first.Line = 1
	for name, c := range map[string]struct {
		text string
		o    claims.Options
		want []claims.Claim
	}{
		"a header in any order": {"source,value,subject,predicate\naa,10:00,UA-1,departs\n", claims.Options{Sources: true}, []claims.Claim{one}},
		"quotes and a byte order mark": {"\ufeffsubject,predicate,value,source\n\"UA-1\",departs,\"10:00\",aa\n", claims.Options{Sources: true},
			[]claims.Claim{one}},
		"tabs, where a quote is a quote": {"subject\tpredicate\tvalue\tsource\nUA-1\tdeparts\t\"10:00\taa\n", claims.Options{Separator: '\t'},
			[]claims.Claim{{Line: 2, Subject: "UA-1", Predicate: "departs", Value: `"10:00`, Source: "aa"}}},
		"other names": {"flight,time,site\nUA-1,10:00,aa\n",
			claims.Options{Names: map[string]string{"subject": "flight", "value": "time", "source": "site"}, Predicate: "departs"}, []claims.Claim{one}},
		"a column that no part has": {"subject,note,predicate,value,source\nUA-1,x,departs,10:00,aa\n", claims.Options{}, []claims.Claim{one}},
		"no header": {"UA-1\taa\t10:00\n",
			claims.Options{Separator: '\t', Columns: []string{"object", "source", "value"}, Predicate: "departs"}, []claims.Claim{first}},
		"no header, a column skipped": {"UA-1\tx\taa\t10:00\n",
			claims.Options{Separator: '\t', Columns: []string{"object", "-", "source", "value"}, Predicate: "departs"}, []claims.Claim{first}},
		"the predicate after the last bar": {"d|UA-1|departs\taa\t10:00\n",
			claims.Options{Separator: '\t', Columns: []string{"object", "source", "value"}, SplitPredicate: true},
			[]claims.Claim{{Line: 1, Subject: "d|UA-1", Predicate: "departs", Value: "10:00", Source: "aa"}}},
		"a bar kept whole": {"d|UA-1\taa\t10:00\n",
			claims.Options{Separator: '\t', Columns: []string{"object", "source", "value"}, Predicate: "departs"},
			[]claims.Claim{{Line: 1, Subject: "d|UA-1", Predicate: "departs", Value: "10:00", Source: "aa"}}},
		"an empty line": {"subject\tpredicate\tvalue\tscope\n\nUA-1\tdeparts\t10:00\tMay\n", claims.Options{Separator: '\t'},
			[]claims.Claim{{Line: 3, Subject: "UA-1", Predicate: "departs", Value: "10:00", Scope: "May"}}},
	} {
		got, err := claims.Read(strings.NewReader(c.text), c.o)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// Faults name the line, or the columns, and nothing is returned.
func TestReadRefuses(t *testing.T) {
	t.Parallel()
	three := claims.Options{Columns: []string{"object", "source", "value"}, Predicate: "p", Sources: true}
	tabs := three
	tabs.Separator = '\t'
	for name, c := range map[string]struct {
		text string
		o    claims.Options
		code reason.Code
		says string
	}{
		"an empty table":        {"", claims.Options{}, reason.Malformed, "empty"},
		"a short line":          {"a,b,c\nd,e\n", three, reason.Malformed, "line 2: 2 columns"},
		"a long line":           {"a\tb\tc\td\n", tabs, reason.Malformed, "line 1: 4 columns"},
		"an empty value":        {"a,b,c\na,b, \n", three, reason.Malformed, "line 2: value is empty"},
		"an empty source":       {"a,,c\n", three, reason.Malformed, "line 1: source is empty"},
		"a quote left open":     {"a,b,\"c\n", three, reason.Malformed, "line "},
		"not UTF-8":             {"a\tb\t\xff\n", tabs, reason.Malformed, "line 1: not UTF-8"},
		"no predicate":          {"subject,value\na,b\n", claims.Options{}, reason.UsageError, "no column for predicate"},
		"no source":             {"subject,predicate,value\na,b,c\n", claims.Options{Sources: true}, reason.UsageError, "no column for source"},
		"two subjects":          {"subject,object,predicate,value\n", claims.Options{}, reason.UsageError, "two columns"},
		"a name of no part":     {"a,b\n", claims.Options{Columns: []string{"subject", "colour"}}, reason.UsageError, "colour"},
		"a predicate twice":     {"subject,predicate,value\na,b,c\n", claims.Options{Predicate: "p"}, reason.UsageError, "another predicate"},
		"no bar to split at":    {"a,b\n", claims.Options{Columns: []string{"object", "value"}, SplitPredicate: true}, reason.Malformed, "line 1"},
		"a line without an end": {strings.Repeat("x", 2<<20), tabs, reason.Malformed, "longer than"},
	} {
		got, err := claims.Read(strings.NewReader(c.text), c.o)
		if got != nil || reason.Of(err) != c.code || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %d claims, %v", name, len(got), err)
		}
	}
	if _, err := claims.ParseNames("subject=flight,colour=x"); reason.Of(err) != reason.UsageError {
		t.Errorf("a name of no part: %v", err)
	}
}

// What a line becomes is a claim to the store: exactly the three members, or four.
func TestContentIsAClaim(t *testing.T) {
	t.Parallel()
	for _, c := range []claims.Claim{
		{Subject: "UA-1", Predicate: "departs", Value: `10:00 "local" <b>`},
		{Subject: "UA-1", Predicate: "departs", Value: "10:00", Scope: "May"},
	} {
		canonical, err := record.Canonical(record.Structured, c.Content())
		if err != nil {
			t.Fatal(err)
		}
		claim, ok := cluster.ClaimOf(record.Structured, canonical)
		if !ok || claim.Scope != strings.ToLower(c.Scope) {
			t.Errorf("%s is the claim %+v, %v", canonical, claim, ok)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("subject,predicate,value,source\na,b,c,d\n", false)
	f.Add("a\tb\tc\n", true)
	f.Fuzz(func(t *testing.T, text string, tabs bool) {
		o := claims.Options{Sources: true}
		if tabs {
			o = claims.Options{Separator: '\t', Columns: []string{"object", "source", "value"}, Predicate: "p"}
		}
		got, err := claims.Read(strings.NewReader(text), o)
		if err != nil && (got != nil || reason.Of(err) == "") {
			t.Fatalf("%d claims and %v", len(got), err)
		}
		for _, c := range got {
			if c.Subject == "" || c.Predicate == "" || c.Value == "" || c.Line == 0 {
				t.Fatalf("%+v", c)
			}
		}
	})
}
