package reconcile

import (
	"bytes"
	"maps"
	"slices"

	"consilience/cluster"
	"consilience/cluster/near"
	"consilience/cluster/vector"
	"consilience/merge"
	"consilience/record"
)

// finding is the finder of one transaction on one space.
type finding struct {
	*indexed
	similar *Similar
	space   int32
	last    merge.Entry                   // of the transaction
	vectors map[record.Hash]vector.Vector // of the texts that it brings
}

// Similar implements [cluster.Finder].
func (f *finding) Similar(_ string, text []byte, c record.Content) []cluster.Candidate {
	return f.index.Similar(string(text), f.vectors[c.Hash])
}

// Founded implements [cluster.Finder].
func (f *finding) Founded(_ string, item record.ItemID, text []byte, c record.Content) {
	f.index.Add(item, string(text), f.vectors[c.Hash])
}

// End implements [Finding].
func (f *finding) End(committed bool) {
	switch {
	case !committed:
		f.index.Rollback()
	case takesOut(f.last):
		f.similar.forget(f.space)
	default:
		f.similar.mark(f.indexed)
		f.after = merge.ItemNo(f.last.Seq+1)<<merge.NumberBits - 1
	}
}

// forgetting is the finding of a transaction that brings no text and takes some out
// of the index. Merging does not ask it.
type forgetting struct {
	similar *Similar
	space   int32
}

// Similar implements [cluster.Finder].
func (forgetting) Similar(string, []byte, record.Content) []cluster.Candidate { return nil }

// Founded implements [cluster.Finder].
func (forgetting) Founded(string, record.ItemID, []byte, record.Content) {}

// End implements [Finding].
func (f forgetting) End(committed bool) {
	if committed {
		f.similar.forget(f.space)
	}
}

// textsOf are the texts that deltas among entries bring, by content hash.
func textsOf(entries []merge.Entry) map[record.Hash]string {
	texts := map[record.Hash]string{}
	eachText(entries, func(r record.Record) { texts[r.ContentHash] = string(r.Content) })
	return texts
}

// nearTexts are those texts with their vectors, in the order of merging.
func nearTexts(entries []merge.Entry, vectors map[record.Hash]vector.Vector) (all []near.Text) {
	eachText(entries, func(r record.Record) {
		all = append(all, near.Text{Text: string(r.Content), Vector: vectors[r.ContentHash]})
	})
	return all
}

// eachText calls use with the records of texts that deltas among entries bring, in
// the order of merging.
func eachText(entries []merge.Entry, use func(record.Record)) {
	for _, e := range entries {
		b, ok := e.Body.(*merge.DeltaBody)
		if !ok || e.Refused != nil {
			continue
		}
		for _, id := range b.Order {
			if r := b.Records[id]; r.Kind == record.Text && !r.Erased {
				use(r)
			}
		}
	}
}

// sortedHashes are the keys of texts in bytewise order: two workers that keep the
// same vectors at once then lock them in one order.
func sortedHashes(texts map[record.Hash]string) []record.Hash {
	return slices.SortedFunc(maps.Keys(texts), func(a, b record.Hash) int { return bytes.Compare(a[:], b[:]) })
}
