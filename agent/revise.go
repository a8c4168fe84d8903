package agent

import (
	"cmp"
	"context"
	"slices"

	"consilience/agent/local"
	"consilience/reason"
	"consilience/record"
	"consilience/wire"
)

// Revise puts a new record in place of an item: of each slice that holds the item,
// or of d.Space alone. target may also be a record of the contributor's own. An
// unsent one is replaced as if it had never been. It returns the records written,
// one for each head that the item has, [reason.NotFound] for a target that is
// neither, and [reason.NotInSlice] for a record whose item was not pulled yet.
func (h *Home) Revise(ctx context.Context, target record.ItemID, d Draft) ([]record.Record, error) {
	var out []record.Record
	err := h.update(ctx, func(tx *local.Tx) error {
		unsent, held, err := find(tx, target, d.Space)
		if err != nil {
			return err
		}
		refs, err := pairsTo(tx, d.Refs)
		if err != nil {
			return err
		}
		if len(unsent) > 0 {
			out, err = h.replaceUnsent(tx, unsent, d, refs)
			return err
		}
		out, err = h.replaceHeld(tx, target, held, d, refs)
		return err
	})
	return out, err
}

// replaceUnsent writes the record in place of one that never left.
func (h *Home) replaceUnsent(tx *local.Tx, unsent []local.Change, d Draft, refs []record.Pair) ([]record.Record, error) {
	old, _, err := tx.Get(unsent[0].Record)
	if err != nil {
		return nil, err
	}
	if unsent[0].Kind == local.Modified && len(old.Pairs) > 0 {
		refs = append(old.Pairs[:1:1], refs...)
	}
	r, err := h.compose(&d, refs)
	if err != nil {
		return nil, err
	}
	for _, c := range unsent {
		if err := withdraw(tx, c); err != nil {
			return nil, err
		}
		c.Value = d.Base
		if _, err := h.keep(tx, r, c); err != nil {
			return nil, err
		}
	}
	return []record.Record{r}, nil
}

// replaceHeld writes, for each slice, a record that refers to the item's head
// there.
func (h *Home) replaceHeld(tx *local.Tx, target record.ItemID, held []inSlice, d Draft, refs []record.Pair) ([]record.Record, error) {
	var out []record.Record
	for _, s := range held {
		r, err := h.compose(&d, append([]record.Pair{s.Head}, refs...))
		if err != nil {
			return nil, err
		}
		if err := letGo(tx, target, s); err != nil {
			return nil, err
		}
		c := local.Change{Space: s.Space, Kind: local.Modified, Item: s.item, Value: d.Base}
		if _, err := h.keep(tx, r, c); err != nil {
			return nil, err
		}
		if len(out) == 0 || out[len(out)-1].ID != r.ID {
			out = append(out, r)
		}
	}
	return out, nil
}

// Forget drops an item from the local state, for each slice that holds it or for
// space alone: the next delta says that it is absent, which lowers it and never
// deletes it (N-45). A record of the contributor's own that was not sent is
// dropped without a word. strength is in ppm, [DefaultStrength] for 0. It returns
// the spaces that will hear of it.
func (h *Home) Forget(ctx context.Context, target record.ItemID, strength uint32, space string) ([]string, error) {
	if strength == 0 {
		strength = DefaultStrength
	}
	if err := wire.CheckRange("strength", uint64(strength), 1, wire.Scale); err != nil {
		return nil, err
	}
	spaces := []string{}
	err := h.update(ctx, func(tx *local.Tx) error {
		unsent, held, err := find(tx, target, space)
		if err != nil {
			return err
		}
		for _, c := range unsent {
			if err := withdraw(tx, c); err != nil {
				return err
			}
		}
		for _, s := range held {
			if err := letGo(tx, target, s); err != nil {
				return err
			}
			c := local.Change{Space: s.Space, Kind: local.Absent, Item: s.item, Value: strength}
			if _, err := tx.AddChange(c); err != nil {
				return err
			}
			spaces = append(spaces, s.Space)
		}
		return nil
	})
	return spaces, err
}

// inSlice is an item in a slice.
type inSlice struct {
	local.InSlice
	item record.ItemID
}

// letGo takes back what the local state has said about an item in a space so far.
func letGo(tx *local.Tx, target record.ItemID, s inSlice) error {
	changes, err := tx.UnsentOfItem(s.item)
	if err != nil {
		return err
	}
	for _, c := range changes {
		if c.Space != s.Space {
			continue
		}
		if err := withdraw(tx, c); err != nil {
			return err
		}
	}
	own, _, err := tx.OfRecord(record.ID(target))
	if err != nil {
		return err
	}
	for _, c := range own {
		if err := tx.Withdraw(c.No); err != nil {
			return err
		}
	}
	return nil
}

// find says what target is: unsent changes of our own that propose the record, or
// the slices that hold the item or the item that the record became part of.
func find(tx *local.Tx, target record.ItemID, space string) (unsent []local.Change, held []inSlice, err error) {
	if err := checkSpace(space); err != nil {
		return nil, nil, err
	}
	own, sent, err := tx.OfRecord(record.ID(target))
	if err != nil {
		return nil, nil, err
	}
	if len(own) > 0 && !sent {
		return own, nil, nil
	}
	items := map[record.ItemID]bool{target: true}
	placed, err := tx.Placed(record.ID(target))
	if err != nil {
		return nil, nil, err
	}
	for _, item := range placed {
		items[item] = true
	}
	if held, err = heldIn(tx, items, space); err != nil || len(held) > 0 {
		return nil, held, err
	}
	if len(own) > 0 {
		return nil, nil, reason.New(reason.NotInSlice, "the record was sent, and the slice that holds its item is not here").
			On(target.String()).Advise("pull the space first")
	}
	return nil, nil, reason.New(reason.NotFound, "no such item in a slice and no such record of this contributor").
		On(target.String()).Advise("pull the space it is in first")
}

func heldIn(tx *local.Tx, items map[record.ItemID]bool, space string) ([]inSlice, error) {
	var held []inSlice
	for item := range items {
		in, err := tx.InSlices(item)
		if err != nil {
			return nil, err
		}
		for _, s := range in {
			if space == "" || s.Space == space {
				held = append(held, inSlice{s, item})
			}
		}
	}
	slices.SortFunc(held, func(a, b inSlice) int {
		return cmp.Or(cmp.Compare(a.Space, b.Space), compareItems(a.item, b.item))
	})
	return held, nil
}
