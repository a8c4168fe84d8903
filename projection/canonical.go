package projection

import "strconv"

// Canonical is the record in the form of RFC 8785, which is also how we write one.
func (r Record) Canonical() []byte { return r.appendTo(make([]byte, 0, r.room()), true) }

// room is about as many bytes as the record takes.
func (r Record) room() int { return 2048 + 448*len(r.Delivered) }

// Digest is SHA-256 over the canonical form of the complete record. The draft
// defines no such digest: it is an extension of ours, for references to a record
// from elsewhere.
func (r Record) Digest() Digest { return DigestOf(r.Canonical()) }

// SignedBytes are what the adapter signs: the version, one zero octet, and the
// canonical form without proof (section 6).
func (r Record) SignedBytes() []byte {
	return r.appendTo(append(append(make([]byte, 0, r.room()), Version...), 0), false)
}

// canonical appends JSON to bytes. Members are written in the order of RFC 8785,
// which for names in ASCII is that of their bytes.
type canonical []byte

func (r Record) appendTo(dst []byte, withProof bool) []byte {
	c := canonical(dst)
	c.text(`{"@version":`, r.Version)
	c.text(`,"adapter":{"id":`, r.Adapter.ID)
	c.text(`,"key_id":`, r.Adapter.KeyID)
	c.text(`},"created_at":`, r.CreatedAt.text)
	c.raw(`,"delivered":[`)
	for i, e := range r.Delivered {
		if i > 0 {
			c.raw(`,`)
		}
		c.entry(e)
	}
	c.raw(`]`)
	c.exclusions(r.Exclusions)
	c.nonclaims(r.Nonclaims)
	c.integer(`,"projection":{"byte_length":`, r.Projection.ByteLength)
	c.text(`,"digest":`, r.Projection.Digest.String())
	c.text(`,"encoding":`, r.Projection.Encoding)
	c.text(`},"projection_id":`, r.ProjectionID)
	if withProof {
		c.proof(r.Proof)
	}
	c.context(r.SelectionContext)
	c.text(`,"source_profile":`, r.SourceProfile)
	c.raw(`}`)
	return c
}

func (c *canonical) entry(e Entry) {
	c.raw(`{"author_key_id_b64u":`)
	if e.AuthorKey == "" {
		c.raw(`null`)
	} else {
		c.text(``, string(e.AuthorKey))
	}
	c.text(`,"authorship":`, string(e.Authorship))
	c.text(`,"context_fragment_digest":`, e.ContextFragmentDigest.String())
	c.flag(`,"custody_present":`, e.Custody)
	c.text(`,"derived_trust":`, string(e.Trust))
	c.integer(`,"object":{"format_version":`, e.FormatVersion)
	c.text(`,"sealed_object_digest":`, e.SealedObjectDigest.String())
	c.integer(`},"position":`, e.Position)
	c.raw(`}`)
}

func (c *canonical) exclusions(e Exclusions) {
	c.integer(`,"exclusions":{"by_reason":{"authentication_failed":`, e.ByReason[AuthenticationFailed])
	c.integer(`,"context_limit":`, e.ByReason[ContextLimit])
	c.integer(`,"policy_filtered":`, e.ByReason[PolicyFiltered])
	c.integer(`,"schema_invalid":`, e.ByReason[SchemaInvalid])
	c.integer(`},"total":`, e.Total)
	c.raw(`}`)
}

func (c *canonical) nonclaims(n Nonclaims) {
	c.text(`,"nonclaims":{"action_authorization":`, n.ActionAuthorization)
	c.text(`,"action_linkage":`, n.ActionLinkage)
	c.text(`,"execution_outcome":`, n.ExecutionOutcome)
	c.text(`,"model_use":`, n.ModelUse)
	c.raw(`}`)
}

func (c *canonical) proof(p Proof) {
	c.text(`,"proof":{"alg":`, p.Algorithm)
	c.text(`,"key_id":`, p.KeyID)
	c.text(`,"signature_b64u":`, string(KeyOf(p.Signature[:])))
	c.raw(`}`)
}

func (c *canonical) context(s SelectionContext) {
	c.text(`,"selection_context":{"context_frame_profile":`, s.ContextFrameProfile)
	c.text(`,"recall_request_digest":`, s.RecallRequestDigest.String())
	c.text(`,"selection_policy_digest":`, s.SelectionPolicyDigest.String())
	c.text(`,"trust_evaluated_at":`, s.TrustEvaluatedAt.text)
	c.text(`,"trust_snapshot_digest":`, s.TrustSnapshotDigest.String())
	c.raw(`}`)
}

func (c *canonical) raw(s string) { *c = append(*c, s...) }

func (c *canonical) integer(before string, n int64) {
	*c = strconv.AppendInt(append(*c, before...), n, 10)
}

// text writes a string with the escapes of RFC 8785 section 3.2.2.2: the short
// ones where JSON has them, \u00xx for other control characters, nothing else.
func (c *canonical) text(before, s string) {
	b := append(append(*c, before...), '"')
	plain := 0 // up to here s is written; most strings need no escape at all
	for i := range len(s) {
		ch := s[i]
		if ch >= ' ' && ch != '"' && ch != '\\' {
			continue
		}
		b = append(b, s[plain:i]...)
		plain = i + 1
		switch {
		case ch >= ' ':
			b = append(b, '\\', ch)
		case shortEscapes[ch] != 0:
			b = append(b, '\\', shortEscapes[ch])
		default:
			b = append(b, '\\', 'u', '0', '0', "0123456789abcdef"[ch>>4], "0123456789abcdef"[ch&15])
		}
	}
	b = append(b, s[plain:]...)
	*c = append(b, '"')
}

var shortEscapes = [' ']byte{'\b': 'b', '\t': 't', '\n': 'n', '\f': 'f', '\r': 'r'}

func (c *canonical) flag(before string, v bool) {
	*c = strconv.AppendBool(append(*c, before...), v)
}
