package postgres

import (
	"slices"
	"strings"
	"testing"

	"consilience/merge"
	"consilience/record"
)

// Bytes that no record may hold survive all the same and break no view: U+0000 in a
// text, text that was altered in the database, a claim subject of 6 kB.
func TestHostileContentBreaksNoView(t *testing.T) {
	w := newWorld(t)
	w.enroll("ann")
	long := strings.Repeat("s", 6000)
	w.by("ann").claims(long, "1", 500_000).claims(long, "2", 400_000).says("altered", 300_000).send()
	s, db := openStore(t)
	w.fill(s, 1000)
	nul := record.Record{ID: record.ID{9}, Content: []byte("a\x00b"), ContentHash: record.HashOf([]byte("a\x00b")), Forward: w.record("ann", record.Text, "x").Forward}
	c := nul.Is()
	plan := &merge.Plan{
		Space:       merge.SpaceState{Num: 1, Name: spaceName, LastSeq: w.seq},
		NewItems:    []*merge.Item{{No: 1, ID: record.ItemID{9}, Content: c, Head: 1}},
		NewContents: []*merge.ContentState{{Content: c, Item: 1}},
		NewRecords:  []merge.NewRecord{{RecordState: merge.RecordState{No: 1, ID: nul.ID, Content: c, Contributor: 1, Item: 1}, Record: nul}},
	}
	tx, from, err := s.Begin(t.Context(), partitionOf(), "w")
	if err != nil {
		t.Fatal(err)
	}
	if err := tx.Write(t.Context(), plan); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(t.Context(), from, from); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Pool.Exec(t.Context(), `UPDATE consilience.record SET content = '\xff00fe' WHERE content = 'altered'`); err != nil {
		t.Fatal(err)
	}
	got := ask(t, db, `SELECT content FROM memory.items WHERE claim_subject IS NULL ORDER BY content`)
	if want := []string{`content=\377\000\376`, `content=a\000b`}; !slices.Equal(got, want) {
		t.Errorf("contents %q", got)
	}
	got = ask(t, db, `SELECT claim_value, belief < confidence AS contested FROM memory.items WHERE claim_subject = '`+long+`' ORDER BY 1`)
	if want := []string{`claim_value="1" contested=true`, `claim_value="2" contested=true`}; !slices.Equal(got, want) {
		t.Errorf("claims %q", got)
	}
	stored, err := s.Records(t.Context(), 1, []record.ID{nul.ID})
	if err != nil || len(stored) != 1 || string(stored[0].Record.Content) != "a\x00b" {
		t.Errorf("stored %v: %v", stored, err)
	}
}
