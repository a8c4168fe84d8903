package projection

import (
	"slices"
	"time"

	"consilience/identity"
	"consilience/reason"
)

// Policy is what a relying party holds outside of any record: whom it believes,
// for how long, and what it expects. [ParsePolicy] reads it from a file.
type Policy struct {
	// Pins are the adapter keys that the relying party knows.
	Pins []Pin
	// Freshness limits are all required; there is no "for ever".
	Freshness Freshness
	// Profiles are the pairs of source and frame profile that are accepted, at least one.
	Profiles []Profile
	// SingleUse refuses a projection id that was registered before.
	SingleUse bool
	// Expected digests; nil expects none in particular.
	Expected Expected
	// AllowDuplicates lets one object be delivered twice. Defaults to false (AP-16).
	AllowDuplicates bool
	// RefuseImitations refuses a fragment whose body contains a frame's literals.
	// Defaults to false: the digests decide, and the selection policy is the place
	// that drops such objects (AP-9).
	RefuseImitations bool
	// AcceptOtherBodies lets a fragment carry another body than the object that was
	// opened for it. Defaults to false (AP-17).
	AcceptOtherBodies bool
}

// Pin is an adapter key as the relying party knows it. The pair of AdapterID and
// KeyID is unique in a policy.
type Pin struct {
	AdapterID string
	KeyID     string
	Key       identity.PublicKey
	Status    KeyStatus
	ValidFrom time.Time // inclusive
	ValidTo   time.Time // inclusive
}

// KeyStatus says whether a pinned key may be used at all.
type KeyStatus string

// The statuses of a pin. Revoked and Compromised are refused whatever the record's
// creation time says, because that is the signer's own claim (AP-13).
const (
	Active      KeyStatus = "active"
	Inactive    KeyStatus = "inactive"
	Revoked     KeyStatus = "revoked"
	Compromised KeyStatus = "compromised"
)

// Freshness bounds the distances between the evaluation of trust, the creation of
// the record and the relying party's clock (section 4.1). Limits are inclusive.
type Freshness struct {
	MaxCreationAge     time.Duration // now - created_at; required, positive
	MaxTrustAge        time.Duration // now - trust_evaluated_at; required, positive
	MaxTrustToCreation time.Duration // created_at - trust_evaluated_at; required, positive
	MaxSkew            time.Duration // how far ahead of now either may be. Defaults to 0
}

// Expected are digests that the relying party insists on, whatever was signed.
type Expected struct {
	RecallRequest   *Digest
	SelectionPolicy *Digest
	TrustSnapshot   *Digest
}

// Check returns [reason.PolicyInvalid] or [AdapterKeyInvalid] for a policy that a
// verifier must not run under.
func (p Policy) Check() error {
	if err := p.Freshness.check(); err != nil {
		return err
	}
	if len(p.Profiles) == 0 {
		return reason.New(reason.PolicyInvalid, "no profile is accepted").On("profiles")
	}
	seen := map[[2]string]bool{}
	for _, pin := range p.Pins {
		if err := pin.check(); err != nil {
			return err
		}
		pair := [2]string{pin.AdapterID, pin.KeyID}
		if seen[pair] {
			return reason.New(reason.PolicyInvalid, "two pins for one adapter and key id").On("pins")
		}
		seen[pair] = true
	}
	return nil
}

// clone shares nothing with p that its holder could still change.
func (p Policy) clone() Policy {
	p.Pins, p.Profiles = slices.Clone(p.Pins), slices.Clone(p.Profiles)
	for _, d := range []**Digest{&p.Expected.RecallRequest, &p.Expected.SelectionPolicy, &p.Expected.TrustSnapshot} {
		if *d != nil {
			copied := **d
			*d = &copied
		}
	}
	return p
}

func (f Freshness) check() error {
	if f.MaxCreationAge <= 0 || f.MaxTrustAge <= 0 || f.MaxTrustToCreation <= 0 {
		return reason.New(reason.PolicyInvalid, "a freshness limit is missing or not positive").On("freshness").
			Advise("set max_creation_age_ms, max_trust_age_ms and max_trust_to_creation_ms")
	}
	if f.MaxSkew < 0 {
		return reason.New(reason.PolicyInvalid, "a negative clock skew").On("freshness")
	}
	return nil
}

func (p Pin) check() error {
	if !plainName(p.AdapterID, MaxURI) || !plainName(p.KeyID, MaxName) {
		return reason.New(reason.PolicyInvalid, "an adapter id or key id that no record can carry").On("pins")
	}
	switch p.Status {
	case Active, Inactive, Revoked, Compromised:
	default:
		return reason.New(reason.PolicyInvalid, "a status that is not defined").On("pins")
	}
	if p.ValidFrom.IsZero() || p.ValidTo.Before(p.ValidFrom) {
		return reason.New(reason.PolicyInvalid, "a validity that ends before it begins").On("pins")
	}
	if err := p.Key.Check(); err != nil {
		return reason.Wrap(AdapterKeyInvalid, err, "a pinned key that anybody could sign under").On("pins")
	}
	return nil
}

// pin finds the pin of an adapter and its key id.
func (p Policy) pin(a Adapter) (Pin, error) {
	code := AdapterKeyNotPinned
	for _, pin := range p.Pins {
		if pin.KeyID != a.KeyID {
			continue
		}
		if pin.AdapterID == a.ID {
			return pin, nil
		}
		code = AdapterIDMismatch
	}
	if code == AdapterIDMismatch {
		return Pin{}, reason.New(code, "the key is pinned for another adapter")
	}
	return Pin{}, reason.New(code, "no pin names the key").Advise("pin the adapter's key if you trust it")
}

// current checks that the pin may be used for a record created at created and
// verified at now.
func (p Pin) current(created, now time.Time) error {
	switch p.Status {
	case Revoked, Compromised:
		return reason.New(AdapterKeyRevoked, "the adapter key is %s", p.Status)
	case Inactive:
		return reason.New(AdapterKeyInactive, "the adapter key is inactive")
	}
	for _, at := range []time.Time{created, now} {
		if at.Before(p.ValidFrom) || at.After(p.ValidTo) {
			return reason.New(AdapterKeyInactive, "outside of the adapter key's validity")
		}
	}
	return nil
}

// accept checks that the pair of profiles is one that the relying party lists.
func (p Policy) accept(got Profile) error {
	sourceKnown := false
	for _, want := range p.Profiles {
		if want == got {
			return nil
		}
		sourceKnown = sourceKnown || want.Source == got.Source
	}
	if !sourceKnown {
		return reason.New(SourceProfileMismatch, "a source profile that the policy does not list")
	}
	return reason.New(FrameProfileMismatch, "a frame profile that the policy does not list with this source")
}
