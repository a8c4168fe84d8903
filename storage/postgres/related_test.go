package postgres

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Q18: a claim in another spelling, with an equal value, is related and no rival: to
// at most eight, the most confident, and to none that is contradicted. Another value
// is a rival and not related.
func TestClaimsInAnotherSpellingAreRelated(t *testing.T) {
	w := newWorld(t)
	spelt := func(i int) string { return "northgatebridge"[:i] + strings.ToUpper("northgatebridge"[i:]) }
	for i := range 13 {
		w.enroll(fmt.Sprint("c", i))
		value := "17:05"
		if i == 12 {
			value = "18:40"
		}
		r := w.by(fmt.Sprint("c", i)).claims(spelt(i), value, uint32(1_000_000-50_000*i)).send()[0]
		if i == 1 {
			w.contradict(r.ID)
		}
	}
	s, db := openStore(t)
	w.fill(s, 3)
	likes := func(of int, view string) []string {
		return ask(t, db, fmt.Sprintf(`SELECT o.content::json ->> 'subject' AS other, r.why
			FROM memory.%s r JOIN memory.items i USING (space, item_id) JOIN memory.items o ON o.space = r.space AND o.item_id = r.other_id
			WHERE i.content::json ->> 'subject' = '%s' ORDER BY o.confidence DESC`, view, spelt(of)))
	}
	want := func(why string, others ...int) []string {
		var rows []string
		for _, i := range others {
			rows = append(rows, "other="+spelt(i)+" why="+why)
		}
		return rows
	}
	for _, c := range []struct {
		of   int
		view string
		want []string
	}{
		{0, "related", want("spelling", 2, 3, 4, 5, 6, 7, 8, 9)},
		{1, "related", want("spelling", 0, 2, 3, 4, 5, 6, 7, 8)},
		{11, "related", want("spelling", 0, 2, 3, 4, 5, 6, 7, 8)},
		{12, "related", nil},
		{0, "rivals", want("claim", 12)},
	} {
		if got := likes(c.of, c.view); !slices.Equal(got, c.want) {
			t.Errorf("%s of %s:\n%s\nwant\n%s", c.view, spelt(c.of), strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}
