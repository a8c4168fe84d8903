// Package reputation turns evidence about a contributor into a number.
//
// A [Policy] is named and versioned; a space's policy on the log names the one
// it uses, and it is fixed at the space's first delta. Evidence arrives as
// [Event]s and judgements; the state is a [Record] per (space, contributor) that
// every policy shares, so that storage keeps one table. All numbers are integers
// in millionths, so that two machines agree.
//
// What a policy does not do: the merge itself caps a value by the values of the
// contributor's parents and, while it is locked, by [LockedValue].
package reputation

import (
	"consilience/reason"
	"consilience/wire"
)

// Numbers every policy shares (merge.md "Reputation"), in ppm where they are values.
const (
	// LockedValue bounds the value of a locked contributor and the stored
	// reputation of its stances.
	LockedValue = 50_000
	// MinValue and MaxValue bound the own value of the built-in policies.
	MinValue = 20_000
	MaxValue = 980_000
	// VouchedCredits is how many confirmed contents an operator's voucher counts as.
	VouchedCredits = 2
	// ProvenCredits is how many confirmed contents make a contributor proven.
	ProvenCredits = 2
)

// Record is the state of one contributor in one space. The zero value is a
// contributor without evidence and without a base; [Policy.New] makes one.
type Record struct {
	R0           uint32    // ppm, its value before any evidence; fixed at its first entry in the space
	Confirmed    uint32    // C: contents confirmed that it has valid credit for, +2 if vouched
	Contradicted uint32    // X: contents contradicted that it supports first-hand
	Corroborated uint32    // K: its contents supported later by a proven other group
	Accepted     uint32    // A: its contents
	Window       []bool    // its last judgements, at most 10, oldest first; true = confirmed
	Locks        uint32    // how often the breaker locked it
	Left         uint32    // confirmations until it is unlocked; 0 = not locked
	Averages     [3]uint32 // ema-v1: acceptance, confirmation, contradiction, in ppm
}

// Clone returns a copy that shares nothing with r.
func (r Record) Clone() Record {
	r.Window = append([]bool(nil), r.Window...)
	return r
}

// EventKind says what kind of evidence an [Event] is.
type EventKind uint8

// Kinds of evidence.
const (
	Accepted     EventKind = iota // a content of it was accepted
	Corroborated                  // a content of it was supported later by a proven other group
	Confirmed                     // a content it has valid credit for was confirmed
	Contradicted                  // a content it supports was contradicted
)

// Event is one piece of evidence; N is +1, or -1 to take an earlier one back.
type Event struct {
	Kind EventKind
	N    int
}

// Policy computes reputation. Implementations are pure and stateless; they never
// change a Record they were given, and its Window is shared, never written to.
type Policy interface {
	// Name is the name and version under which a space's policy chooses it.
	Name() string
	// New is the record of a contributor with base r0 (ppm, 1..1000000).
	New(r0 uint32, vouched bool) Record
	// Apply adds or takes back one piece of evidence.
	Apply(Record, Event) Record
	// Judge runs the breaker on one judgement of a content of the contributor;
	// changed reports that it locked or unlocked.
	Judge(r Record, confirmed bool) (next Record, changed bool)
	// Value is the contributor's own reputation, in (0, 1000000] ppm.
	Value(Record) uint32
	// Proven reports whether its word may corroborate others.
	Proven(Record) bool
	// Locked reports whether the breaker is open.
	Locked(Record) bool
}

// policies are those that a space may choose, by name.
var policies = map[string]Policy{
	BetaV1{}.Name(): BetaV1{},
	EMAV1{}.Name():  EMAV1{},
}

// ByName returns the policy of that name and version, or [reason.PolicyInvalid].
func ByName(name string) (Policy, error) {
	if p, ok := policies[name]; ok {
		return p, nil
	}
	return nil, reason.New(reason.PolicyInvalid, "no reputation policy of this name").On(name)
}

// Register adds a policy under its name. Call it from an init function. It
// refuses a name in use with [reason.AlreadyKnown] and what [Check] refuses.
func Register(p Policy) error {
	if _, ok := policies[p.Name()]; ok {
		return reason.New(reason.AlreadyKnown, "a reputation policy has this name").On(p.Name())
	}
	if err := Check(p); err != nil {
		return err
	}
	policies[p.Name()] = p
	return nil
}

// Check probes a policy over the corners and the middle of what a [Record] can
// hold and returns [reason.OutOfRange] for a value outside (0, 1000000] ppm
// (draft section 3.2).
func Check(p Policy) error {
	counts := []uint32{0, 1, 2, 20, 1000, 1 << 31}
	for _, r0 := range []uint32{1, MinValue, 300_000, MaxValue, wire.Scale} {
		for _, vouched := range []bool{false, true} {
			for probe := range len(counts) * len(counts) * len(counts) {
				r := p.New(r0, vouched)
				r.Confirmed += counts[probe%len(counts)]
				r.Contradicted = counts[probe/len(counts)%len(counts)]
				r.Accepted = counts[probe/len(counts)/len(counts)]
				r.Corroborated = r.Accepted
				if v := p.Value(r); v == 0 || v > wire.Scale {
					return reason.New(reason.OutOfRange, "reputation %d ppm is outside (0, 1]", v).On(p.Name())
				}
			}
		}
	}
	return nil
}

// Own is p's value of r within (0, 1000000], whatever p says: the bound of a merge
// must not rest on a plug-in.
func Own(p Policy, r Record) uint32 { return max(1, min(wire.Scale, p.Value(r))) }
