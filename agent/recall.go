package agent

import (
	"context"
	"time"

	"consilience/command"
	"consilience/identity"
	"consilience/projection"
	"consilience/projection/nhe"
	"consilience/reason"
	"consilience/recall/selection"
)

// Recalled is what a recall brought, verified in full.
type Recalled struct {
	projection.FullResult
	Record []byte            // the signed Memory Projection Record, JSON
	Packet nhe.Packet        // what else the record commits to
	Policy projection.Policy // the relying party's, under which it was verified
}

// Recall asks a space for a projection and verifies it in full before anything is
// returned: the record's signature by a service key of the store, every digest, the
// hash and the signed delta of every object, and that the selection policy is one
// for the request. It returns the service's refusal and the reasons of
// [projection.Verifier.Full]. What it shows counts as told: see [Session.Pull].
func (s *Session) Recall(ctx context.Context, space string, r selection.Request) (Recalled, error) {
	if err := r.Check(); err != nil {
		return Recalled{}, err
	}
	out := Recalled{Packet: nhe.Packet{Request: r.Encode()}}
	body, err := s.ask(ctx, command.VerbRecall, space, command.RecallRequest{Request: out.Packet.Request})
	if err != nil {
		return Recalled{}, err
	}
	reply := body.(command.RecallReply)
	if err := s.honours(reply, r); err != nil {
		return Recalled{}, err
	}
	out.Record, out.Packet.Policy, out.Packet.Snapshot, out.Packet.Objects = reply.Record, reply.Policy, reply.Snapshot, reply.Objects
	if out.Packet.Evidence, err = s.evidence(ctx, space, reply); err != nil {
		return Recalled{}, err
	}
	return out, s.verifyRecalled(ctx, space, reply, &out)
}

// honours checks that the policy which decided is one for the request.
func (s *Session) honours(reply command.RecallReply, r selection.Request) error {
	p, err := selection.ParsePolicy(reply.Policy)
	if err != nil {
		return err
	}
	record, err := projection.Parse(reply.Record)
	if err != nil {
		return err
	}
	return p.Honours(r, uint64(record.SelectionContext.TrustEvaluatedAt.Time().UnixMilli()))
}

// verifyRecalled verifies a reply as its relying party.
func (s *Session) verifyRecalled(ctx context.Context, space string, reply command.RecallReply, out *Recalled) error {
	state, _, err := nhe.ParseSnapshot(reply.Snapshot)
	if err != nil {
		return err
	}
	if state.Store != s.store || state.Space != space {
		return reason.New(reason.StoreMismatch, "a projection of another store or space")
	}
	if out.Policy, err = s.relyingPolicy(reply.Record); err != nil {
		return err
	}
	digest := projection.DigestOf(out.Packet.Request)
	policy := out.Policy
	policy.Expected.RecallRequest = &digest
	verifier, err := projection.NewVerifier(policy, s.home.options.Now, nil)
	if err != nil {
		return err
	}
	material, err := out.Packet.Material(reply.Record, reply.Projection)
	if err != nil {
		return err
	}
	out.FullResult, err = verifier.Full(ctx, reply.Record, material)
	return err
}

// Limits of a record that was just made for us. The skew is what a service allows
// the clock of a request.
var freshness = projection.Freshness{
	MaxCreationAge: 5 * time.Minute, MaxTrustAge: 5 * time.Minute, MaxTrustToCreation: time.Minute, MaxSkew: 2 * time.Minute,
}

// relyingPolicy is the policy of somebody who trusts the store: the key that a
// record names is pinned if, and only if, it is a service key of the store by the
// store's own facts.
func (s *Session) relyingPolicy(raw []byte) (projection.Policy, error) {
	p := projection.Policy{
		Freshness: freshness, Profiles: []projection.Profile{{Source: nhe.SourceProfile, Frame: nhe.FrameProfile}},
	}
	r, err := projection.Parse(raw)
	if err != nil {
		return p, err
	}
	id, err := identity.ParseID(r.Proof.KeyID)
	if err != nil || !s.keys.Service(identity.KeyID(id)) {
		return p, reason.New(projection.AdapterKeyNotPinned, "the record is not signed by a service of this store")
	}
	key, _, _, _ := s.keys.Key(identity.KeyID(id))
	day := s.home.options.Now().UTC().Truncate(24 * time.Hour)
	p.Pins = []projection.Pin{{
		AdapterID: selection.AdapterID(s.store), KeyID: r.Proof.KeyID, Key: key, Status: projection.Active,
		ValidFrom: day.AddDate(0, 0, -1), ValidTo: day.AddDate(1, 0, 0),
	}}
	return p, nil
}

// RecallFiles are where a recall is kept, "" for nowhere. The files have mode 0600
// and are whole or not there (P-104).
type RecallFiles struct {
	Projection string // the projection's bytes
	Record     string // the signed record
	Proof      string // an [nhe.Packet]: all else that the record commits to
	Policy     string // the relying party's policy, for [projection.ParsePolicy]
}

// Write keeps what was recalled.
func (r Recalled) Write(to RecallFiles) error {
	for _, f := range []struct {
		path    string
		content func() []byte
	}{
		{to.Projection, r.Bytes}, {to.Record, func() []byte { return r.Record }}, {to.Proof, r.Packet.Encode}, {to.Policy, r.Policy.File},
	} {
		if f.path == "" {
			continue
		}
		if err := writeFile(f.path, f.content()); err != nil {
			return err
		}
	}
	return nil
}
