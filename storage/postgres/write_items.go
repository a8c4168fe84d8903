package postgres

import (
	"strings"

	"consilience/cluster"
	"consilience/merge"
	"consilience/record"
)

func (w *writing) items() {
	founding := w.foundingConfidence()
	claims := make(map[merge.ItemNo]claimText)
	for _, it := range w.plan.NewItems {
		if c, ok := w.claimOf(it); ok {
			claims[it.No] = c
		}
	}
	queue(w, "insert_items", numbers(columnsOf(w.plan.NewItems, w.space)).
		bytes(func(it *merge.Item) []byte { return it.ID[:] }).
		bigs(func(it *merge.Item) int64 { return int64(it.Founded) }).
		smalls(func(it *merge.Item) int16 { return int16(it.Content.Kind) }).
		bytes(func(it *merge.Item) []byte { return it.Content.Hash[:] }).
		bytes(func(it *merge.Item) []byte {
			return claimHash(it, func(c *merge.ClaimHashes) []byte { return c.Key[:] })
		}).
		bytes(func(it *merge.Item) []byte {
			return claimHash(it, func(c *merge.ClaimHashes) []byte { return c.Value[:] })
		}).
		bigs(func(it *merge.Item) int64 { return int64(it.Created) }).
		ints(func(it *merge.Item) int32 {
			if c, ok := founding[it.No]; ok {
				return c
			}
			return int32(it.Confidence)
		}).
		maybeTexts(func(it *merge.Item) *string { return claims[it.No].subject }).
		maybeTexts(func(it *merge.Item) *string { return claims[it.No].predicate }).
		maybeTexts(func(it *merge.Item) *string { return claims[it.No].scope }).
		maybeTexts(func(it *merge.Item) *string { return claims[it.No].value }))
	queue(w, "update_items", numbers(columnsOf(w.plan.ChangedItems, w.space)))
}

// numbers are the columns of an item that later entries change, after its number.
func numbers(t *table[*merge.Item]) *table[*merge.Item] {
	return t.
		bigs(func(it *merge.Item) int64 { return int64(it.No) }).
		ints(func(it *merge.Item) int32 { return int32(it.Confidence) }).
		ints(func(it *merge.Item) int32 { return int32(it.Support) }).
		ints(func(it *merge.Item) int32 { return int32(it.Doubt) }).
		ints(func(it *merge.Item) int32 { return int32(it.Groups) }).
		smalls(func(it *merge.Item) int16 { return int16(it.Status) }).
		smalls(func(it *merge.Item) int16 { return int16(it.Verdict) }).
		bigs(func(it *merge.Item) int64 { return int64(it.Head) }).
		ints(func(it *merge.Item) int32 { return int32(it.Supporters) }).
		ints(func(it *merge.Item) int32 { return int32(it.Doubters) }).
		bigs(func(it *merge.Item) int64 { return int64(it.Updated) }).
		bigs(func(it *merge.Item) int64 { return int64(it.Revision) })
}

// foundingConfidence is, of items that changed again after their founding, what
// they were founded with.
func (w *writing) foundingConfidence() map[merge.ItemNo]int32 {
	founding := map[merge.ItemNo]int32{}
	for _, h := range w.plan.ConfidenceHistory {
		if _, ok := founding[h.Item]; !ok {
			founding[h.Item] = int32(h.Before)
		}
	}
	return founding
}

func claimHash(it *merge.Item, field func(*merge.ClaimHashes) []byte) []byte {
	if it.Claim == nil {
		return nil
	}
	return field(it.Claim)
}

// claimText is a claim as analysts read it; nil where there is none.
type claimText struct{ subject, predicate, scope, value *string }

// claimOf reads the claim of an item out of its founding content. A many-valued
// predicate has no key hash and is a claim to a reader all the same.
func (w *writing) claimOf(it *merge.Item) (claimText, bool) {
	if it.Content.Kind != record.Structured {
		return claimText{}, false
	}
	body := w.bodies[merge.RecordNo(it.No)]
	if body == nil {
		return claimText{}, false
	}
	c, ok := cluster.ClaimOf(it.Content.Kind, body)
	if !ok {
		return claimText{}, false
	}
	return claimText{asText(c.Subject), asText(c.Predicate), asText(c.Scope), asText(string(c.Value))}, true
}

// asText is a text that Postgres can keep, nil for one with U+0000, which no
// record may hold.
func asText(s string) *string {
	if strings.IndexByte(s, 0) >= 0 {
		return nil
	}
	return &s
}

// claims keeps the ranking of claims beside their items: a claim is in it while it
// counts against its rivals.
func (w *writing) claims() {
	var standing, fallen []*merge.Item
	for _, it := range w.plan.NewItems {
		if it.Claim != nil && it.Standing().Rivals() {
			standing = append(standing, it)
		}
	}
	for _, it := range w.plan.ChangedItems {
		switch {
		case it.Claim == nil:
		case it.Standing().Rivals():
			standing = append(standing, it)
		default:
			fallen = append(fallen, it)
		}
	}
	queue(w, "write_claims", columnsOf(standing, w.space).
		bigs(func(it *merge.Item) int64 { return int64(it.No) }).
		bytes(func(it *merge.Item) []byte { return it.Claim.Key[:] }).
		bytes(func(it *merge.Item) []byte { return it.Claim.Value[:] }).
		ints(func(it *merge.Item) int32 { return int32(it.Confidence) }).
		ints(func(it *merge.Item) int32 { return int32(it.Support) }).
		bools(func(it *merge.Item) bool { return it.Verdict == merge.Confirmed }))
	queue(w, "remove_claims", columnsOf(fallen, w.space).
		bigs(func(it *merge.Item) int64 { return int64(it.No) }))
}

func (w *writing) records() {
	queue(w, "insert_records", columnsOf(w.plan.NewRecords, w.space).
		bigs(func(r merge.NewRecord) int64 { return int64(r.No) }).
		bytes(func(r merge.NewRecord) []byte { return r.Record.ID[:] }).
		smalls(func(r merge.NewRecord) int16 { return int16(r.Record.Kind) }).
		bytes(func(r merge.NewRecord) []byte { return r.Record.ContentHash[:] }).
		ints(func(r merge.NewRecord) int32 { return int32(r.RecordState.Contributor) }).
		bigs(func(r merge.NewRecord) int64 { return int64(r.Seq) }).
		bigs(func(r merge.NewRecord) int64 { return int64(r.Record.WrittenAt) }).
		bigs(func(r merge.NewRecord) int64 { return int64(r.Item) }).
		bools(func(r merge.NewRecord) bool { return r.Tainted }).
		bools(func(r merge.NewRecord) bool { return r.RecordState.Erased || r.Record.Erased }).
		bytes(func(r merge.NewRecord) []byte { return r.Record.Forward }).
		bytes(contentBytes))
	queue(w, "insert_back_references", columnsOf(w.plan.BackReferences, w.space).
		bigs(func(b merge.BackReference) int64 { return int64(b.Record) }).
		bigs(func(b merge.BackReference) int64 { return int64(b.Later) }).
		bytes(func(b merge.BackReference) []byte { return b.LaterHash[:] }).
		bools(func(b merge.BackReference) bool { return b.Corrects }))
}

// contentBytes is the content of a record, nil for null where it was erased; an
// empty content is not nil.
func contentBytes(r merge.NewRecord) []byte {
	if r.RecordState.Erased || r.Record.Erased {
		return nil
	}
	if r.Record.Content == nil {
		return []byte{}
	}
	return r.Record.Content
}
