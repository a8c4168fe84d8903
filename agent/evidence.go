package agent

import (
	"context"

	"consilience/command"
	"consilience/identity"
	"consilience/projection"
	"consilience/projection/nhe"
	"consilience/reason"
	"consilience/record"
)

// evidence is the reply's evidence bundle, or one made of what the verb record
// answers where the reply had no room for it.
func (s *Session) evidence(ctx context.Context, space string, reply command.RecallReply) ([]byte, error) {
	if len(reply.Evidence) > 0 {
		return reply.Evidence, nil
	}
	r, err := projection.Parse(reply.Record)
	if err != nil {
		return nil, err
	}
	g := gathering{places: map[record.ID]int{}, envelopes: map[string]uint64{}, signers: map[identity.KeyID]bool{}}
	g.bundle.Delivered = make([]nhe.Position, min(len(r.Delivered), len(reply.Objects)))
	var ids []record.ID
	for i := range g.bundle.Delivered {
		object, err := record.DecodeWire(reply.Objects[i])
		if err != nil {
			return nil, err
		}
		ids = append(ids, object.ID)
		g.places[object.ID] = i
		// Only an authoritative record is shown as trusted; of others it does not matter.
		g.bundle.Delivered[i].Authoritative = r.Delivered[i].Trust == projection.Trusted
	}
	for len(ids) > 0 {
		body, err := s.ask(ctx, command.VerbRecord, space, command.RecordRequest{Records: ids})
		if err != nil {
			return nil, err
		}
		if ids, err = g.take(body.(command.RecordReply), ids); err != nil {
			return nil, err
		}
	}
	return g.bundle.Encode(), nil
}

// gathering is evidence that comes in several replies.
type gathering struct {
	bundle    nhe.Bundle
	places    map[record.ID]int // of the delivered records
	envelopes map[string]uint64
	signers   map[identity.KeyID]bool
}

// take takes a reply in and returns what is still to be asked for.
func (g *gathering) take(reply command.RecordReply, ids []record.ID) ([]record.ID, error) {
	f := fetchedRecords{answered: map[record.ID]bool{}}
	for _, c := range reply.Records {
		r, err := record.FromWire(c.Record)
		if err != nil {
			return nil, err
		}
		place, asked := g.places[r.ID]
		if !asked {
			return nil, reason.New(reason.ReplyMismatch, "a record that was not asked for")
		}
		f.answered[r.ID] = true
		if g.bundle.Delivered[place].Envelope, err = g.envelope(reply.Envelopes[c.Envelope], reply.Authors); err != nil {
			return nil, err
		}
	}
	if len(f.answered) == 0 {
		return nil, reason.New(projection.MaterialMissing, "the service does not prove who wrote what it delivered")
	}
	return f.rest(ids), nil
}

// envelope adds an envelope and its signer, each once.
func (g *gathering) envelope(raw []byte, authors []command.Author) (uint64, error) {
	if at, known := g.envelopes[string(raw)]; known {
		return at, nil
	}
	e, err := identity.OpenEnvelope(raw)
	if err != nil {
		return 0, err
	}
	at := uint64(len(g.bundle.Envelopes))
	g.envelopes[string(raw)] = at
	g.bundle.Envelopes = append(g.bundle.Envelopes, raw)
	for _, a := range authors {
		for _, k := range a.Keys {
			if k.KeyID() == e.KeyID && !g.signers[e.KeyID] {
				g.signers[e.KeyID] = true
				g.bundle.Signers = append(g.bundle.Signers, nhe.Signer{Key: k, Owner: a.Contributor})
			}
		}
	}
	return at, nil
}
