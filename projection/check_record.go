package projection

import (
	"context"
	"crypto/ed25519"
	"time"

	"consilience/reason"
)

func (x *examination) form(context.Context) (err error) {
	x.record, err = Parse(x.raw)
	return err
}

func (x *examination) positions(context.Context) error {
	for i, e := range x.record.Delivered {
		if e.Position != int64(i) {
			return reason.New(DeliveredOrderInvalid, "entry %d states another position", i)
		}
	}
	return nil
}

func (x *examination) duplicates(context.Context) error {
	if x.policy.AllowDuplicates {
		return nil
	}
	seen := make(map[Digest]bool, len(x.record.Delivered))
	for i, e := range x.record.Delivered {
		if seen[e.SealedObjectDigest] {
			return reason.New(DeliveredDuplicate, "entry %d delivers an object again", i)
		}
		seen[e.SealedObjectDigest] = true
	}
	return nil
}

func (x *examination) labels(context.Context) error {
	for _, e := range x.record.Delivered {
		if err := checkLabels(e.Labels); err != nil {
			return err
		}
	}
	return nil
}

func (x *examination) exclusions(context.Context) error {
	if !x.record.Exclusions.consistent() {
		return reason.New(ExclusionCountMismatch, "the total is not the sum of its counters")
	}
	return nil
}

func (x *examination) proofKey(context.Context) error {
	if x.record.Proof.KeyID != x.record.Adapter.KeyID {
		return reason.New(ProofKeyMismatch, "the proof names another key than the adapter")
	}
	return nil
}

func (x *examination) pinned(context.Context) (err error) {
	if x.pin, err = x.policy.pin(x.record.Adapter); err != nil {
		return err
	}
	return x.pin.current(x.record.CreatedAt.at, x.at)
}

func (x *examination) signature(context.Context) error {
	if !ed25519.Verify(x.pin.Key[:], x.record.SignedBytes(), x.record.Proof.Signature[:]) {
		return reason.New(SignatureInvalid, "the signature is not the pinned key's over this record")
	}
	return nil
}

// freshTrust comes before freshCreation: a record made a moment ago does not make
// an old decision current (P-17).
func (x *examination) freshTrust(context.Context) error {
	f, trust := x.policy.Freshness, x.record.SelectionContext.TrustEvaluatedAt.at
	if trust.After(x.at.Add(f.MaxSkew)) || trust.After(x.record.CreatedAt.at) {
		return reason.New(TrustSnapshotFromFuture, "trust was evaluated after the record or after now")
	}
	if x.at.Sub(trust) > f.MaxTrustAge || x.record.CreatedAt.at.Sub(trust) > f.MaxTrustToCreation {
		return reason.New(TrustSnapshotStale, "trust was evaluated too long ago")
	}
	return nil
}

func (x *examination) freshCreation(context.Context) error {
	f, created := x.policy.Freshness, x.record.CreatedAt.at
	if created.After(x.at.Add(f.MaxSkew)) {
		return reason.New(ProjectionFromFuture, "the record was created after now")
	}
	if x.at.Sub(created) > f.MaxCreationAge {
		return reason.New(ProjectionStale, "the record was created too long ago")
	}
	return nil
}

// staleBy is when the record cannot be accepted any more; the limit of its trust may
// end it earlier.
func (x *examination) staleBy() time.Time {
	return x.record.CreatedAt.at.Add(x.policy.Freshness.MaxCreationAge)
}

func (x *examination) profiles(context.Context) error { return x.policy.accept(x.record.profile()) }

func (r Record) profile() Profile {
	return Profile{Source: r.SourceProfile, Frame: r.SelectionContext.ContextFrameProfile}
}

func (x *examination) expected(context.Context) error {
	c, want := x.record.SelectionContext, x.policy.Expected
	for _, e := range []struct {
		want *Digest
		got  Digest
		code reason.Code
	}{
		{want.RecallRequest, c.RecallRequestDigest, RecallRequestDigestMismatch},
		{want.SelectionPolicy, c.SelectionPolicyDigest, SelectionPolicyMismatch},
		{want.TrustSnapshot, c.TrustSnapshotDigest, TrustSnapshotDigestMismatch},
	} {
		if e.want != nil && *e.want != e.got {
			return reason.New(e.code, "the record commits to another digest than the policy expects")
		}
	}
	return nil
}

func (x *examination) singleUse(ctx context.Context) error {
	if !x.policy.SingleUse {
		return nil
	}
	return x.registry.Register(ctx, Use{
		ProjectionID: x.record.ProjectionID, Created: x.record.CreatedAt.at, Until: x.staleBy(),
	})
}
