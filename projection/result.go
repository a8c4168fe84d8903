package projection

import "bytes"

// Scope names what a verification recomputed.
type Scope string

// The two scopes. A result of one entry point never has the other's.
const (
	// ScopeEnvelope: the record's form, signature, freshness and inner consistency.
	// No digest was recomputed from what it commits to.
	ScopeEnvelope Scope = "envelope"
	// ScopeFull: every digest was recomputed, and every object was opened by its own
	// source profile.
	ScopeFull Scope = "full"
)

// Statement is what a verified record states, and all that it states (section 2):
// who the adapter is and which pinned key signed; what request, policy, trust state
// and framing were committed to; which objects were delivered, in order, with their
// native trust and authorship; which bytes were emitted; how many objects were left
// out and why.
type Statement struct {
	ProjectionID  string
	CreatedAt     Timestamp
	SourceProfile string
	Adapter       Adapter
	Context       SelectionContext
	Delivered     []Entry
	Exclusions    Exclusions
	Projection    Commitment
}

// EnvelopeResult is the result of [Verifier.Envelope].
type EnvelopeResult struct{ Statement }

// Scope is [ScopeEnvelope].
func (EnvelopeResult) Scope() Scope { return ScopeEnvelope }

// FullResult is the result of [Verifier.Full]. It exists only if everything was
// recomputed.
type FullResult struct {
	Statement
	emitted []byte
}

// Scope is [ScopeFull].
func (FullResult) Scope() Scope { return ScopeFull }

// Bytes is a copy of the projection bytes that were verified.
func (r FullResult) Bytes() []byte { return bytes.Clone(r.emitted) }

// statement copies what r states.
func (r Record) statement() Statement {
	return Statement{
		ProjectionID:  r.ProjectionID,
		CreatedAt:     r.CreatedAt,
		SourceProfile: r.SourceProfile,
		Adapter:       r.Adapter,
		Context:       r.SelectionContext,
		Delivered:     append([]Entry{}, r.Delivered...),
		Exclusions:    r.Exclusions,
		Projection:    r.Projection,
	}
}

// Check is one check of a verification, for a person who wants to see them all.
type Check struct {
	Step int    // step of section 8 of the draft that asks for it
	Name string // what is checked
	Err  error  // nil: passed
}
