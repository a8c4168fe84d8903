package reason

// Form and encoding.
const (
	NotCanonical        Code = "not_canonical"         // bytes are not the one canonical encoding
	Malformed           Code = "malformed"             // not decodable, or a member missing or of the wrong type
	VersionUnsupported  Code = "version_unsupported"   // a format version this build does not know
	ContentInvalid      Code = "content_invalid"       // content outside what a canonical form admits
	ContentHashMismatch Code = "content_hash_mismatch" // content does not have the hash its record states
	FormUnsupported     Code = "form_unsupported"      // canonical form id unknown to this build
	MessageTooLarge     Code = "message_too_large"     // over the space's message limit in bytes
	TooManyEntries      Code = "too_many_entries"      // over the space's entry limit
	NestingTooDeep      Code = "nesting_too_deep"      // structured content nests deeper than the space's limit
	OutOfRange          Code = "out_of_range"          // a number outside its stated range
	NameInvalid         Code = "name_invalid"          // a name or text outside its grammar or length
)

// Identity and authorship.
const (
	KeyInvalid         Code = "key_invalid"         // not a canonical point, or of small order
	SignatureInvalid   Code = "signature_invalid"   // signature does not verify
	KeyUnknown         Code = "key_unknown"         // key id belongs to nobody at this place in the log
	KeyNotCurrent      Code = "key_not_current"     // key was rotated away at this place in the log
	AuthorMismatch     Code = "author_mismatch"     // record, delta, subject and key do not name one contributor
	SubjectMismatch    Code = "subject_mismatch"    // subject tokens differ from the signed fields
	StoreMismatch      Code = "store_mismatch"      // signed for another store
	SpaceMismatch      Code = "space_mismatch"      // signed for another space than the subject's
	SpaceUnknown       Code = "space_unknown"       // no such space at this place in the log
	ContributorUnknown Code = "contributor_unknown" // contributor neither enrolled nor derived
	ContributorRetired Code = "contributor_retired" // contributor was retired
	NotAdmitted        Code = "not_admitted"        // contributor's root is not enrolled for the space
	SignerNotOperator  Code = "signer_not_operator" // command not signed by an operator key in force
	SignerNotService   Code = "signer_not_service"  // entry not signed by a service key in force
	ThresholdNotMet    Code = "threshold_not_met"   // fewer valid signatures than genesis asks for
)

// Deltas.
const (
	RecordMissing    Code = "record_missing"     // delta names a record that the message does not carry
	RecordUnnamed    Code = "record_unnamed"     // message carries a record that the delta does not name
	NamedTwice       Code = "named_twice"        // an item or record named more than once
	RecordExists     Code = "record_exists"      // record id already in the store
	PairMismatch     Code = "pair_mismatch"      // pair names no earlier record of the space, or another hash
	PairMissing      Code = "pair_missing"       // a modification's record holds no pair to the item
	BaseSliceMissing Code = "base_slice_missing" // modified or absent entries without a base slice
	SliceUnknown     Code = "slice_unknown"      // base slice was never issued
	SliceForeign     Code = "slice_foreign"      // base slice was issued to another contributor
	NotInSlice       Code = "not_in_slice"       // item named by the delta is not in its base slice
	SequenceReused   Code = "sequence_reused"    // sequence number already used by another delta
	SequenceGap      Code = "sequence_gap"       // more than 2^20 above the highest sequence seen
	ErasedContent    Code = "erased_content"     // content was erased and may not be proposed again
	Duplicate        Code = "duplicate"          // the same delta or command was applied before
)

// Fleet facts and judgements.
const (
	AlreadyKnown      Code = "already_known"      // contributor, key, name or space exists
	NameTaken         Code = "name_taken"         // enrolled name in use
	ParentUnknown     Code = "parent_unknown"     // derive names an unknown parent
	ParentRetired     Code = "parent_retired"     // derive names a retired parent
	ParentQuarantined Code = "parent_quarantined" // derive names a quarantined parent
	Lineages          Code = "lineages"           // derive joins two lineages
	DepthExceeded     Code = "depth_exceeded"     // derivation deeper than 64
	ChildrenExceeded  Code = "children_exceeded"  // more than 256 children
	RecordUnknown     Code = "record_unknown"     // judgement names an unknown record
	ItemUnknown       Code = "item_unknown"       // no such item
	NotQuarantined    Code = "not_quarantined"    // release of a contributor without a quarantine
	PolicyInvalid     Code = "policy_invalid"     // a policy member outside its range
	PolicyFixed       Code = "policy_fixed"       // reputation policy changed after the space's first delta
	CommandUnknown    Code = "command_unknown"    // a command kind this build does not know
)

// Requests and replies.
const (
	ContributorQuarantined Code = "contributor_quarantined" // nothing is shown to a quarantined contributor
	ReplyMismatch          Code = "reply_mismatch"          // a reply that answers another request
	EmbedderNone           Code = "embedder_none"           // the space's policy names no model, or none that this service can use
	RequestStale           Code = "request_stale"           // a request whose time is too far from the service's clock, or seen before
)

// Running.
const (
	UsageError       Code = "usage"             // a command line that cannot be read
	NotFound         Code = "not_found"         // a file, name or id that does not exist
	Ambiguous        Code = "ambiguous"         // an id prefix or name that fits several
	Unreachable      Code = "unreachable"       // NATS or Postgres did not answer
	PermissionDenied Code = "permission_denied" // the NATS server does not let this key in, or use a subject
	TimedOut         Code = "timed_out"         // no answer within the time given
	LogRestored      Code = "log_restored"      // the log is older than, or other than, what the store has seen
	StreamForeign    Code = "stream_foreign"    // the stream's configuration is not this store's
	SchemaMismatch   Code = "schema_mismatch"   // database schema is not this build's
	PartitionHeld    Code = "partition_held"    // another worker merges the partition at this moment
	PartitionHalted  Code = "partition_stopped" // an entry failed and was not a data fault; the partition stopped
	Beyond           Code = "beyond"            // the space is past the sequence asked for
	Tampered         Code = "tampered"          // verification found altered records
)

// classes maps a code to its class; a code that is absent is a No.
var classes = map[Code]Class{
	UsageError: Usage, NotFound: Usage, Ambiguous: Usage, PolicyInvalid: Usage, OutOfRange: Usage, KeyInvalid: Usage, NameInvalid: Usage,
	SpaceUnknown: Usage, ContributorUnknown: Usage, RecordUnknown: Usage, ItemUnknown: Usage,
	Unreachable: Unavailable, TimedOut: Unavailable, LogRestored: Unavailable, StreamForeign: Unavailable,
	SchemaMismatch: Unavailable, PartitionHalted: Unavailable, PartitionHeld: Unavailable, Beyond: Unavailable,
}
