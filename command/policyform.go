package command

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"consilience/reason"
	"consilience/record/ijson"
	"consilience/wire"
)

// policyForm is a policy as it is written: with the same text keys in CBOR and in
// a JSON file, and null where lineages are the groups, so that a distance of
// zero cannot be asked for (N-71).
type policyForm struct {
	Admission       string   `cbor:"admission" json:"admission"`
	Authority       string   `cbor:"authority" json:"authority"`
	DepthFactor     uint32   `cbor:"depth_factor" json:"depth_factor"`
	ProvenStep      uint32   `cbor:"proven_step" json:"proven_step"`
	UnprovenStep    uint32   `cbor:"unproven_step" json:"unproven_step"`
	NearZero        uint32   `cbor:"near_zero" json:"near_zero"`
	LineageDistance *uint32  `cbor:"lineage_distance" json:"lineage_distance"`
	ManyValued      []string `cbor:"many_valued" json:"many_valued"`
	Reputation      string   `cbor:"reputation" json:"reputation"`
	R0              uint32   `cbor:"r0" json:"r0"`
	MessageBytes    uint32   `cbor:"message_bytes" json:"message_bytes"`
	Entries         uint32   `cbor:"entries" json:"entries"`
	Nesting         uint32   `cbor:"nesting" json:"nesting"`
	Embedder        string   `cbor:"embedder" json:"embedder"`
	Threshold       uint32   `cbor:"threshold" json:"threshold"`
}

func (p Policy) form() policyForm {
	f := policyForm{
		Admission: p.Admission, Authority: p.Authority,
		DepthFactor: p.DepthFactor, ProvenStep: p.ProvenStep, UnprovenStep: p.UnprovenStep, NearZero: p.NearZero,
		ManyValued: append([]string{}, p.ManyValued...), Reputation: p.Reputation, R0: p.R0,
		MessageBytes: p.MessageBytes, Entries: p.Entries, Nesting: p.Nesting,
		Embedder: p.Embedder, Threshold: p.Threshold,
	}
	if p.LineageDistance != 0 {
		f.LineageDistance = &p.LineageDistance
	}
	return f
}

// policy is the policy that f writes; a written distance of zero is refused.
func (f policyForm) policy() (Policy, error) {
	p := Policy{
		Admission: f.Admission, Authority: f.Authority,
		DepthFactor: f.DepthFactor, ProvenStep: f.ProvenStep, UnprovenStep: f.UnprovenStep, NearZero: f.NearZero,
		ManyValued: f.ManyValued, Reputation: f.Reputation, R0: f.R0,
		MessageBytes: f.MessageBytes, Entries: f.Entries, Nesting: f.Nesting,
		Embedder: f.Embedder, Threshold: f.Threshold,
	}
	if f.LineageDistance != nil {
		p.LineageDistance = *f.LineageDistance
		if p.LineageDistance == 0 {
			return Policy{}, invalid("lineage_distance", "is 0, which would switch independence off; write null for lineage groups")
		}
	}
	return p, nil
}

// MarshalCBOR is the policy as it travels: a map of all text keys.
func (p Policy) MarshalCBOR() ([]byte, error) { return wire.Marshal(p.form()), nil }

// UnmarshalCBOR reads what MarshalCBOR wrote, strictly: no key may be missing.
func (p *Policy) UnmarshalCBOR(encoded []byte) error {
	var f policyForm
	err := wire.Unmarshal(encoded, &f)
	if err == nil {
		*p, err = f.policy()
	}
	return err
}

// MarshalJSON is the policy as a file holds it, every key present.
func (p Policy) MarshalJSON() ([]byte, error) { return json.Marshal(p.form()) }

// UnmarshalJSON is [ParsePolicy].
func (p *Policy) UnmarshalJSON(file []byte) (err error) {
	*p, err = ParsePolicy(file)
	return err
}

// ParsePolicy reads a policy file: strict I-JSON, known keys only. A key that is
// missing has its value of [DefaultPolicy]. It returns [reason.PolicyInvalid],
// naming the member, [reason.Malformed] for what is no object, or what
// [ijson.Parse] returns.
func ParsePolicy(file []byte) (Policy, error) {
	value, err := ijson.Parse(file, ijson.Options{Nesting: 2})
	if err != nil {
		return Policy{}, err
	}
	if err := checkMembers(value); err != nil {
		return Policy{}, err
	}
	f := DefaultPolicy().form()
	if err := json.Unmarshal(file, &f); err != nil {
		return Policy{}, mistyped(err)
	}
	slices.Sort(f.ManyValued)
	p, err := f.policy()
	if err != nil {
		return Policy{}, err
	}
	return p, p.Validate()
}

// checkMembers returns an error, naming it, for a member that no policy has and for
// a null, which encoding/json would take for a member that is missing.
func checkMembers(v ijson.Value) error {
	if v.Kind() != ijson.Object {
		return reason.New(reason.Malformed, "an object expected, found %s", v.Kind())
	}
	for key, member := range v.Members() {
		if !slices.Contains(policyKeys, key) {
			return reason.New(reason.PolicyInvalid, "no such member").On(shown(key)).Advise("the members are %s", strings.Join(policyKeys, ", "))
		}
		if member.Kind() == ijson.Null && key != "lineage_distance" {
			return invalid(key, "is null")
		}
	}
	return nil
}

// shown is a key as an error shows it: whoever mistyped one knows it by its beginning.
func shown(key string) string {
	const most = 40
	if r := []rune(key); len(r) > most {
		key = string(r[:most]) + "…"
	}
	return strconv.QuoteToGraphic(key)
}

// mistyped names the member whose value is not of its type.
func mistyped(err error) error {
	var e *json.UnmarshalTypeError
	if !errors.As(err, &e) {
		return reason.New(reason.PolicyInvalid, "a member of the policy is not of its type")
	}
	want := "an integer from 0 to 4294967295"
	switch e.Type.Kind() {
	case reflect.String:
		want = "a string"
	case reflect.Slice:
		want = "an array of strings"
	}
	return invalid(e.Field, "is not %s", want)
}

// policyKeys are the keys of a policy.
var policyKeys = []string{
	"admission", "authority", "depth_factor", "proven_step", "unproven_step", "near_zero", "lineage_distance",
	"many_valued", "reputation", "r0", "message_bytes", "entries", "nesting", "embedder", "threshold",
}
