package audit

import (
	"bytes"
	"context"

	"consilience/delta"
	"consilience/identity"
	"consilience/record"
)

// chunk checks records that stand together. What passes here passes by the same
// rules as record.Validate; what does not becomes a suspect and is looked at by it.
func (a *auditor) chunk(ctx context.Context, chunk []Stored) error {
	hashes := make(map[record.ID]record.Hash, len(chunk))
	decoded := make([]record.Record, len(chunk))
	var suspects []record.ID
	sound := make([]bool, len(chunk))
	for i, s := range chunk {
		r, ok := check(s)
		decoded[i], sound[i] = r, ok
		if ok && !s.Erased {
			hashes[s.ID] = r.ContentHash
		}
		if !ok {
			suspects = append(suspects, s.ID)
		}
	}
	if err := a.fetchReferenced(ctx, decoded, hashes); err != nil {
		return err
	}
	unsigned := a.unsigned(chunk)
	intact, erased := 0, 0
	for i, s := range chunk {
		switch {
		case !sound[i]:
		case !pairsHold(decoded[i], hashes):
			suspects = append(suspects, s.ID)
		case !unsigned[s.ID]:
			intact++
		}
		if s.Erased {
			erased++
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.report.Records += len(chunk)
	a.report.Intact += intact
	a.report.Erased += erased
	a.suspects = append(a.suspects, suspects...)
	a.forged(unsigned)
	a.progress(len(chunk))
	return nil
}

// forged reports records that their author did not sign. The caller holds the lock.
func (a *auditor) forged(unsigned map[record.ID]bool) {
	for id := range unsigned {
		a.report.Tampered = append(a.report.Tampered, Fault{Record: id, Fault: FaultSignature})
	}
}

// check recomputes a record's id and content hash from its bytes.
func check(s Stored) (record.Record, bool) {
	r, err := record.FromWire(record.Wire{Forward: s.Forward, Content: s.Content})
	if err != nil || r.ID != s.ID {
		return r, false
	}
	if s.Erased {
		return r, true
	}
	return r, r.CheckContent() == nil
}

// fetchReferenced adds the recomputed content hashes of the records that pairs name
// outside of the chunk.
func (a *auditor) fetchReferenced(ctx context.Context, decoded []record.Record, hashes map[record.ID]record.Hash) error {
	var outside []record.ID
	asked := map[record.ID]bool{}
	for _, r := range decoded {
		for _, p := range r.Pairs {
			if _, here := hashes[p.Record]; !here && !asked[p.Record] {
				asked[p.Record] = true
				outside = append(outside, p.Record)
			}
		}
	}
	if len(outside) == 0 {
		return nil
	}
	stored, err := a.src.Get(ctx, outside)
	if err != nil {
		return err
	}
	for _, s := range stored {
		if r, ok := check(s); ok && !s.Erased {
			hashes[s.ID] = r.ContentHash
		}
	}
	return nil
}

// pairsHold compares each pair with the hash recomputed from the content it names,
// never with a stored one (N-32).
func pairsHold(r record.Record, hashes map[record.ID]record.Hash) bool {
	for _, p := range r.Pairs {
		if h, ok := hashes[p.Record]; !ok || h != p.Hash {
			return false
		}
	}
	return true
}

// unsigned returns the records that no delta names which a key of their author
// signed. Records of one delta share an envelope, which is verified once.
func (a *auditor) unsigned(chunk []Stored) map[record.ID]bool {
	bad := map[record.ID]bool{}
	var last []byte
	var named map[record.ID]identity.ID
	for _, s := range chunk {
		if named == nil || !bytes.Equal(last, s.Envelope) {
			last, named = s.Envelope, a.opened(s.Envelope)
		}
		author, ok := named[s.ID]
		r, err := record.DecodeForward(s.Forward)
		if !ok || err != nil || author != r.Contributor {
			bad[s.ID] = true
		}
	}
	return bad
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
