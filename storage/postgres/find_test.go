package postgres

import (
	"bytes"
	"strings"
	"testing"

	"consilience/identity"
	"consilience/reason"
	"consilience/record"
)

func TestFind(t *testing.T) {
	w := story(t)
	s, _ := openStore(t)
	w.fill(s, 1000)
	all := w.memory.Drain()
	first := all.NewRecords[0].Record
	for arg, want := range map[string]reason.Code{
		first.ID.String(): "", first.ID.String()[:12]: "", first.ID.String()[4:20]: "",
		first.ID.String()[:11]: reason.UsageError, "rec:AAAAAAAA": reason.NotFound, "rec:%%%%%%%%": reason.UsageError,
		"": reason.UsageError, "rec:" + strings.Repeat("z", 43): reason.NotFound,
	} {
		id, err := s.RecordID(t.Context(), spaceName, arg)
		if reason.Of(err) != want || want == "" && id != first.ID {
			t.Errorf("%q: %s %v", arg, id, err)
		}
	}
	item := all.NewItems[0]
	in, id, err := s.ItemID(t.Context(), "", item.ID.String()[:13])
	if err != nil || id != item.ID || in != spaceName {
		t.Errorf("item by prefix in any space: %s %s %v", in, id, err)
	}
	if id, err := s.ItemOf(t.Context(), spaceName, item.Content); err != nil || id != item.ID {
		t.Errorf("item by content: %s %v", id, err)
	}
	for _, arg := range []string{"ann", idOf("ann").String(), idOf("ann").Token()} {
		if id, err := s.ContributorID(t.Context(), arg); err != nil || id != idOf("ann") {
			t.Errorf("contributor %s: %s %v", arg, id, err)
		}
	}
	if _, err := s.ContributorID(t.Context(), "nobody"); reason.Of(err) != reason.NotFound {
		t.Errorf("nobody: %v", err)
	}
	records, err := s.Records(t.Context(), 1, []record.ID{first.ID, {}})
	if err != nil || len(records) != 1 || !bytes.Equal(records[0].Record.Content, first.Content) {
		t.Fatalf("records by id: %v %v", records, err)
	}
	envelope, err := identity.OpenEnvelope(records[0].Envelope)
	if err != nil || envelope.Verify(identity.PurposeDelta, keyOf("ann").Public()) != nil {
		t.Errorf("a record comes with the envelope that signs it: %v", err)
	}
}
