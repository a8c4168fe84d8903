package projection

import (
	"time"

	"consilience/identity"
	"consilience/reason"
)

// MaxPolicyBytes bounds a policy file.
const MaxPolicyBytes = 1 << 20

// ParsePolicy reads a relying party's policy from its JSON file, as strictly as a
// record. It returns [reason.PolicyInvalid], or [AdapterKeyInvalid] for a pin whose
// key is no honest one. Durations are milliseconds; docs/projection.md shows a file.
func ParsePolicy(data []byte) (Policy, error) {
	if len(data) > MaxPolicyBytes {
		return Policy{}, reason.New(reason.PolicyInvalid, "a policy of more than %d bytes", MaxPolicyBytes)
	}
	var p Policy
	w := walker{data: data, code: reason.PolicyInvalid}
	if err := w.document(policyMembers(&p)); err != nil {
		return Policy{}, err
	}
	if err := p.Check(); err != nil {
		return Policy{}, err
	}
	return p, nil
}

func policyMembers(p *Policy) []member {
	return []member{
		{name: "pins", read: listOf(&p.Pins, pinMembers)},
		{name: "freshness", read: closed(
			member{name: "max_creation_age_ms", read: milliseconds(&p.Freshness.MaxCreationAge)},
			member{name: "max_trust_age_ms", read: milliseconds(&p.Freshness.MaxTrustAge)},
			member{name: "max_trust_to_creation_ms", read: milliseconds(&p.Freshness.MaxTrustToCreation)},
			member{name: "max_skew_ms", read: milliseconds(&p.Freshness.MaxSkew), optional: true})},
		{name: "profiles", read: listOf(&p.Profiles, profileMembers)},
		{name: "single_use", read: boolean(&p.SingleUse)},
		{name: "expected", optional: true, read: closed(
			member{name: "recall_request_digest", read: orNull(&p.Expected.RecallRequest), optional: true},
			member{name: "selection_policy_digest", read: orNull(&p.Expected.SelectionPolicy), optional: true},
			member{name: "trust_snapshot_digest", read: orNull(&p.Expected.TrustSnapshot), optional: true})},
		{name: "allow_duplicates", read: boolean(&p.AllowDuplicates), optional: true},
		{name: "refuse_imitations", read: boolean(&p.RefuseImitations), optional: true},
		{name: "accept_other_bodies", read: boolean(&p.AcceptOtherBodies), optional: true},
	}
}

func pinMembers(p *Pin) []member {
	return []member{
		{name: "adapter_id", read: adapterID(&p.AdapterID)},
		{name: "key_id", read: name(&p.KeyID)},
		{name: "public_key", read: publicKey(&p.Key)},
		{name: "status", read: oneOf(&p.Status, Active, Inactive, Revoked, Compromised)},
		{name: "valid_from", read: instant(&p.ValidFrom)},
		{name: "valid_to", read: instant(&p.ValidTo)},
	}
}

func profileMembers(p *Profile) []member {
	return []member{
		{name: "source_profile", read: name(&p.Source)},
		{name: "context_frame_profile", read: name(&p.Frame)},
	}
}

// maxListed bounds the lists of a policy file.
const maxListed = 4096

func listOf[T any](to *[]T, members func(*T) []member) func(*walker) bool {
	return func(w *walker) bool {
		return w.list(func(i int) bool {
			if i >= maxListed {
				return w.fail("a list that is too long")
			}
			var v T
			ok := w.object(members(&v))
			*to = append(*to, v)
			return ok
		})
	}
}

// maxLimit is the largest duration of a policy file, a hundred years: below what a
// [time.Duration] holds, and far above any freshness that deserves the name.
const maxLimit = 100 * 366 * 24 * time.Hour

func milliseconds(to *time.Duration) func(*walker) bool {
	return func(w *walker) bool {
		n, ok := w.integer(0)
		if !ok || n > maxLimit.Milliseconds() {
			return w.fail("milliseconds of at most a hundred years expected")
		}
		*to = time.Duration(n) * time.Millisecond
		return true
	}
}

func instant(to *time.Time) func(*walker) bool {
	return func(w *walker) bool {
		var t Timestamp
		ok := timestamp(&t)(w)
		*to = t.at
		return ok
	}
}

func orNull(to **Digest) func(*walker) bool {
	return func(w *walker) bool {
		if w.take("null") {
			return true
		}
		*to = new(Digest)
		return digest(*to)(w)
	}
}

// publicKey reads a raw Ed25519 key, 32 bytes in base64url, and refuses one under
// which anybody could sign (AP-12).
func publicKey(to *identity.PublicKey) func(*walker) bool {
	return func(w *walker) bool {
		s, ok := w.text()
		if !ok {
			return false
		}
		raw, ok := decodeB64U(s)
		if !ok {
			return w.fail("a key in unpadded base64url expected")
		}
		key, err := identity.NewPublicKey(raw)
		if err != nil {
			return w.failAs(AdapterKeyInvalid, "32 bytes of an Ed25519 key that is canonical and not of small order expected")
		}
		*to = key
		return true
	}
}
