package projection_test

import (
	"context"
	"testing"
	"time"

	"consilience/identity"
	"consilience/projection"
	"consilience/reason"
)

// P-14, AP-5: a pin is a pair.
func TestPinsArePairs(t *testing.T) {
	b := genuine(t)
	b.edit(t, "adapter.id", `"urn:apertomemory:adapter:other"`)
	wantCode(t, b.verify(t), projection.AdapterIDMismatch)

	b = genuine(t)
	b.edit(t, "adapter.key_id", `"other"`, "proof.key_id", `"other"`)
	wantCode(t, b.verify(t), projection.AdapterKeyNotPinned)

	// Another adapter with a key id of its own by the same name does no harm.
	b = genuine(t)
	other := b.policy.Pins[0]
	other.AdapterID = "urn:apertomemory:adapter:other"
	b.policy.Pins = append([]projection.Pin{other}, b.policy.Pins...)
	if err := b.verify(t); err != nil {
		t.Error(err)
	}
	b.policy.Pins = append(b.policy.Pins, other)
	wantCode(t, b.verify(t), reason.PolicyInvalid)
}

// P-15: the proof names the adapter's key, character for character and in one
// normal form.
func TestProofNamesTheAdapterKey(t *testing.T) {
	for _, id := range []string{"Apertomemory-adapter-key-2026-07", "apertomemory-adapter-key-2026-08", "apertomemory-adapter-key-2026-07 "} {
		b := genuine(t)
		b.edit(t, "proof.key_id", `"`+id+`"`)
		wantCode(t, b.verify(t), projection.ProofKeyMismatch)
	}
	b := genuine(t)
	b.policy.Pins[0].KeyID = "cl\u00e9"
	b.edit(t, "adapter.key_id", "\"cl\u00e9\"", "proof.key_id", "\"cle\u0301\"")
	wantCode(t, b.verify(t), projection.ProofKeyMismatch)
}

// P-81, AP-13: the key is valid at creation and at verification, inclusive; a
// revoked or compromised one never is.
func TestKeyCurrency(t *testing.T) {
	created := func(b *bench) time.Time { r, _ := projection.Parse(b.record); return r.CreatedAt.Time() }
	for what, c := range map[string]struct {
		change func(b *bench)
		want   reason.Code
	}{
		"revoked":              {func(b *bench) { b.policy.Pins[0].Status = projection.Revoked }, projection.AdapterKeyRevoked},
		"compromised":          {func(b *bench) { b.policy.Pins[0].Status = projection.Compromised }, projection.AdapterKeyRevoked},
		"inactive":             {func(b *bench) { b.policy.Pins[0].Status = projection.Inactive }, projection.AdapterKeyInactive},
		"valid since creation": {func(b *bench) { b.policy.Pins[0].ValidFrom = created(b) }, ""},
		"valid after creation": {func(b *bench) { b.policy.Pins[0].ValidFrom = created(b).Add(1) }, projection.AdapterKeyInactive},
		"valid until now":      {func(b *bench) { b.policy.Pins[0].ValidTo = b.now }, ""},
		"expired before now":   {func(b *bench) { b.policy.Pins[0].ValidTo = b.now.Add(-1) }, projection.AdapterKeyInactive},
		"expired at creation":  {func(b *bench) { b.policy.Pins[0].ValidTo = created(b).Add(-1) }, projection.AdapterKeyInactive},
	} {
		b := genuine(t)
		c.change(b)
		if err := b.verify(t); reason.Of(err) != c.want {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		}
	}
}

