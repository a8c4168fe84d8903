package projection

import "consilience/reason"

// Reasons of the published vector set. Their spelling is shared with other
// implementations and never changes.
const (
	RecordInvalid               reason.Code = "record_invalid"                             // not the closed I-JSON record of this version
	VersionUnsupported          reason.Code = reason.VersionUnsupported                    // @version is another one
	SignatureInvalid            reason.Code = reason.SignatureInvalid                      // signature does not verify
	DeliveredOrderInvalid       reason.Code = "delivered_order_invalid"                    // a position is not its index
	SourceResultInvalid         reason.Code = "source_result_invalid"                      // trust, authorship, key and custody contradict each other
	SourceObjectDigestMismatch  reason.Code = "source_object_digest_mismatch"              // an object is not the committed one
	FragmentDigestMismatch      reason.Code = "fragment_digest_mismatch"                   // a fragment is not the committed one
	ConcatenationMismatch       reason.Code = "projection_fragment_concatenation_mismatch" // the projection is not its fragments in order
	ProjectionLengthMismatch    reason.Code = "projection_length_mismatch"                 // byte_length differs
	ProjectionDigestMismatch    reason.Code = "projection_digest_mismatch"                 // digest differs
	RecallRequestDigestMismatch reason.Code = "recall_request_digest_mismatch"             // another recall request
	SelectionPolicyMismatch     reason.Code = "selection_policy_digest_mismatch"           // another selection policy
	TrustSnapshotDigestMismatch reason.Code = "trust_snapshot_digest_mismatch"             // another trust snapshot
	ExclusionCountMismatch      reason.Code = "exclusion_count_mismatch"                   // total is not the sum of the counters
	NonclaimInvalid             reason.Code = "nonclaim_invalid"                           // a nonclaim was changed
	ProofKeyMismatch            reason.Code = "proof_key_mismatch"                         // proof.key_id is not adapter.key_id
	AdapterKeyNotPinned         reason.Code = "adapter_key_not_pinned"                     // key id in no pin
	AdapterKeyRevoked           reason.Code = "adapter_key_revoked"                        // pin is revoked or compromised
	AdapterKeyInactive          reason.Code = "adapter_key_inactive"                       // pin inactive, or outside its validity
	AdapterKeyInvalid           reason.Code = "adapter_key_invalid"                        // pinned key is no honest Ed25519 key
	TrustSnapshotStale          reason.Code = "trust_snapshot_stale"                       // trust was evaluated too long ago
	TrustSnapshotFromFuture     reason.Code = "trust_snapshot_from_future"                 // trust evaluated after now, or after creation
	ProjectionStale             reason.Code = "projection_stale"                           // record was created too long ago
	ProjectionFromFuture        reason.Code = "projection_from_future"                     // record was created after now
	ProjectionReplay            reason.Code = "projection_replay"                          // projection id was used before
	RegistryMissing             reason.Code = "projection_registry_missing"                // single use asked for, nothing to register with
	NativeResultMismatch        reason.Code = "native_source_result_mismatch"              // source reader says otherwise
	NativeVerifierMissing       reason.Code = "native_source_verifier_missing"             // no source reader supplied
	SourceProfileMismatch       reason.Code = "source_profile_mismatch"                    // source profile not expected
	FrameProfileMismatch        reason.Code = "context_frame_profile_mismatch"             // frame profile not expected with this source
	MaterialMissing             reason.Code = "verification_material_missing"              // bytes to recompute a digest from are absent
)

// Reasons of our own, for checks that the published set has no name for.
const (
	FragmentLabelMismatch     reason.Code = "fragment_label_mismatch"     // a fragment's frame does not say what its entry says
	FragmentBodyMismatch      reason.Code = "fragment_body_mismatch"      // a fragment's body is not the opened object's
	FragmentEncodingInvalid   reason.Code = "fragment_encoding_invalid"   // a fragment alone is not UTF-8
	DeliveredDuplicate        reason.Code = "delivered_duplicate"         // one object delivered twice
	AdapterIDMismatch         reason.Code = "adapter_id_mismatch"         // key pinned for another adapter
	TrustSnapshotInvalid      reason.Code = "trust_snapshot_invalid"      // snapshot bytes are not of the source profile
	TrustSnapshotInconsistent reason.Code = "trust_snapshot_inconsistent" // an entry's trust cannot follow from the snapshot
	ResourceLimit             reason.Code = "resource_limit"              // larger than a verifier reads
)
