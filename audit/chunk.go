package audit

import (
	"context"

	"consilience/record"
)

// checked is a stored record and what its own bytes say.
type checked struct {
	Stored
	record record.Record
	bound  bool // the forward part has the id
	sound  bool // and the content is the one that it states
}

// check recomputes a record's id and content hash from its bytes.
func (a *auditor) check(s Stored) checked {
	s = a.believe(s)
	r, err := record.FromWire(record.Wire{Forward: s.Forward, Content: s.Content})
	c := checked{Stored: s, record: r, bound: err == nil && r.ID == s.ID}
	c.sound = c.bound && (s.Erased || r.CheckContent() == nil)
	return c
}

// chunk checks records that stand together. What passes here passes by the same
// rules as record.Validate; what does not becomes a suspect and is looked at by it.
func (a *auditor) chunk(ctx context.Context, stored []Stored) error {
	chunk := make([]checked, len(stored))
	for i, s := range stored {
		chunk[i] = a.check(s)
	}
	hashes := hashesOf(chunk)
	if err := a.fetchReferenced(ctx, chunk, hashes); err != nil {
		return err
	}
	signed := a.signatures(chunk)
	lost, err := a.lost(ctx, signed.absent)
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.report.Records += len(chunk)
	a.report.Unresolved = append(a.report.Unresolved, lost...)
	a.forged(signed.forged)
	for _, c := range chunk {
		if c.Erased {
			a.report.Erased = append(a.report.Erased, c.ID)
		}
		switch {
		case !c.sound || !pairsHold(c.record, hashes):
			a.suspects = append(a.suspects, c.ID)
		case !a.unsigned[c.ID]:
			a.report.Intact++
		}
	}
	a.progress(len(chunk))
	return nil
}

// hashesOf are the content hashes of the records that are sound and have a content.
func hashesOf(chunk []checked) map[record.ID]record.Hash {
	hashes := make(map[record.ID]record.Hash, len(chunk))
	for _, c := range chunk {
		if c.sound && !c.Erased {
			hashes[c.ID] = c.record.ContentHash
		}
	}
	return hashes
}

// fetchReferenced adds the recomputed content hashes of the records that pairs name
// outside of the chunk.
func (a *auditor) fetchReferenced(ctx context.Context, chunk []checked, hashes map[record.ID]record.Hash) error {
	var outside []record.ID
	asked := map[record.ID]bool{}
	for _, c := range chunk {
		for _, p := range c.record.Pairs {
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
	for _, s := range stored {
		if c := a.check(s); c.sound && !c.Erased {
			hashes[s.ID] = c.record.ContentHash
		}
	}
	return err
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

// lost are those of ids that the space does not hold.
func (a *auditor) lost(ctx context.Context, ids []record.ID) ([]record.ID, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	stored, err := a.src.Get(ctx, ids)
	held := map[record.ID]bool{}
	for _, s := range stored {
		held[s.ID] = true
	}
	var lost []record.ID
	for _, id := range ids {
		if !held[id] {
			lost = append(lost, id)
		}
	}
	return lost, err
}