// P-16, P-17, P-83, AP-6: every limit is inclusive, to the nanosecond, and each
// distance has its own.
func TestFreshness(t *testing.T) {
	trust := time.Date(2026, 7, 29, 17, 0, 0, 0, time.UTC)
	created := trust.Add(time.Second)
	limits := projection.Freshness{MaxCreationAge: time.Minute, MaxTrustAge: 2 * time.Minute, MaxTrustToCreation: time.Second}
	for what, c := range map[string]struct {
		now    time.Time
		change func(f *projection.Freshness)
		want   reason.Code
	}{
		"at once":                {created, nil, ""},
		"creation limit":         {created.Add(time.Minute), nil, ""},
		"past creation limit":    {created.Add(time.Minute + 1), nil, projection.ProjectionStale},
		"trust limit":            {trust.Add(time.Minute), func(f *projection.Freshness) { f.MaxTrustAge = time.Minute }, ""},
		"past trust limit":       {trust.Add(time.Minute + 1), func(f *projection.Freshness) { f.MaxTrustAge = time.Minute }, projection.TrustSnapshotStale},
		"generous for creation":  {trust.Add(time.Hour), func(f *projection.Freshness) { f.MaxCreationAge = 24 * time.Hour }, projection.TrustSnapshotStale},
		"distance limit":         {created, func(f *projection.Freshness) { f.MaxTrustToCreation = time.Second - 1 }, projection.TrustSnapshotStale},
		"before creation":        {created.Add(-1), nil, projection.ProjectionFromFuture},
		"before trust":           {trust.Add(-1), nil, projection.TrustSnapshotFromFuture},
		"within skew":            {trust, func(f *projection.Freshness) { f.MaxSkew = time.Second }, ""},
		"beyond skew":            {trust.Add(-1), func(f *projection.Freshness) { f.MaxSkew = time.Second }, projection.ProjectionFromFuture},
		"trust beyond skew":      {trust.Add(-time.Second - 1), func(f *projection.Freshness) { f.MaxSkew = time.Second }, projection.TrustSnapshotFromFuture},
		"three hundred years on": {created.AddDate(300, 0, 0), nil, projection.TrustSnapshotStale},
	} {
		b := genuine(t)
		b.now, b.policy.Freshness = c.now, limits
		b.policy.Pins[0].ValidFrom, b.policy.Pins[0].ValidTo = trust.AddDate(-1, 0, 0), trust.AddDate(400, 0, 0)
		if c.change != nil {
			c.change(&b.policy.Freshness)
		}
		if err := b.verify(t); reason.Of(err) != c.want {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		}
	}
	b := genuine(t)
	b.edit(t, "selection_context.trust_evaluated_at", `"2026-07-29T17:00:01.000000001Z"`)
	wantCode(t, b.verify(t), projection.TrustSnapshotFromFuture)
}

// P-16, P-70, AP-6, AP-12: a verifier does not run without limits, profiles or
// honest pins.
func TestPoliciesThatDoNotRun(t *testing.T) {
	smallOrder := identity.PublicKey{1} // the neutral element: everything verifies under it
	for what, c := range map[string]struct {
		change func(p *projection.Policy)
		want   reason.Code
	}{
		"no creation limit":    {func(p *projection.Policy) { p.Freshness.MaxCreationAge = 0 }, reason.PolicyInvalid},
		"no trust limit":       {func(p *projection.Policy) { p.Freshness.MaxTrustAge = 0 }, reason.PolicyInvalid},
		"no distance limit":    {func(p *projection.Policy) { p.Freshness.MaxTrustToCreation = 0 }, reason.PolicyInvalid},
		"negative limit":       {func(p *projection.Policy) { p.Freshness.MaxTrustAge = -1 }, reason.PolicyInvalid},
		"negative skew":        {func(p *projection.Policy) { p.Freshness.MaxSkew = -1 }, reason.PolicyInvalid},
		"no profile":           {func(p *projection.Policy) { p.Profiles = nil }, reason.PolicyInvalid},
		"no status":            {func(p *projection.Policy) { p.Pins[0].Status = "" }, reason.PolicyInvalid},
		"no validity":          {func(p *projection.Policy) { p.Pins[0].ValidFrom = time.Time{} }, reason.PolicyInvalid},
		"no adapter id":        {func(p *projection.Policy) { p.Pins[0].AdapterID = "" }, reason.PolicyInvalid},
		"no key id":            {func(p *projection.Policy) { p.Pins[0].KeyID = "" }, reason.PolicyInvalid},
		"key id of two lines":  {func(p *projection.Policy) { p.Pins[0].KeyID = "a\nb" }, reason.PolicyInvalid},
		"small-order key":      {func(p *projection.Policy) { p.Pins[0].Key = smallOrder }, projection.AdapterKeyInvalid},
		"no key":               {func(p *projection.Policy) { p.Pins[0].Key = identity.PublicKey{} }, projection.AdapterKeyInvalid},
		"single use, nowhere":  {func(p *projection.Policy) { p.SingleUse = true }, projection.RegistryMissing},
		"no pins, no verifier": {func(p *projection.Policy) { p.Pins = nil }, projection.AdapterKeyNotPinned},
	} {
		b := genuine(t)
		c.change(&b.policy)
		if err := b.verify(t); reason.Of(err) != c.want {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		}
	}
}

