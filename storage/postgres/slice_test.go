package postgres

import (
	"bytes"
	"slices"
	"testing"

	"consilience/delta"
	"consilience/merge"
	"consilience/reason"
	"consilience/record"
	"consilience/wire"
)

// A snapshot is the active items, in bytewise order.
func TestSnapshot(t *testing.T) {
	w := story(t)
	s, _ := openStore(t)
	w.fill(s, 7)
	snap, err := s.Snapshot(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	var want []delta.SliceEntry
	for _, it := range w.memory.Drain().NewItems {
		if it.Status == merge.Active && it.Verdict != merge.Contradicted {
			want = append(want, delta.SliceEntry{Item: it.ID, Confidence: it.Confidence})
		}
	}
	if len(snap.Entries) != len(want) || snap.Revision != w.seq || delta.CheckEntries(snap.Entries) != nil {
		t.Fatalf("%d entries at %d, want %d at %d", len(snap.Entries), snap.Revision, len(want), w.seq)
	}
	for _, e := range want {
		i, ok := slices.BinarySearchFunc(snap.Entries, e.Item, func(a delta.SliceEntry, id record.ItemID) int { return bytes.Compare(a.Item[:], id[:]) })
		if !ok || snap.Entries[i].Confidence != e.Confidence {
			t.Errorf("item %s is not in the slice", e.Item)
		}
	}
}

func TestKeptSlice(t *testing.T) {
	s, db := openStore(t)
	issued := delta.SliceIssued{Space: spaceName, Contributor: idOf("ann"), Revision: 5, Digest: [32]byte{1}}
	if err := s.KeepSlice(t.Context(), 1, issued, [][]byte{[]byte("body"), []byte("rest")}); err != nil {
		t.Fatal(err)
	}
	body, to, err := s.KeptPage(t.Context(), issued.Digest, 0)
	if err != nil || string(body) != "body" || to != idOf("ann") {
		t.Errorf("kept %q for %s: %v", body, to, err)
	}
	for page, want := range map[int32]string{1: "rest", 2: ""} {
		body, to, err := s.KeptPage(t.Context(), issued.Digest, page)
		if err != nil || string(body) != want || (body == nil) != (want == "") || to != idOf("ann") {
			t.Errorf("page %d: kept %q for %s: %v", page, body, to, err)
		}
	}
	if _, err := db.Pool.Exec(t.Context(), "UPDATE consilience.slice_body SET kept_at = kept_at - interval '25 hours'"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.KeptPage(t.Context(), issued.Digest, 0); reason.Of(err) != reason.SliceUnknown {
		t.Errorf("a day later: %v", err)
	}
}

// A contributor that asks for slices and fetches none does not fill the disk; what
// others fetch is not its to take.
func TestSlicesKeptAreFew(t *testing.T) {
	s, _ := openStore(t)
	keep := func(to string, n int) [32]byte {
		i := delta.SliceIssued{Space: spaceName, Contributor: idOf(to), Revision: uint64(n), Digest: wire.Hash([]byte(to), []byte{byte(n)})}
		if err := s.KeepSlice(t.Context(), 1, i, [][]byte{[]byte("body")}); err != nil {
			t.Fatal(err)
		}
		return i.Digest
	}
	bobs := keep("bob", 0)
	var anns [][32]byte
	for n := range 2 * slicesKept {
		anns = append(anns, keep("ann", n))
	}
	for n, digest := range append(anns, bobs) {
		_, _, err := s.KeptPage(t.Context(), digest, 0)
		if gone := reason.Of(err) == reason.SliceUnknown; gone != (n < slicesKept) || err != nil && !gone {
			t.Errorf("slice %d: %v", n, err)
		}
	}
}
