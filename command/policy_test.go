package command_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"consilience/command"
	"consilience/reason"
	"consilience/wire"
	"consilience/wire/wiretest"
)

// policyChanges each take one member of a policy out of its range (N-49, N-71:
// no factor above 1, no distance or step of zero).
var policyChanges = []struct {
	name   string
	change func(*command.Policy)
}{
	{"admission unknown", func(p *command.Policy) { p.Admission = "all" }},
	{"authority unknown", func(p *command.Policy) { p.Authority = "" }},
	{"depth factor 0", func(p *command.Policy) { p.DepthFactor = 0 }},
	{"depth factor above 1", func(p *command.Policy) { p.DepthFactor = 1_000_001 }},
	{"proven step 0", func(p *command.Policy) { p.ProvenStep = 0 }},
	{"proven step above 1", func(p *command.Policy) { p.ProvenStep = 1_000_001 }},
	{"unproven step 0", func(p *command.Policy) { p.UnprovenStep = 0 }},
	{"unproven step above the proven", func(p *command.Policy) { p.UnprovenStep = p.ProvenStep + 1 }},
	{"near zero 0", func(p *command.Policy) { p.NearZero = 0 }},
	{"near zero above 0.5", func(p *command.Policy) { p.NearZero = 500_001 }},
	{"lineage distance 65", func(p *command.Policy) { p.LineageDistance = 65 }},
	{"reputation unknown", func(p *command.Policy) { p.Reputation = "beta-v2" }},
	{"r0 below 0.02", func(p *command.Policy) { p.R0 = 19_999 }},
	{"r0 above 0.98", func(p *command.Policy) { p.R0 = 980_001 }},
	{"message bytes too few", func(p *command.Policy) { p.MessageBytes = 4095 }},
	{"message bytes beyond what servers carry", func(p *command.Policy) { p.MessageBytes = 1_572_865 }},
	{"entries 0", func(p *command.Policy) { p.Entries = 0 }},
	{"entries 4097", func(p *command.Policy) { p.Entries = 4097 }},
	{"nesting 0", func(p *command.Policy) { p.Nesting = 0 }},
	{"nesting 33", func(p *command.Policy) { p.Nesting = 33 }},
	{"embedder empty", func(p *command.Policy) { p.Embedder = "" }},
	{"embedder with a control character", func(p *command.Policy) { p.Embedder = "a\x00" }},
	{"threshold 0", func(p *command.Policy) { p.Threshold = 0 }},
	{"threshold above 1", func(p *command.Policy) { p.Threshold = 1_000_001 }},
	{"predicate empty", func(p *command.Policy) { p.ManyValued = []string{""} }},
	{"predicate twice", func(p *command.Policy) { p.ManyValued = []string{"a", "a"} }},
	{"predicates not in order", func(p *command.Policy) { p.ManyValued = []string{"b", "a"} }},
}

func TestPolicyRanges(t *testing.T) {
	for _, c := range policyChanges {
		p := command.DefaultPolicy()
		c.change(&p)
		if err := p.Validate(); reason.Of(err) != reason.PolicyInvalid {
			t.Errorf("%s: got %v, want %s", c.name, err, reason.PolicyInvalid)
		}
	}
	if err := command.DefaultPolicy().Validate(); err != nil {
		t.Errorf("the default policy: %v", err)
	}
}

// refusedPolicies are policy commands that carry what no policy is.
func refusedPolicies(tb testing.TB) []wiretest.Vector {
	var vectors []wiretest.Vector
	add := func(name string, code reason.Code, policy any) {
		body := map[uint64]any{1: "flights", 2: policy}
		vectors = append(vectors, wiretest.Vector{
			Name: "policy: " + name, Reason: code, Hex: hex.EncodeToString(raw(tb, command.KindPolicy, id("store"), body, 1)),
		})
	}
	for _, c := range policyChanges {
		p := command.DefaultPolicy()
		c.change(&p)
		add(c.name, reason.PolicyInvalid, p)
	}
	edit := func(name string, change func(map[string]any)) {
		m := policyMembers(tb)
		change(m)
		add(name, reason.Malformed, m)
	}
	edit("member missing", func(m map[string]any) { delete(m, "r0") })
	edit("member unknown", func(m map[string]any) { m["r1"] = 0 })
	edit("member in another case", func(m map[string]any) { delete(m, "r0"); m["R0"] = 300_000 })
	edit("lineage distance 0", func(m map[string]any) { m["lineage_distance"] = 0 })
	edit("number as text", func(m map[string]any) { m["r0"] = "300000" })
	edit("null for a list", func(m map[string]any) { m["many_valued"] = nil })
	add("not a map", reason.Malformed, []any{})
	return vectors
}

// policyMembers is the default policy as a map.
func policyMembers(tb testing.TB) map[string]any {
	tb.Helper()
	var m map[string]any
	if err := wire.Unmarshal(wire.Marshal(command.DefaultPolicy()), &m); err != nil {
		tb.Fatal(err)
	}
	return m
}

