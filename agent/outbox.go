package agent

import (
	"context"

	"consilience/agent/local"
	"consilience/delta"
	"consilience/record"
)

// Diff is the delta between the local state of a space and its slice, without
// what a message carries already. Nothing is sent.
func (h *Home) Diff(ctx context.Context, space string) (Changes, error) {
	var c Changes
	err := h.update(ctx, func(tx *local.Tx) error {
		p, err := pending(tx, space)
		c = p.changes
		return err
	})
	return c, err
}

// unsent is what the local state of a space has not said yet.
type unsent struct {
	changes Changes
	base    *delta.Base
	numbers map[[32]byte]int64 // number of the local change, by record or by absent item
}

// pending computes what is unsent: the local changes make a state of the slice,
// and the difference between the two is what there is to say.
func pending(tx *local.Tx, space string) (unsent, error) {
	p := unsent{numbers: map[[32]byte]int64{}}
	if err := delta.SpaceName(space); err != nil {
		return p, err
	}
	changes, err := tx.Unsent(space)
	if err != nil {
		return p, err
	}
	entries, err := tx.Entries(space)
	if err != nil {
		return p, err
	}
	head, found, err := tx.Slice(space)
	if err != nil {
		return p, err
	}
	if found {
		p.base = &delta.Base{Digest: head.Digest, Revision: head.Revision}
	}
	p.changes = Diff(entries, Apply(entries, p.collect(changes)))
	return p, nil
}

// collect sorts local changes into the groups of a delta.
func (p *unsent) collect(changes []local.Change) Changes {
	var c Changes
	for _, l := range changes {
		switch l.Kind {
		case local.New:
			c.New = append(c.New, delta.New{Record: l.Record, Base: l.Value})
			p.numbers[l.Record] = l.No
		case local.Modified:
			c.Modified = append(c.Modified, delta.Modified{Item: l.Item, Record: l.Record, Base: l.Value})
			p.numbers[l.Record] = l.No
		case local.Absent:
			c.Absent = append(c.Absent, delta.Absent{Item: l.Item, Strength: l.Value})
			p.numbers[l.Item] = l.No
		}
	}
	return c
}

// Seal signs what [Home.Diff] finds, in as many messages as the limits ask for,
// and keeps them in the outbox. The sequence numbers, the bytes and what they
// carry are committed together, before anything is sent: whatever happens next,
// the store sees these bytes or none. It returns the number of messages.
func (h *Home) Seal(ctx context.Context, space string) (int, error) {
	store, err := h.Store()
	if err != nil {
		return 0, err
	}
	sealed := 0
	err = h.update(ctx, func(tx *local.Tx) error {
		p, err := pending(tx, space)
		if err != nil || p.changes.Empty() {
			return err
		}
		records, err := load(tx, p.changes)
		if err != nil {
			return err
		}
		parts, err := Split(p.changes, records, h.options.Limits)
		if err != nil {
			return err
		}
		for _, part := range parts {
			if err := h.enqueue(tx, delta.Delta{Store: store, Space: space, Base: p.base}, part, p.numbers); err != nil {
				return err
			}
		}
		sealed = len(parts)
		return nil
	})
	return sealed, err
}

// load reads the records that changes name.
func load(tx *local.Tx, c Changes) (map[record.ID]record.Record, error) {
	out := make(map[record.ID]record.Record, len(c.New)+len(c.Modified))
	for _, st := range statements(c) {
		r, ok, err := tx.Get(st.record)
		if err != nil {
			return nil, err
		}
		if ok {
			out[st.record] = r
		}
	}
	return out, nil
}

// enqueue signs one part of a delta under the next sequence number.
func (h *Home) enqueue(tx *local.Tx, d delta.Delta, part Part, numbers map[[32]byte]int64) error {
	sequence, err := tx.NextSequence(d.Space)
	if err != nil {
		return err
	}
	d.Contributor, d.Sequence, d.CreatedAt = h.ID(), sequence, h.now()
	d.New, d.Modified, d.Absent = part.New, part.Modified, part.Absent
	raw, id, err := delta.Seal(d, part.Records, h.key)
	if err != nil {
		return err
	}
	entries := len(d.New) + len(d.Modified) + len(d.Absent)
	if err := tx.Enqueue(d.Space, local.Outgoing{Sequence: sequence, Delta: id, Message: raw, Entries: entries}); err != nil {
		return err
	}
	for _, r := range part.Records {
		if err := tx.MarkSent(d.Space, numbers[r.ID], id); err != nil {
			return err
		}
	}
	for _, a := range part.Absent {
		if err := tx.MarkSent(d.Space, numbers[a.Item], id); err != nil {
			return err
		}
	}
	return nil
}
