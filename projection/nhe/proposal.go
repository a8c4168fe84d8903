package nhe

import (
	"consilience/delta"
	"consilience/identity"
	"consilience/record"
)

// proposal is a delta's envelope, read and verified.
type proposal struct {
	signer  Key
	records map[record.ID]struct{} // that the delta proposes
	fault   string                 // why it is evidence of nothing; "" if it is
}

// readProposal verifies that a contributor of this store proposed records to this
// space, and says which.
func (t *Trust) readProposal(raw []byte) *proposal {
	envelope, err := identity.OpenEnvelope(raw)
	if err != nil {
		return &proposal{fault: "evidence is not a signed envelope"}
	}
	key, known := t.keys.byID[envelope.KeyID]
	if !known {
		return &proposal{fault: "signed by a key that no contributor has"}
	}
	if envelope.Verify(identity.PurposeDelta, key.Key) != nil {
		return &proposal{fault: "the delta's signature does not verify"}
	}
	d, err := delta.Decode(envelope.Payload)
	if err != nil {
		return &proposal{fault: "evidence is not a delta"}
	}
	if d.Store != t.state.Store || d.Space != t.state.Space {
		return &proposal{fault: "the delta is meant for another store or space"}
	}
	if d.Contributor != key.Owner {
		return &proposal{fault: "the delta is not its signer's own"}
	}
	return &proposal{signer: key, records: proposedBy(d)}
}

// proposedBy are the records that d proposes.
func proposedBy(d delta.Delta) map[record.ID]struct{} {
	records := make(map[record.ID]struct{}, len(d.New)+len(d.Modified))
	for _, n := range d.New {
		records[n.Record] = struct{}{}
	}
	for _, m := range d.Modified {
		records[m.Record] = struct{}{}
	}
	return records
}

// check refuses r unless its author proposed it here.
func (p *proposal) check(r record.Record) error {
	if p.fault != "" {
		return unauthentic(p.fault)
	}
	if _, ok := p.records[r.ID]; !ok || r.Contributor != p.signer.Owner {
		return unauthentic("the delta does not propose the record as its author")
	}
	return nil
}
