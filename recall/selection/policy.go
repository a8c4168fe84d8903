package selection

import (
	"cmp"

	"consilience/projection"
	"consilience/reason"
)

// Version is that of the policy's form.
const Version = 1

// Policy is a selection policy: all that decides which candidates are delivered, in
// which order. Every member is given.
type Policy struct {
	Version       uint32 `json:"version"`
	Query         Query  `json:"query"`
	Matcher       string `json:"matcher"`        // how candidates were looked for, by name and version
	MaxCandidates int64  `json:"max_candidates"` // most candidates that were looked at
	// MinConfidence is the lowest confidence, ppm; never below the space's near-zero limit.
	MinConfidence  uint32 `json:"min_confidence"`
	Authority      string `json:"authority"`
	UpdatedSince   uint64 `json:"updated_since"` // Unix milliseconds; 0: whenever
	MaxBytes       int64  `json:"max_bytes"`
	MaxObjects     int64  `json:"max_objects"`
	Order          string `json:"order"`
	DropDuplicates bool   `json:"drop_duplicates"`
	DropImitations bool   `json:"drop_imitations"` // see [projection.Limits]
	DropTainted    bool   `json:"drop_tainted"`
}

// Setting is what a store adds to a request.
type Setting struct {
	Matcher  string
	NearZero uint32 // of the space's policy, ppm
	Now      uint64 // Unix milliseconds, for the request's age limit
}

// Resolve is the policy that answers a request.
func Resolve(r Request, s Setting) Policy {
	objects := cmp.Or(r.MaxObjects, DefaultMaxObjects)
	p := Policy{
		Version: Version, Query: r.Query, Matcher: s.Matcher, MaxCandidates: candidates(r.Authority, objects),
		MinConfidence: max(r.MinConfidence, s.NearZero), Authority: cmp.Or(r.Authority, AnyTrust),
		MaxBytes: cmp.Or(r.MaxBytes, DefaultMaxBytes), MaxObjects: objects, Order: cmp.Or(r.Order, ByRelevance),
		DropDuplicates: true, DropImitations: !r.Imitations, DropTainted: !r.Tainted,
	}
	if r.MaxAge > 0 {
		p.UpdatedSince = since(r.MaxAge, s.Now)
	}
	return p
}

// since is the instant that lies age before now, never 0, which would be no limit.
func since(age, now uint64) uint64 { return max(1, now-min(age, now)) }

// candidates is how many are looked at: each costs the check of a signature. Where
// only trusted ones are delivered, many of them are not.
func candidates(authority string, objects int64) int64 {
	if authority == TrustedOnly {
		return 2*objects + 8
	}
	return objects + 8
}

// resolving bounds the time from the reading of the clock that an age limit counts
// from to the evaluation of trust, between which candidates are looked for: milliseconds.
const resolving = 60_000

// Honours returns [reason.ReplyMismatch] unless the policy is one that [Resolve]
// makes of the request, whatever the store added: who asked for less must not be
// given more. evaluated is when trust was evaluated, Unix milliseconds: the record
// that commits to the policy says so, and an age limit counts from about then.
func (p Policy) Honours(r Request, evaluated uint64) error {
	if !r.Query.answeredBy(p.Matcher) {
		return reason.New(reason.ReplyMismatch, "the matcher does not look for what the request asks for").On("matcher")
	}
	want := Resolve(r, Setting{Matcher: p.Matcher, NearZero: p.MinConfidence, Now: evaluated})
	if since(resolving, want.UpdatedSince) <= p.UpdatedSince && p.UpdatedSince <= want.UpdatedSince {
		want.UpdatedSince = p.UpdatedSince
	}
	if !p.equal(want) {
		return reason.New(reason.ReplyMismatch, "the selection policy is not one for the request")
	}
	return nil
}

// equal compares what the policies say, not where their queries stand in memory.
func (p Policy) equal(q Policy) bool {
	if !p.Query.equal(q.Query) {
		return false
	}
	p.Query, q.Query = Query{}, Query{}
	return p == q
}

// Encode is the policy as it is committed to.
func (p Policy) Encode() []byte { return encode(p) }

// ParsePolicy reads a policy strictly. It returns [reason.PolicyInvalid].
func ParsePolicy(data []byte) (Policy, error) {
	var p Policy
	err := decode(data, &p)
	if err == nil {
		err = p.check()
	}
	if err != nil {
		return Policy{}, reason.Wrap(reason.PolicyInvalid, err, "not a selection policy")
	}
	return p, nil
}

func (p Policy) check() error {
	r := Request{Query: p.Query, MinConfidence: p.MinConfidence, Authority: p.Authority, MaxBytes: p.MaxBytes, MaxObjects: p.MaxObjects, Order: p.Order}
	if err := r.Check(); err != nil {
		return err
	}
	if p.Version != Version || p.Matcher == "" || p.Authority == "" || p.Order == "" || p.MaxBytes == 0 || p.MaxObjects == 0 {
		return reason.New(reason.OutOfRange, "a policy states every member")
	}
	if p.MaxCandidates < p.MaxObjects || p.MaxCandidates > projection.MaxEntries {
		return reason.New(reason.OutOfRange, "as many candidates as objects, or more").On("max_candidates")
	}
	return nil
}