// P-21, P-43, AP-20: profiles come in listed pairs.
func TestProfilePairs(t *testing.T) {
	b := genuine(t)
	own := b.policy.Profiles[0]
	for what, c := range map[string]struct {
		listed projection.Profile
		want   reason.Code
	}{
		"other source":        {projection.Profile{Source: "urn:x:s", Frame: own.Frame}, projection.SourceProfileMismatch},
		"other frame":         {projection.Profile{Source: own.Source, Frame: "urn:x:f"}, projection.FrameProfileMismatch},
		"other both":          {projection.Profile{Source: "urn:x:s", Frame: "urn:x:f"}, projection.SourceProfileMismatch},
		"listed among others": {own, ""},
	} {
		b := genuine(t)
		b.policy.Profiles = []projection.Profile{{Source: "urn:x:a", Frame: "urn:x:b"}, c.listed}
		if err := b.verify(t); reason.Of(err) != c.want {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		}
	}
	b.policy.Profiles = []projection.Profile{{Source: own.Source, Frame: "urn:x:f"}, {Source: "urn:x:a", Frame: own.Frame}}
	wantCode(t, b.envelope(t), projection.FrameProfileMismatch)
	b.policy.Profiles = []projection.Profile{own}
	// P-27: an unknown pair that the policy lists passes the envelope with any format
	// version from 1, and nothing can open its objects.
	b.policy.Profiles = append(b.policy.Profiles, projection.Profile{Source: "urn:x:s", Frame: "urn:x:f"})
	b.edit(t, "source_profile", `"urn:x:s"`, "selection_context.context_frame_profile", `"urn:x:f"`, "delivered.0.object.format_version", "77")
	if err := b.envelope(t); err != nil {
		t.Error(err)
	}
	wantCode(t, b.verify(t), projection.SourceProfileMismatch)
	b.edit(t, "source_profile", `"`+own.Source+`"`)
	b.policy.Profiles = append(b.policy.Profiles, projection.Profile{Source: own.Source, Frame: "urn:x:f"})
	wantCode(t, b.verify(t), projection.FrameProfileMismatch)
	b.material.Source = nil
	wantCode(t, b.verify(t), projection.NativeVerifierMissing)
}

// P-102: a policy that expects digests refuses every other one.
func TestExpectedDigests(t *testing.T) {
	own := projection.Digest{}
	for i, c := range []struct {
		expect func(e *projection.Expected, d *projection.Digest)
		want   reason.Code
	}{
		{func(e *projection.Expected, d *projection.Digest) { e.RecallRequest = d }, projection.RecallRequestDigestMismatch},
		{func(e *projection.Expected, d *projection.Digest) { e.SelectionPolicy = d }, projection.SelectionPolicyMismatch},
		{func(e *projection.Expected, d *projection.Digest) { e.TrustSnapshot = d }, projection.TrustSnapshotDigestMismatch},
	} {
		b := genuine(t)
		c.expect(&b.policy.Expected, &own)
		wantCode(t, b.envelope(t), c.want)
		right := projection.DigestOf([][]byte{b.material.RecallRequest, b.material.SelectionPolicy, b.material.TrustSnapshot}[i])
		c.expect(&b.policy.Expected, &right)
		if err := b.envelope(t); err != nil {
			t.Error(err)
		}
	}
}

// A verifier keeps the policy it was made with.
func TestPolicyIsFixed(t *testing.T) {
	b := genuine(t)
	right := projection.DigestOf(b.material.RecallRequest)
	b.policy.Expected.RecallRequest = &right
	v := b.verifier(t)
	right[0]++
	b.policy.Pins[0].Status = projection.Revoked
	b.policy.Profiles[0] = projection.Profile{}
	if _, err := v.Envelope(context.Background(), b.record); err != nil {
		t.Error(err)
	}
}
