package projection

import "consilience/reason"

// Parse reads a record strictly: exact member sets on every level, types,
// enumerations, timestamps, digest and base64url syntax (section 8, step 1). It
// returns [RecordInvalid], [VersionUnsupported], [NonclaimInvalid] or
// [ResourceLimit]. It checks nothing that a member says about another one; see
// [Verifier].
func Parse(data []byte) (Record, error) {
	if len(data) > MaxRecordBytes {
		return Record{}, reason.New(ResourceLimit, "a record of more than %d bytes", MaxRecordBytes)
	}
	var r Record
	w := walker{data: data, code: RecordInvalid}
	if err := w.document(recordMembers(&r)); err != nil {
		return Record{}, err
	}
	return r, nil
}

func recordMembers(r *Record) []member {
	return []member{
		{name: "@version", read: func(w *walker) bool { return w.constant(&r.Version, Version, VersionUnsupported) }},
		{name: "source_profile", read: name(&r.SourceProfile)},
		{name: "projection_id", read: uri(&r.ProjectionID)},
		{name: "created_at", read: timestamp(&r.CreatedAt)},
		{name: "adapter", read: closed(
			member{name: "id", read: adapterID(&r.Adapter.ID)},
			member{name: "key_id", read: name(&r.Adapter.KeyID)})},
		{name: "selection_context", read: contextMembers(&r.SelectionContext)},
		{name: "delivered", read: entries(&r.Delivered)},
		{name: "exclusions", read: exclusionMembers(&r.Exclusions)},
		{name: "projection", read: closed(
			member{name: "encoding", read: is(&r.Projection.Encoding, Encoding)},
			member{name: "byte_length", read: integer(&r.Projection.ByteLength, 0)},
			member{name: "digest", read: digest(&r.Projection.Digest)})},
		{name: "nonclaims", read: nonclaimMembers(&r.Nonclaims)},
		{name: "proof", read: closed(
			member{name: "alg", read: is(&r.Proof.Algorithm, Algorithm)},
			member{name: "key_id", read: name(&r.Proof.KeyID)},
			member{name: "signature_b64u", read: signature(&r.Proof.Signature)})},
	}
}

func contextMembers(c *SelectionContext) func(*walker) bool {
	return closed(
		member{name: "recall_request_digest", read: digest(&c.RecallRequestDigest)},
		member{name: "selection_policy_digest", read: digest(&c.SelectionPolicyDigest)},
		member{name: "trust_snapshot_digest", read: digest(&c.TrustSnapshotDigest)},
		member{name: "trust_evaluated_at", read: timestamp(&c.TrustEvaluatedAt)},
		member{name: "context_frame_profile", read: name(&c.ContextFrameProfile)})
}

func exclusionMembers(e *Exclusions) func(*walker) bool {
	var reasons []member
	for i := range e.ByReason {
		reasons = append(reasons, member{name: exclusionNames[i], read: integer(&e.ByReason[i], 0)})
	}
	return closed(
		member{name: "total", read: integer(&e.Total, 0)},
		member{name: "by_reason", read: closed(reasons...)})
}

func nonclaimMembers(n *Nonclaims) func(*walker) bool {
	fields := []struct {
		name string
		to   *string
	}{
		{"model_use", &n.ModelUse},
		{"action_linkage", &n.ActionLinkage},
		{"action_authorization", &n.ActionAuthorization},
		{"execution_outcome", &n.ExecutionOutcome},
	}
	var members []member
	for _, f := range fields {
		members = append(members, member{name: f.name, read: func(w *walker) bool {
			return w.constant(f.to, NotEstablished, NonclaimInvalid)
		}})
	}
	return closed(members...)
}

// entries reads delivered.
func entries(to *[]Entry) func(*walker) bool {
	return func(w *walker) bool {
		return w.list(func(i int) bool {
			if i >= MaxEntries {
				return w.failAs(ResourceLimit, "more entries than a verifier reads")
			}
			var e Entry
			ok := w.object(entryMembers(&e))
			*to = append(*to, e)
			return ok
		})
	}
}

func entryMembers(e *Entry) []member {
	return []member{
		{name: "position", read: integer(&e.Position, 0)},
		{name: "object", read: closed(
			member{name: "format_version", read: integer(&e.FormatVersion, 1)},
			member{name: "sealed_object_digest", read: digest(&e.SealedObjectDigest)})},
		{name: "context_fragment_digest", read: digest(&e.ContextFragmentDigest)},
		{name: "derived_trust", read: oneOf(&e.Trust, Self, Trusted, Unverified)},
		{name: "authorship", read: oneOf(&e.Authorship, Signed, Attested, Unknown)},
		{name: "author_key_id_b64u", read: authorKey(&e.AuthorKey)},
		{name: "custody_present", read: boolean(&e.Custody)},
	}
}
