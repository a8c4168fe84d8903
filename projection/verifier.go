package projection

import (
	"bytes"
	"context"
	"slices"
	"time"

	"consilience/reason"
)

// Verifier checks records under one relying party's policy. It is safe for
// concurrent use if its clock and registry are.
type Verifier struct {
	policy   Policy
	now      func() time.Time
	registry Registry
	trace    func(Check)
}

// Material is what a record commits to, held outside of it. nil means "not held";
// a request of no bytes is an empty slice.
type Material struct {
	RecallRequest   []byte   // exact bytes, under the profile that fixes their serialisation
	SelectionPolicy []byte   // exact bytes of everything that decided the selection
	TrustSnapshot   []byte   // exact bytes, in the source profile's encoding
	Objects         [][]byte // complete source objects, by position
	Fragments       [][]byte // framed fragments, by position
	Projection      []byte   // complete projection bytes
	// Source opens the objects; it must be the one that the record names.
	Source Source
}

// NewVerifier returns a verifier. now is the relying party's clock; registry may be
// nil unless the policy asks for single use. It returns the reasons of
// [Policy.Check] and [RegistryMissing].
func NewVerifier(policy Policy, now func() time.Time, registry Registry) (*Verifier, error) {
	if err := policy.Check(); err != nil {
		return nil, err
	}
	if policy.SingleUse && registry == nil {
		return nil, reason.New(RegistryMissing, "single use is asked for and there is nothing to register uses with")
	}
	return &Verifier{policy: policy.clone(), now: now, registry: registry}, nil
}

// Traced returns a verifier that reports every check to see, in order. The last
// one reported is the one that refused, if any did.
func (v *Verifier) Traced(see func(Check)) *Verifier {
	c := *v
	c.trace = see
	return &c
}

// Envelope checks what the record alone can show: its form, signature, freshness
// and inner consistency. It recomputes nothing that the record commits to, and its
// result says so. With single use, it uses the projection up.
func (v *Verifier) Envelope(ctx context.Context, record []byte) (EnvelopeResult, error) {
	x := v.examine(record, Material{})
	if err := x.run(ctx, envelopeChecks, lastChecks); err != nil {
		return EnvelopeResult{}, err
	}
	return EnvelopeResult{x.record.statement()}, nil
}

// Full checks the record and recomputes every commitment from m. It refuses with
// [MaterialMissing] when anything is absent. With single use, it uses the
// projection up, after everything else has passed.
func (v *Verifier) Full(ctx context.Context, record []byte, m Material) (FullResult, error) {
	m.Projection = bytes.Clone(m.Projection) // what is returned is what was verified
	x := v.examine(record, m)
	if err := x.run(ctx, envelopeChecks, materialChecks, lastChecks); err != nil {
		return FullResult{}, err
	}
	return FullResult{x.record.statement(), m.Projection}, nil
}

// examination is one run of a verifier.
type examination struct {
	*Verifier
	raw      []byte
	record   Record
	material Material
	at       time.Time // one reading of the clock for the whole run
	pin      Pin       // set by the check of the key
	opened   []Opened  // by position, set by the check of native results
}

// check is one row of the tables below.
type check struct {
	step int // of section 8
	name string
	run  func(*examination, context.Context) error
}

func (v *Verifier) examine(record []byte, m Material) *examination {
	return &examination{Verifier: v, raw: record, material: m, at: v.now()}
}

func (x *examination) run(ctx context.Context, tables ...[]check) error {
	for _, c := range slices.Concat(tables...) {
		err := c.run(x, ctx)
		if x.trace != nil {
			x.trace(Check{c.step, c.name, err})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// What the record alone shows comes before the signature although the draft lists
// some of it later: a refusal then names the fault and not only that the
// signature no longer fits.
var envelopeChecks = []check{
	{1, "exact members, types, enumerations, timestamps, digest syntax", (*examination).form},
	{6, "positions are sequential", (*examination).positions},
	{6, "no object is delivered twice", (*examination).duplicates},
	{5, "native results do not contradict themselves", (*examination).labels},
	{7, "exclusions add up", (*examination).exclusions},
	{2, "proof names the adapter's key", (*examination).proofKey},
	{2, "adapter key is pinned and current", (*examination).pinned},
	{2, "signature", (*examination).signature},
	{3, "trust evaluation is fresh", (*examination).freshTrust},
	{3, "record is fresh", (*examination).freshCreation},
	{4, "profiles are expected", (*examination).profiles},
	{4, "digests are expected", (*examination).expected},
}

var materialChecks = []check{
	{4, "all material is present", (*examination).complete},
	{4, "recall request, selection policy, trust snapshot", (*examination).commitments},
	{5, "source objects", (*examination).objects},
	{5, "native results are the source's own", (*examination).native},
	{4, "trust snapshot allows the native results", (*examination).snapshot},
	{6, "fragments", (*examination).fragments},
	{6, "projection is the fragments in order", (*examination).projection},
	{6, "frames say what the entries say", (*examination).frames},
}

// Registration is last, so that a record that fails anywhere does not use up its id.
var lastChecks = []check{
	{3, "projection was not used before", (*examination).singleUse},
}
