package agent

import (
	"context"
	"encoding/base64"
	"strings"

	"consilience/agent/local"
	"consilience/reason"
	"consilience/record"
)

// shortestPrefix is the number of characters that a prefix of an id has at least.
const shortestPrefix = 8

// Item finds the item, or the record of the contributor's own, that a person
// names by its id or by a unique prefix of it: "item:…", "rec:…" or bare. It
// returns [reason.UsageError], [reason.NotFound] or [reason.Ambiguous].
func (h *Home) Item(ctx context.Context, name string) (record.ItemID, error) {
	var found record.ItemID
	err := h.resolve(ctx, name, func(tx *local.Tx, low, high [32]byte) ([][32]byte, error) {
		items, err := tx.ItemsWithPrefix(low, high)
		if err != nil {
			return nil, err
		}
		records, err := tx.RecordsWithPrefix(low, high)
		if err != nil {
			return nil, err
		}
		return distinct(items, records), nil
	}, func(id [32]byte) { found = id })
	return found, err
}

// Record finds a record of the local memory, as [Home.Item] does.
func (h *Home) Record(ctx context.Context, name string) (record.ID, error) {
	var found record.ID
	err := h.resolve(ctx, name, func(tx *local.Tx, low, high [32]byte) ([][32]byte, error) {
		records, err := tx.RecordsWithPrefix(low, high)
		return distinct(nil, records), err
	}, func(id [32]byte) { found = id })
	return found, err
}

func (h *Home) resolve(ctx context.Context, name string, search func(*local.Tx, [32]byte, [32]byte) ([][32]byte, error), found func([32]byte)) error {
	bare := strings.TrimPrefix(strings.TrimPrefix(name, "item:"), "rec:")
	low, high, err := prefixRange(bare)
	if err != nil {
		return err
	}
	return h.update(ctx, func(tx *local.Tx) error {
		ids, err := search(tx, low, high)
		switch {
		case err != nil:
			return err
		case len(ids) == 0:
			return reason.New(reason.NotFound, "nothing of that id in the local memory").On(name).Advise("pull the space it is in first")
		case len(ids) > 1:
			return reason.New(reason.Ambiguous, "several ids begin like this").On(name).Advise("give more of it")
		}
		found(ids[0])
		return nil
	})
}

// prefixRange is the lowest and the highest id whose text begins with prefix.
func prefixRange(prefix string) (low, high [32]byte, err error) {
	malformed := reason.New(reason.UsageError, "neither an id of 43 characters nor a prefix of at least %d", shortestPrefix).On(prefix)
	if len(prefix) < shortestPrefix || len(prefix) > 43 {
		return low, high, malformed
	}
	const longest = 43
	lowest, err1 := base64.RawURLEncoding.DecodeString(prefix + strings.Repeat("A", longest-len(prefix)))
	highest, err2 := base64.RawURLEncoding.DecodeString(prefix + strings.Repeat("_", longest-len(prefix)))
	if err1 != nil || err2 != nil || len(lowest) != 32 || len(highest) != 32 {
		return low, high, malformed
	}
	return [32]byte(lowest), [32]byte(highest), nil
}

func distinct(items []record.ItemID, records []record.ID) [][32]byte {
	var out [][32]byte
	seen := map[[32]byte]bool{}
	add := func(id [32]byte) {
		if !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	for _, i := range items {
		add(i)
	}
	for _, r := range records {
		add(r)
	}
	return out
}
