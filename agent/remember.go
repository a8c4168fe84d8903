package agent

import (
	"context"

	"consilience/agent/local"
	"consilience/delta"
	"consilience/reason"
	"consilience/record"
	"consilience/wire"
)

// Draft is a record that is about to be written.
type Draft struct {
	Kind    record.Kind
	Content []byte      // in any form that has a canonical one
	Refs    []record.ID // records it refers to; they are in the local memory
	Base    uint32      // base confidence, ppm; [DefaultConfidence] for 0
	Space   string      // the one space it is for; "" for every one pushed to
}

// Written is what became of a draft.
type Written struct {
	Record  record.Record
	Already bool // the local state states this content as strongly already; nothing was written
	change  local.Change
}

// Remember writes a record of the contributor's own. It returns
// [reason.ContentInvalid], [reason.NestingTooDeep] or [reason.MessageTooLarge]
// for a content that no store takes, and [reason.NotFound] for a reference to a
// record that is not in the local memory.
func (h *Home) Remember(ctx context.Context, d Draft) (Written, error) {
	var w Written
	err := h.update(ctx, func(tx *local.Tx) (err error) {
		w, err = h.remember(tx, d, tx.Stating)
		return err
	})
	return w, err
}

// RememberAll is [Home.Remember] for many drafts for one space, all of them or
// none.
func (h *Home) RememberAll(ctx context.Context, space string, drafts []Draft) ([]Written, error) {
	written := make([]Written, len(drafts))
	err := h.update(ctx, func(tx *local.Tx) error {
		stated, err := tx.AllStated(space)
		if err != nil {
			return err
		}
		lookup := func(c record.Content, _ string) (local.Stated, bool, error) {
			s, ok := stated[c]
			return s, ok, nil
		}
		for i, d := range drafts {
			d.Space = space
			if written[i], err = h.remember(tx, d, lookup); err != nil {
				return err
			}
			w := written[i]
			if !w.Already {
				stated[w.Record.Is()] = local.Stated{Change: w.change}
			}
		}
		return nil
	})
	return written, err
}

// stating finds the newest live change that states a content to a space.
type stating func(c record.Content, space string) (local.Stated, bool, error)

func (h *Home) remember(tx *local.Tx, d Draft, lookup stating) (Written, error) {
	pairs, err := pairsTo(tx, d.Refs)
	if err != nil {
		return Written{}, err
	}
	r, err := h.compose(&d, pairs)
	if err != nil {
		return Written{}, err
	}
	old, found, err := lookup(r.Is(), d.Space)
	if err != nil {
		return Written{}, err
	}
	if found && old.Value == d.Base {
		r, _, err = tx.Get(old.Record)
		return Written{Record: r, Already: true}, err
	}
	if found && !old.Sent {
		if err := withdraw(tx, old.Change); err != nil {
			return Written{}, err
		}
	}
	c, err := h.keep(tx, r, local.Change{Space: d.Space, Kind: local.New, Value: d.Base})
	return Written{Record: r, change: c}, err
}

// keep writes a record and the change that proposes it.
func (h *Home) keep(tx *local.Tx, r record.Record, c local.Change) (local.Change, error) {
	c.Record = r.ID
	if err := tx.AddRecord(r); err != nil {
		return c, err
	}
	var err error
	c.No, err = tx.AddChange(c)
	return c, err
}

// compose makes the record of a draft and fills in what the draft leaves open.
func (h *Home) compose(d *Draft, pairs []record.Pair) (record.Record, error) {
	if d.Base == 0 {
		d.Base = DefaultConfidence
	}
	if err := wire.CheckRange("base confidence", uint64(d.Base), 1, wire.Scale); err != nil {
		return record.Record{}, err
	}
	if err := checkSpace(d.Space); err != nil {
		return record.Record{}, err
	}
	r, err := record.New(d.Kind, d.Content, pairs, h.ID(), h.now())
	if err != nil {
		return r, err
	}
	if err := record.CheckCanonical(r.Kind, r.Content, record.Limits{Nesting: h.options.Limits.Nesting}); err != nil {
		return r, err
	}
	if size := messageOverhead + modifiedSize + recordOverhead + len(r.Forward) + len(r.Content); size > h.options.Limits.MessageBytes {
		return r, reason.New(reason.MessageTooLarge, "%d bytes fit no message of %d", len(r.Content), h.options.Limits.MessageBytes).
			Advise("remember it in parts")
	}
	return r, nil
}

// checkSpace admits the name of a space, or none.
func checkSpace(name string) error {
	if name == "" {
		return nil
	}
	return delta.SpaceName(name)
}

// pairsTo makes the pairs that refer to records as they are now (N-8, N-27).
func pairsTo(tx *local.Tx, refs []record.ID) ([]record.Pair, error) {
	pairs := make([]record.Pair, 0, len(refs))
	for _, ref := range refs {
		r, ok, err := tx.Get(ref)
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, reason.New(reason.NotFound, "no such record in the local memory").On(ref.String()).
				Advise("pull the space it is in first")
		}
		pairs = append(pairs, record.Pair{Record: ref, Hash: r.ContentHash})
	}
	return pairs, nil
}

// withdraw takes back a change that no message carries. A record that an unsent
// one refers to stays: without it the other would be refused.
func withdraw(tx *local.Tx, c local.Change) error {
	if c.Kind != local.Absent {
		referrer, found, err := tx.UnsentReferrer(c.Record)
		if err != nil {
			return err
		}
		if found {
			return reason.New(reason.UsageError, "an unsent record refers to it").On(c.Record.String()).
				Advise("forget %s first, or push", referrer)
		}
	}
	return tx.Withdraw(c.No)
}
