package projection

import "time"

// Version is the value of @version and, in front of one zero octet, the domain of
// the signature (sections 4.1 and 6 of the draft).
const Version = "MEMORY-PROJECTION-RECORD-v1"

// The only values that this version has for these members.
const (
	Encoding       = "utf-8"           // projection.encoding
	Algorithm      = "Ed25519"         // proof.alg
	NotEstablished = "NOT_ESTABLISHED" // each of the four nonclaims
)

// Record is a Memory Projection Record (section 4). A Record from [Parse] or from
// a [Producer] has the form of this version; every member is required.
type Record struct {
	Version          string
	SourceProfile    string
	ProjectionID     string // an absolute URI
	CreatedAt        Timestamp
	Adapter          Adapter
	SelectionContext SelectionContext
	Delivered        []Entry // in projection order
	Exclusions       Exclusions
	Projection       Commitment
	Nonclaims        Nonclaims
	Proof            Proof
}

// Adapter names the producer and the key that a relying party looks up. The key
// itself is never part of a record.
type Adapter struct {
	ID    string
	KeyID string
}

// SelectionContext commits to what decided the selection (section 4.2).
type SelectionContext struct {
	RecallRequestDigest   Digest
	SelectionPolicyDigest Digest
	TrustSnapshotDigest   Digest
	TrustEvaluatedAt      Timestamp
	ContextFrameProfile   string
}

// Entry is one delivered object (section 4.3).
type Entry struct {
	Position              int64 // zero-based, equal to the index
	FormatVersion         int64 // object.format_version, from 1, meant for the source profile
	SealedObjectDigest    Digest
	ContextFragmentDigest Digest
	Labels
}

// Labels are the source profile's own findings about an object. They are carried,
// never derived here.
type Labels struct {
	Trust      Trust
	Authorship Authorship
	AuthorKey  AuthorKey
	Custody    bool // a custody record is present
}

// Trust is derived_trust.
type Trust string

// The closed values of derived_trust.
const (
	Self       Trust = "self"
	Trusted    Trust = "trusted"
	Unverified Trust = "unverified"
)

// Authorship is the authorship member.
type Authorship string

// The closed values of authorship.
const (
	Signed   Authorship = "signed"
	Attested Authorship = "attested"
	Unknown  Authorship = "unknown"
)

// AuthorKey is author_key_id_b64u: canonical unpadded base64url, or "" for null.
type AuthorKey string

// Exclusions count what was not delivered, one reason each (section 4.4).
type Exclusions struct {
	Total    int64
	ByReason [exclusionReasons]int64 // indexed by [Exclusion]
}

// Commitment fixes the complete projection bytes.
type Commitment struct {
	Encoding   string
	ByteLength int64
	Digest     Digest
}

// Nonclaims are what the record says it does not establish (section 2).
type Nonclaims struct {
	ModelUse            string
	ActionLinkage       string
	ActionAuthorization string
	ExecutionOutcome    string
}

// Proof is the adapter's signature. It is outside of what it signs.
type Proof struct {
	Algorithm string
	KeyID     string
	Signature [64]byte
}

// Timestamp is an instant with the text it was written as: the signature covers
// the text, comparisons use the instant at full precision.
type Timestamp struct {
	text string
	at   time.Time
}

// Time is the instant.
func (t Timestamp) Time() time.Time { return t.at }

// String is the text as it stands in the record.
func (t Timestamp) String() string { return t.text }

// noNonclaims is what every record of this version states.
func noNonclaims() Nonclaims {
	return Nonclaims{NotEstablished, NotEstablished, NotEstablished, NotEstablished}
}
