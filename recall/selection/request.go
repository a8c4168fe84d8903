package selection

import (
	"consilience/reason"
)

// Bounds of what may be asked for.
const (
	MaxBytes   = 512 << 10 // bytes of a projection: it travels twice in one reply, framed and as objects
	MaxObjects = 256
	maxPpm     = 999_999
)

// Defaults of a [Request].
const (
	DefaultMaxBytes   = 64 << 10
	DefaultMaxObjects = 20
)

// Orders of delivery.
const (
	ByRelevance = "relevance" // what fits the query best
	ByBelief    = "belief"    // what the fleet believes most
	ByTime      = "newest"    // what changed last
)

// What may be delivered.
const (
	AnyTrust    = "any"     // also unverified objects, shown as such
	TrustedOnly = "trusted" // only what the store stands behind
)

// Request is a recall request as a contributor signs and commits to it. A member
// that is zero is absent and has the default that is stated.
type Request struct {
	Query Query `json:"query"`
	// MinConfidence is the lowest confidence that is delivered, ppm. Defaults to the
	// space's near-zero limit, below which nothing is delivered in any case.
	MinConfidence uint32 `json:"min_confidence,omitempty"`
	// Authority is what may be delivered. Defaults to [AnyTrust].
	Authority string `json:"authority,omitempty"`
	// MaxAge is how long ago an item may have changed last, milliseconds. Defaults to
	// no limit.
	MaxAge uint64 `json:"max_age_ms,omitempty"`
	// MaxBytes bounds the projection. Defaults to [DefaultMaxBytes].
	MaxBytes int64 `json:"max_bytes,omitempty"`
	// MaxObjects bounds what is delivered. Defaults to [DefaultMaxObjects].
	MaxObjects int64 `json:"max_objects,omitempty"`
	// Order is the order of delivery. Defaults to [ByRelevance].
	Order string `json:"order,omitempty"`
	// Imitations lets bodies pass that contain a frame's literals. Defaults to false.
	Imitations bool `json:"imitations,omitempty"`
	// Tainted lets items pass that rest on quarantined records. Defaults to false.
	Tainted bool `json:"tainted,omitempty"`
}

// ParseRequest reads a request strictly. It returns [reason.Malformed],
// [reason.NotCanonical] and [reason.OutOfRange].
func ParseRequest(data []byte) (Request, error) {
	var r Request
	if err := decode(data, &r); err != nil {
		return Request{}, err
	}
	return r, r.Check()
}

// Encode is the request as it is committed to.
func (r Request) Encode() []byte { return encode(r) }

// Check returns [reason.OutOfRange] or [reason.Malformed] for a request that no
// store answers.
func (r Request) Check() error {
	if err := r.Query.check(); err != nil {
		return err
	}
	for _, c := range []struct {
		name, want string
		ok         bool
	}{
		{"min_confidence", "at most 0.999999", r.MinConfidence <= maxPpm},
		{"authority", "any or trusted", r.Authority == "" || r.Authority == AnyTrust || r.Authority == TrustedOnly},
		{"max_age_ms", "at most a hundred years", r.MaxAge <= maxAge},
		{"max_bytes", "at most 524288", r.MaxBytes >= 0 && r.MaxBytes <= MaxBytes},
		{"max_objects", "at most 256", r.MaxObjects >= 0 && r.MaxObjects <= MaxObjects},
		{"order", "relevance, belief or newest", r.Order == "" || isOrder(r.Order)},
	} {
		if !c.ok {
			return reason.New(reason.OutOfRange, "a request can ask for %s", c.want).On(c.name)
		}
	}
	return nil
}

// maxAge is a hundred years, milliseconds.
const maxAge = 100 * 366 * 24 * 3600 * 1000

func isOrder(s string) bool { return s == ByRelevance || s == ByBelief || s == ByTime }
