package audit

import (
	"bytes"

	"consilience/delta"
	"consilience/identity"
	"consilience/record"
)

// signatures is what the envelopes of a chunk say about its records.
type signatures struct {
	forged []record.ID // no key of their author signed a delta that names them
	absent []record.ID // an author signed that they were proposed; not in the chunk
}

// signatures verifies the envelope of each delta once and compares the records
// that it names with those that came with it. A record that has not its own id
// is left to its own check.
func (a *auditor) signatures(chunk []checked) signatures {
	var out signatures
	var envelope []byte
	var named map[record.ID]identity.ID
	here := map[record.ID]bool{}
	for _, c := range chunk {
		here[c.ID] = true
	}
	for _, c := range chunk {
		if named == nil || !bytes.Equal(envelope, c.Envelope) {
			envelope, named = c.Envelope, a.opened(c.Envelope)
			for id := range named {
				if !here[id] {
					here[id] = true
					out.absent = append(out.absent, id)
				}
			}
		}
		if author, ok := named[c.ID]; c.bound && (!ok || author != c.record.Contributor) {
			out.forged = append(out.forged, c.ID)
		}
	}
	return out
}

// opened returns the records that a delta's envelope names, and who signed it;
// nothing if it does not verify.
func (a *auditor) opened(envelope []byte) map[record.ID]identity.ID {
	named := map[record.ID]identity.ID{}
	e, err := identity.OpenEnvelope(envelope)
	if err != nil {
		return named
	}
	key, owner, known := a.src.Key(e.KeyID)
	if !known || e.Verify(identity.PurposeDelta, key) != nil {
		return named
	}
	d, err := delta.Decode(e.Payload)
	if err != nil || d.Contributor != owner {
		return named
	}
	for _, n := range d.New {
		named[n.Record] = owner
	}
	for _, m := range d.Modified {
		named[m.Record] = owner
	}
	return named
}

// forged reports records that their author did not sign. The caller holds the lock.
func (a *auditor) forged(ids []record.ID) {
	for _, id := range ids {
		a.unsigned[id] = true
		a.report.Tampered = append(a.report.Tampered, Fault{Record: id, Fault: FaultSignature})
	}
}
