package command

import (
	"cmp"
	"slices"

	"consilience/reason"
	"consilience/wire"
)

// Admission says who may propose to a space.
const (
	AdmissionGranted = "granted" // contributors whose root is enrolled for the space
	AdmissionOpen    = "open"    // every known contributor; unproven ones count as one group
)

// Authority says which items of a space are authoritative.
const (
	AuthorityFleet  = "fleet"  // belief of 0.9 with two counted groups
	AuthorityOpen   = "open"   // belief of 0.5
	AuthorityStrict = "strict" // support of 0.9, two groups, outweighing every rival
)

// Reputation policies that a space can have.
const (
	ReputationBeta = "beta-v1"
	ReputationEMA  = "ema-v1"
)

// Policy is the settings of a space. They are on the log, whole, whenever they
// change. Numbers are in ppm unless they say otherwise.
type Policy struct {
	Admission       string   // [AdmissionGranted] or [AdmissionOpen]
	Authority       string   // [AuthorityFleet], [AuthorityOpen] or [AuthorityStrict]
	DepthFactor     uint32   // factor for each step of derivation, 1 to 1000000
	ProvenStep      uint32   // what a doubt by a proven contributor weighs, 1 to 1000000
	UnprovenStep    uint32   // the same by an unproven one, 1 to ProvenStep
	NearZero        uint32   // below it an item is never authoritative, 1 to 500000
	LineageDistance uint32   // steps of derivation that make two contributors dependent, 1 to 64; 0: lineages are groups
	ManyValued      []string // predicates of which a claim may hold several values; a set, in bytewise order
	Reputation      string   // [ReputationBeta] or [ReputationEMA]; fixed at the first delta
	R0              uint32   // reputation of a newcomer, 20000 to 980000
	MessageBytes    uint32   // largest delta message, bytes, 4096 to 1572864
	Entries         uint32   // most statements in a delta, 1 to 4096
	Nesting         uint32   // deepest structured content, levels, 1 to 32
	Embedder        string   // model for rule 3 of joining, "none" for exact joining only
	Threshold       uint32   // similarity from which texts are compared, 1 to 1000000
}

// DefaultPolicy is the policy of a space that asks for nothing else.
func DefaultPolicy() Policy {
	return Policy{
		Admission: AdmissionGranted, Authority: AuthorityFleet,
		DepthFactor: 900_000, ProvenStep: 500_000, UnprovenStep: 100_000, NearZero: 50_000,
		ManyValued: []string{}, Reputation: ReputationBeta, R0: 300_000,
		MessageBytes: 1 << 20, Entries: 4096, Nesting: 8,
		Embedder: "none", Threshold: 880_000,
	}
}

// maxPredicates is the largest number of predicates in ManyValued.
const maxPredicates = 4096

// Validate returns [reason.PolicyInvalid], naming the member, for a value outside
// its range. No value switches off bounded merge or independence (N-71).
func (p Policy) Validate() error {
	for _, c := range p.choices() {
		if !slices.Contains(c.of, c.value) {
			return invalid(c.key, "is none of %q", c.of)
		}
	}
	for _, n := range p.numbers() {
		if n.value < n.low || n.value > n.high {
			return invalid(n.key, "is %d, not within %d to %d", n.value, n.low, n.high)
		}
	}
	if err := wire.CheckText("embedder", p.Embedder, wire.MaxName); err != nil || p.Embedder == "" {
		return invalid("embedder", "is no name of a model")
	}
	return p.checkPredicates()
}

// choice is a member that has one of a few values.
type choice struct {
	key, value string
	of         []string
}

func (p Policy) choices() []choice {
	return []choice{
		{"admission", p.Admission, []string{AdmissionGranted, AdmissionOpen}},
		{"authority", p.Authority, []string{AuthorityFleet, AuthorityOpen, AuthorityStrict}},
		{"reputation", p.Reputation, []string{ReputationBeta, ReputationEMA}},
	}
}

// number is a member with a range.
type number struct {
	key              string
	value, low, high uint32
}

func (p Policy) numbers() []number {
	return []number{
		{"depth_factor", p.DepthFactor, 1, wire.Scale},
		{"proven_step", p.ProvenStep, 1, wire.Scale},
		{"unproven_step", p.UnprovenStep, 1, p.ProvenStep},
		{"near_zero", p.NearZero, 1, 500_000},
		{"lineage_distance", p.LineageDistance, 0, 64},
		{"r0", p.R0, 20_000, 980_000},
		{"message_bytes", p.MessageBytes, 4096, 3 << 19},
		{"entries", p.Entries, 1, 4096},
		{"nesting", p.Nesting, 1, 32},
		{"threshold", p.Threshold, 1, wire.Scale},
	}
}

func (p Policy) checkPredicates() error {
	if err := checkSet("predicate", maxPredicates, p.ManyValued, cmp.Compare[string]); err != nil {
		return invalid("many_valued", "is not a set of at most %d predicates in bytewise order", maxPredicates)
	}
	for _, predicate := range p.ManyValued {
		if err := wire.CheckText("predicate", predicate, wire.MaxReason); err != nil || predicate == "" {
			return invalid("many_valued", "holds what is no predicate")
		}
	}
	return nil
}

func invalid(key, format string, args ...any) error {
	return reason.New(reason.PolicyInvalid, format, args...).On(key)
}
