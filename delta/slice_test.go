package delta_test

import (
	"encoding/hex"
	"slices"
	"testing"

	"consilience/delta"
	"consilience/identity"
	"consilience/reason"
	"consilience/record"
	"consilience/wire"
	"consilience/wire/wiretest"
)

// slice has n entries in order.
func slice(tb testing.TB, n int) delta.Slice {
	s := delta.Slice{
		Store: wire.Hash([]byte("store")), Space: "flights",
		Contributor: key(tb, 1).Public().ID(), Revision: 41,
	}
	for i := range n {
		s.Entries = append(s.Entries, delta.SliceEntry{
			Item: record.ItemID{0: byte(i), 31: 7}, Head: record.ID{byte(i)}, ContentHash: record.Hash{31: byte(i)},
			Confidence: uint32(i * 1000),
		})
	}
	return s
}

// AN-8: a slice is named by a digest that every part of it changes.
func TestDigestCoversEverything(t *testing.T) {
	seen := map[[32]byte]string{slice(t, 3).Digest(): "unchanged"}
	for name, change := range map[string]func(*delta.Slice){
		"store":       func(s *delta.Slice) { s.Store[0]++ },
		"space":       func(s *delta.Slice) { s.Space = "flight" },
		"contributor": func(s *delta.Slice) { s.Contributor[0]++ },
		"revision":    func(s *delta.Slice) { s.Revision++ },
		"no entry":    func(s *delta.Slice) { s.Entries = nil },
		"entry less":  func(s *delta.Slice) { s.Entries = s.Entries[:2] },
		"item":        func(s *delta.Slice) { s.Entries[1].Item[5]++ },
		"head":        func(s *delta.Slice) { s.Entries[1].Head[5]++ },
		"hash":        func(s *delta.Slice) { s.Entries[1].ContentHash[5]++ },
		"confidence":  func(s *delta.Slice) { s.Entries[1].Confidence++ },
	} {
		s := slice(t, 3)
		change(&s)
		if other, twice := seen[s.Digest()]; twice {
			t.Errorf("%s and %s have one digest", name, other)
		}
		seen[s.Digest()] = name
	}
}

func TestEntriesAreStrict(t *testing.T) {
	good := slice(t, 4).Entries
	back, err := delta.DecodeEntries(delta.EncodeEntries(good))
	if err != nil || !slices.Equal(back, good) {
		t.Fatalf("entries come back as %v, %v", back, err)
	}
	for name, c := range map[string]struct {
		change func([]delta.SliceEntry) []delta.SliceEntry
		want   reason.Code
	}{
		"swapped":    {func(e []delta.SliceEntry) []delta.SliceEntry { e[0], e[1] = e[1], e[0]; return e }, reason.NotCanonical},
		"twice":      {func(e []delta.SliceEntry) []delta.SliceEntry { return append(e, e[3]) }, reason.NotCanonical},
		"confidence": {func(e []delta.SliceEntry) []delta.SliceEntry { e[2].Confidence = 999_001; return e }, reason.OutOfRange},
	} {
		if _, err := delta.DecodeEntries(delta.EncodeEntries(c.change(slices.Clone(good)))); reason.Of(err) != c.want {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
	if _, err := delta.DecodeEntries([]byte{0x98, 0x00}); reason.Of(err) != reason.NotCanonical {
		t.Errorf("a long head: got %v, want %s", err, reason.NotCanonical)
	}
}

func TestSealAndOpenSlice(t *testing.T) {
	want := slice(t, 3).Issued()
	got, e, err := delta.OpenSlice(delta.SealSlice(want, key(t, 9)))
	if err != nil || got != want {
		t.Fatalf("got %+v, %v", got, err)
	}
	if err := e.Verify(identity.PurposeSlice, key(t, 9).Public()); err != nil {
		t.Error(err)
	}
	for name, c := range map[string]struct {
		change func(*delta.SliceIssued)
		want   reason.Code
	}{
		"space":    {func(s *delta.SliceIssued) { s.Space = "A" }, reason.NameInvalid},
		"revision": {func(s *delta.SliceIssued) { s.Revision = 1 << 53 }, reason.OutOfRange},
	} {
		bad := want
		c.change(&bad)
		if _, _, err := delta.OpenSlice(delta.SealSlice(bad, key(t, 9))); reason.Of(err) != c.want {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
	later := append([]byte{0xa6, 0x01, 0x02}, want.Encode()[3:]...)
	if _, err := delta.DecodeSliceIssued(later); reason.Of(err) != reason.VersionUnsupported {
		t.Errorf("version 2: got %v, want %s", err, reason.VersionUnsupported)
	}
	if _, _, err := delta.OpenSlice(want.Encode()); reason.Of(err) != reason.Malformed {
		t.Errorf("without its envelope: got %v, want %s", err, reason.Malformed)
	}
}

func TestGoldenSlices(t *testing.T) {
	var vectors []wiretest.Vector
	for name, n := range map[string]int{"no entry": 0, "three entries": 3} {
		s := slice(t, n)
		vectors = append(vectors, wiretest.Vector{
			Name: name, Seed: hex.EncodeToString(key(t, 9).Seed()), ID: wire.Text(s.Digest()),
			Fields: map[string]any{"slice": wiretest.Show(s), "body": hex.EncodeToString(s.Body())},
			Hex:    hex.EncodeToString(delta.SealSlice(s.Issued(), key(t, 9))),
		})
	}
	slices.SortFunc(vectors, func(a, b wiretest.Vector) int { return len(a.Name) - len(b.Name) })
	wiretest.Golden(t, "testdata/slices.json", vectors)
}