func TestPolicyTravels(t *testing.T) {
	for _, change := range []func(*command.Policy){
		func(*command.Policy) {},
		func(p *command.Policy) { p.LineageDistance, p.ManyValued = 64, []string{"a", "b"} },
	} {
		want := command.DefaultPolicy()
		change(&want)
		var got command.Policy
		if err := wire.Unmarshal(wire.Marshal(want), &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("in CBOR it comes back as %+v, %v", got, err)
		}
		file, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		got = command.Policy{}
		if err := json.Unmarshal(file, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("in a file it comes back as %+v, %v", got, err)
		}
	}
}

// A policy file says what differs from the default.
func TestPolicyFile(t *testing.T) {
	want := command.DefaultPolicy()
	if got, err := command.ParsePolicy([]byte("{}")); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("an empty file is %+v, %v", got, err)
	}
	want.Authority, want.LineageDistance, want.ManyValued = command.AuthorityStrict, 2, []string{"alias", "member of"}
	got, err := command.ParsePolicy([]byte(`{"authority": "strict", "lineage_distance": 2,
		"many_valued": ["member of", "alias"]}` + "\n"))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
}

// P-6, P-9: a file is strict I-JSON of known members; N-71: no distance of zero.
func TestPolicyFileIsStrict(t *testing.T) {
	for _, c := range []struct {
		name, file string
		want       reason.Code
	}{
		{"unknown member", `{"deph_factor":1}`, reason.PolicyInvalid},
		{"case twin", `{"R0":300000}`, reason.PolicyInvalid},
		{"member twice", `{"r0":300000,"r0":300000}`, reason.ContentInvalid},
		{"member twice by an escape", `{"r0":300000,"r\u0030":300000}`, reason.ContentInvalid},
		{"trailing text", `{} {}`, reason.ContentInvalid},
		{"empty", ``, reason.ContentInvalid},
		{"not an object", `[]`, reason.Malformed},
		{"null", `{"r0":null}`, reason.PolicyInvalid},
		{"fraction", `{"r0":300000.0}`, reason.PolicyInvalid},
		{"exponent", `{"r0":3e5}`, reason.PolicyInvalid},
		{"negative", `{"r0":-1}`, reason.PolicyInvalid},
		{"text", `{"r0":"300000"}`, reason.PolicyInvalid},
		{"distance 0", `{"lineage_distance":0}`, reason.PolicyInvalid},
		{"out of range", `{"depth_factor":1000001}`, reason.PolicyInvalid},
		{"predicate twice", `{"many_valued":["a","a"]}`, reason.PolicyInvalid},
	} {
		if _, err := command.ParsePolicy([]byte(c.file)); reason.Of(err) != c.want {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}

// Whoever wrote the file has to find the member that is wrong.
func TestPolicyFileErrorsNameTheMember(t *testing.T) {
	long := strings.Repeat("x", 1000)
	for _, c := range []struct{ file, want, hidden string }{
		{`{"deph_factor":1}`, "deph_factor", ""},
		{`{"R0":300000}`, "R0", ""},
		{`{"` + long + `":1}`, "xxx", long},
		{`{"r0":"300000"}`, "r0", ""},
		{`{"r0":-1}`, "r0", ""},
		{`{"many_valued":"alias"}`, "many_valued", ""},
		{`{"many_valued":["alias",3]}`, "many_valued", ""},
		{`{"authority":1}`, "authority", ""},
		{`{"entries":null}`, "entries", ""},
	} {
		_, err := command.ParsePolicy([]byte(c.file))
		if err == nil || !strings.Contains(err.Error(), c.want) || c.hidden != "" && strings.Contains(err.Error(), c.hidden) {
			t.Errorf("%.60s: the error %.200q does not name %s", c.file, err, c.want)
		}
	}
}

func TestGoldenPolicy(t *testing.T) {
	p := command.DefaultPolicy()
	wiretest.Golden(t, "testdata/policy.json", []wiretest.Vector{
		{Name: "default", Fields: p, Hex: hex.EncodeToString(wire.Marshal(p))},
	})
}

// FuzzPolicy: a policy that decodes is exactly what it encodes to, and its file
// gives it back.
func FuzzPolicy(f *testing.F) {
	f.Add(wire.Marshal(command.DefaultPolicy()))
	for _, c := range policyChanges {
		p := command.DefaultPolicy()
		c.change(&p)
		f.Add(wire.Marshal(p))
	}
	f.Fuzz(func(t *testing.T, encoded []byte) {
		var p command.Policy
		if wire.Unmarshal(encoded, &p) != nil {
			return
		}
		if !bytes.Equal(wire.Marshal(p), encoded) {
			t.Errorf("%x encodes to %x", encoded, wire.Marshal(p))
		}
		if p.Validate() != nil || strings.ContainsFunc(strings.Join(p.ManyValued, p.Embedder), noncharacter) {
			return
		}
		file, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		back, err := command.ParsePolicy(file)
		if err != nil || !reflect.DeepEqual(back, p) {
			t.Errorf("file %s gives back %+v, %v", file, back, err)
		}
	})
}

// noncharacter reports what I-JSON does not carry.
func noncharacter(r rune) bool { return r&0xfffe == 0xfffe || r >= 0xfdd0 && r <= 0xfdef }
