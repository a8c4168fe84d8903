package agent

import (
	"context"

	"consilience/agent/local"
	"consilience/command"
	"consilience/delta"
	"consilience/identity"
	"consilience/reason"
	"consilience/record"
)

// fetchedRecords is what one request for records brought.
type fetchedRecords struct {
	kept, missing int
	answered      map[record.ID]bool
}

// rest is what is still to be asked for of ids.
func (f fetchedRecords) rest(ids []record.ID) []record.ID {
	out := ids[:0:0]
	for _, id := range ids {
		if !f.answered[id] {
			out = append(out, id)
		}
	}
	return out
}

// fetchRecords asks for records, checks each and keeps them. hashes are the
// content hashes that the slice states.
func (s *Session) fetchRecords(ctx context.Context, space string, ids []record.ID, hashes map[record.ID]record.Hash) (fetchedRecords, error) {
	f := fetchedRecords{answered: map[record.ID]bool{}}
	body, err := s.ask(ctx, command.VerbRecord, space, command.RecordRequest{Records: ids})
	if err != nil {
		return f, err
	}
	reply := body.(command.RecordReply)
	proofs, err := s.openProofs(reply, space)
	if err != nil {
		return f, err
	}
	records := make([]record.Record, len(reply.Records))
	for i, c := range reply.Records {
		if records[i], err = checkFetched(c, proofs, hashes); err != nil {
			return f, err
		}
		f.answered[records[i].ID] = true
	}
	for _, id := range reply.Missing {
		f.answered[id] = true
	}
	if len(f.answered) == 0 {
		return f, reason.New(reason.ReplyMismatch, "the service answers for none of the records asked for")
	}
	f.kept, f.missing = len(records), len(reply.Missing)
	return f, s.home.update(ctx, func(tx *local.Tx) error {
		for _, r := range records {
			if err := tx.AddRecord(r); err != nil {
				return err
			}
		}
		return nil
	})
}

// proof is a delta whose signature was checked: its contributor wrote the records
// that it names.
type proof struct {
	contributor identity.ID
	names       map[record.ID]bool
}

// openProofs checks the signed deltas of a reply against their authors' keys.
func (s *Session) openProofs(reply command.RecordReply, space string) ([]proof, error) {
	keys := map[identity.ID][]identity.PublicKey{}
	for _, a := range reply.Authors {
		keys[a.Contributor] = a.Keys
	}
	proofs := make([]proof, len(reply.Envelopes))
	for i, raw := range reply.Envelopes {
		envelope, err := identity.OpenEnvelope(raw)
		if err != nil {
			return nil, err
		}
		d, err := delta.Decode(envelope.Payload)
		if err != nil {
			return nil, err
		}
		if d.Store != s.store || d.Space != space {
			return nil, reason.New(reason.StoreMismatch, "a record is proven by a delta to another store or space")
		}
		if err := signedBy(envelope, keys[d.Contributor]); err != nil {
			return nil, err
		}
		proofs[i] = proof{d.Contributor, named(d)}
	}
	return proofs, nil
}

// signedBy checks that one of an author's keys signed an envelope.
func signedBy(e identity.Envelope, keys []identity.PublicKey) error {
	for _, k := range keys {
		if k.KeyID() == e.KeyID {
			return e.Verify(identity.PurposeDelta, k)
		}
	}
	return reason.New(reason.KeyUnknown, "a delta is signed by no key of its contributor")
}

func named(d delta.Delta) map[record.ID]bool {
	names := make(map[record.ID]bool, len(d.New)+len(d.Modified))
	for _, n := range d.New {
		names[n.Record] = true
	}
	for _, m := range d.Modified {
		names[m.Record] = true
	}
	return names
}

// checkFetched checks one record: it was asked for, it is what its id commits to,
// its content is the one the slice states, and its author signed for it.
func checkFetched(c command.CarriedRecord, proofs []proof, hashes map[record.ID]record.Hash) (record.Record, error) {
	r, err := record.FromWire(c.Record)
	if err != nil {
		return r, err
	}
	hash, asked := hashes[r.ID]
	if !asked {
		return r, reason.New(reason.ReplyMismatch, "a record that was not asked for").On(r.ID.String())
	}
	if r.ContentHash != hash {
		return r, reason.New(reason.ContentHashMismatch, "the slice states another content for the record").On(r.ID.String())
	}
	if p := proofs[c.Envelope]; p.contributor != r.Contributor || !p.names[r.ID] {
		return r, reason.New(reason.AuthorMismatch, "the delta does not prove who wrote the record").On(r.ID.String())
	}
	if r.Erased {
		return r, nil
	}
	return r, r.CheckContent()
}
