package projection

import (
	"encoding/json"
	"time"
)

// File is the policy as a file that [ParsePolicy] reads back, to the millisecond.
func (p Policy) File() []byte {
	type object = map[string]any
	pins, profiles, expected := []object{}, []object{}, object{}
	for _, pin := range p.Pins {
		pins = append(pins, object{
			"adapter_id": pin.AdapterID, "key_id": pin.KeyID, "public_key": pin.Key.String(), "status": pin.Status,
			"valid_from": TimestampOf(pin.ValidFrom).String(), "valid_to": TimestampOf(pin.ValidTo).String(),
		})
	}
	for _, pair := range p.Profiles {
		profiles = append(profiles, object{"source_profile": pair.Source, "context_frame_profile": pair.Frame})
	}
	for name, digest := range map[string]*Digest{
		"recall_request_digest": p.Expected.RecallRequest, "selection_policy_digest": p.Expected.SelectionPolicy,
		"trust_snapshot_digest": p.Expected.TrustSnapshot,
	} {
		if expected[name] = nil; digest != nil {
			expected[name] = digest.String()
		}
	}
	limit := func(d time.Duration) int64 { return d.Milliseconds() }
	text, err := json.MarshalIndent(object{
		"pins": pins, "profiles": profiles, "expected": expected, "single_use": p.SingleUse,
		"freshness": object{
			"max_creation_age_ms": limit(p.Freshness.MaxCreationAge), "max_trust_age_ms": limit(p.Freshness.MaxTrustAge),
			"max_trust_to_creation_ms": limit(p.Freshness.MaxTrustToCreation), "max_skew_ms": limit(p.Freshness.MaxSkew),
		},
		"allow_duplicates": p.AllowDuplicates, "refuse_imitations": p.RefuseImitations, "accept_other_bodies": p.AcceptOtherBodies,
	}, "", "  ")
	if err != nil {
		panic(err) // texts, numbers and flags
	}
	return append(text, '\n')
}
