package recall

import (
	"context"
	"log/slog"

	"consilience/command"
	"consilience/projection"
	"consilience/projection/nhe"
	"consilience/recall/selection"
	"consilience/record"
)

// maxReply bounds a reply, bytes: what servers carry in one message, less the
// envelope's own.
const maxReply = 2<<20 - 64<<10

// projected is a projection with what its reply is made of.
type projected struct {
	*projection.Emission
	policy   []byte
	trust    *nhe.Trust
	evidence map[record.ID]nhe.Evidence
}

// project opens, filters, orders, frames and signs. Every record's content hash and
// the signature of the delta that carried it are checked here, again: what was
// altered in the store is counted, not delivered.
func (s *Service) project(ctx context.Context, space string, request []byte, policy selection.Policy, found Recalled) (projected, error) {
	p := projected{policy: policy.Encode(), evidence: make(map[record.ID]nhe.Evidence, len(found.Candidates))}
	var err error
	if p.trust, err = s.keyring.trust(ctx, s.cfg.StoreID, space, found); err != nil {
		return p, err
	}
	candidates := make([]projection.Candidate, len(found.Candidates))
	for i, c := range found.Candidates {
		object := c.Head.Record.AppendWire(nil)
		candidates[i] = projection.Candidate{Object: object, Note: standing(c)}
		// By the id that the bytes have, not the one that the store says: an altered
		// record is then one that its delta does not name.
		if r, err := record.DecodeWire(object); err == nil {
			p.evidence[r.ID] = nhe.Evidence{Envelope: c.Head.Envelope, Authoritative: c.Authoritative && !c.Tainted}
		}
	}
	p.Emission, err = s.producer.Produce(projection.Request{
		RecallRequest: request, SelectionPolicy: p.policy, Compile: selection.Compile,
		Source: p.trust.Source(p.evidence), Candidates: candidates,
	})
	if err != nil {
		return p, err
	}
	s.warn(ctx, space, p.Statement().Exclusions)
	return p, nil
}

func standing(c Candidate) selection.Standing {
	return selection.Standing{
		Item: c.Item, Score: c.Score, Confidence: c.Confidence, Belief: c.Belief,
		Status: c.Status, Tainted: c.Tainted, Updated: c.Updated,
	}
}

// warn tells the operator of records that did not verify: the store was altered.
// Which ones, `reconciler verify` says.
func (s *Service) warn(ctx context.Context, space string, x projection.Exclusions) {
	if n := x.ByReason[projection.AuthenticationFailed]; n > 0 {
		s.logger.LogAttrs(ctx, slog.LevelWarn, "recall left out records that do not verify", slog.String("space", space), slog.Int64("records", n))
	}
}

// contents are the contents that leave.
func (p projected) contents() []record.Content {
	var out []record.Content
	for _, object := range p.Objects() {
		if r, err := record.DecodeWire(object); err == nil {
			out = append(out, record.Content{Kind: r.Kind, Hash: r.ContentHash})
		}
	}
	return out
}

// reply is the projection and its record as one result. Evidence that does not fit
// is left out whole; the verb record answers the same.
func (p projected) reply() (command.RecallReply, error) {
	objects := p.Objects()
	bundle, err := p.trust.Bundle(objects, p.evidence)
	if err != nil {
		return command.RecallReply{}, err
	}
	r := command.RecallReply{
		Record: p.Record(), Projection: p.Bytes(), Policy: p.policy, Snapshot: p.Snapshot(), Objects: objects, Evidence: bundle.Encode(),
	}
	size := len(r.Record) + len(r.Projection) + len(r.Policy) + len(r.Snapshot) + len(r.Evidence)
	for _, object := range objects {
		size += len(object)
	}
	if size > maxReply {
		r.Evidence = nil
	}
	return r, nil
}
