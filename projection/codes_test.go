package projection_test

import (
	"fmt"
	"strings"
	"testing"

	"consilience/projection"
	"consilience/reason"
)

// The codes are shared with other implementations and with whoever scripts against
// them: their spelling and their exit status never change.
func TestCodesAreStable(t *testing.T) {
	const spelled = `record_invalid version_unsupported signature_invalid delivered_order_invalid source_result_invalid
		source_object_digest_mismatch fragment_digest_mismatch projection_fragment_concatenation_mismatch
		projection_length_mismatch projection_digest_mismatch recall_request_digest_mismatch
		selection_policy_digest_mismatch trust_snapshot_digest_mismatch exclusion_count_mismatch nonclaim_invalid
		proof_key_mismatch adapter_key_not_pinned adapter_key_revoked adapter_key_inactive adapter_key_invalid
		trust_snapshot_stale trust_snapshot_from_future projection_stale projection_from_future projection_replay
		projection_registry_missing native_source_result_mismatch native_source_verifier_missing
		source_profile_mismatch context_frame_profile_mismatch verification_material_missing
		fragment_label_mismatch fragment_body_mismatch fragment_encoding_invalid delivered_duplicate adapter_id_mismatch
		trust_snapshot_invalid trust_snapshot_inconsistent resource_limit`
	codes := []reason.Code{projection.RecordInvalid, projection.VersionUnsupported, projection.SignatureInvalid,
		projection.DeliveredOrderInvalid, projection.SourceResultInvalid, projection.SourceObjectDigestMismatch,
		projection.FragmentDigestMismatch, projection.ConcatenationMismatch, projection.ProjectionLengthMismatch,
		projection.ProjectionDigestMismatch, projection.RecallRequestDigestMismatch, projection.SelectionPolicyMismatch,
		projection.TrustSnapshotDigestMismatch, projection.ExclusionCountMismatch, projection.NonclaimInvalid,
		projection.ProofKeyMismatch, projection.AdapterKeyNotPinned, projection.AdapterKeyRevoked, projection.AdapterKeyInactive,
		projection.AdapterKeyInvalid, projection.TrustSnapshotStale, projection.TrustSnapshotFromFuture, projection.ProjectionStale,
		projection.ProjectionFromFuture, projection.ProjectionReplay, projection.RegistryMissing, projection.NativeResultMismatch,
		projection.NativeVerifierMissing, projection.SourceProfileMismatch, projection.FrameProfileMismatch, projection.MaterialMissing,
		projection.FragmentLabelMismatch, projection.FragmentBodyMismatch, projection.FragmentEncodingInvalid,
		projection.DeliveredDuplicate, projection.AdapterIDMismatch, projection.TrustSnapshotInvalid,
		projection.TrustSnapshotInconsistent, projection.ResourceLimit}
	want := strings.Fields(spelled)
	if len(want) != len(codes) {
		t.Fatalf("%d codes, %d spelled", len(codes), len(want))
	}
	for i, c := range codes {
		if string(c) != want[i] {
			t.Errorf("%s, want %s", c, want[i])
		}
		if reason.ClassOf(reason.New(c, "x")) != reason.No {
			t.Errorf("%s is no No", c)
		}
	}
}

// AP-3: a verifier reads at most 65535 entries, and a bounded record.
func TestResourceLimits(t *testing.T) {
	record := tree(t, genuine(t).record)
	entry := record.at("delivered.0").String()
	all := make([]string, projection.MaxEntries+1)
	for i := range all {
		all[i] = strings.Replace(entry, `"position":0`, fmt.Sprintf(`"position":%d`, i), 1)
	}
	with := func(n int) error {
		record.set("delivered", "["+strings.Join(all[:n], ",")+"]")
		_, err := projection.Parse([]byte(record.String()))
		return err
	}
	if err := with(projection.MaxEntries); err != nil {
		t.Error(err)
	}
	wantCode(t, with(projection.MaxEntries+1), projection.ResourceLimit)
	_, err := projection.Parse(make([]byte, projection.MaxRecordBytes+1))
	wantCode(t, err, projection.ResourceLimit)
}
