package postgres

import (
	"slices"
	"testing"

	"consilience/reason"
	"consilience/record"
)

// Explain says of each stance whether it counts, and Overview what is believed.
func TestExplain(t *testing.T) {
	w := story(t)
	s, _ := openStore(t)
	w.fill(s, 1000)
	e, err := s.Explain(t.Context(), spaceName, w.memory.Drain().NewItems[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, st := range e.Stances {
		names = append(names, st.Name+" "+st.Why)
	}
	if want := []string{"ann ", "bob ", "cyd echo"}; !slices.Equal(names, want) || e.Status != "confirmed" || !e.Authoritative {
		t.Errorf("%v %+v", names, e)
	}
	if _, err := s.Explain(t.Context(), spaceName, record.ItemID{}); reason.Of(err) != reason.ItemUnknown {
		t.Errorf("an unknown item: %v", err)
	}
	items, err := s.Overview(t.Context(), spaceName, 2)
	if err != nil || len(items) != 2 || items[0].ItemID != e.ItemID {
		t.Errorf("overview: %v %v", items, err)
	}
}
