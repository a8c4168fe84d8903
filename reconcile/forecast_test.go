package reconcile_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"consilience/command"
	"consilience/fleet"
	"consilience/internal/wiring"
	"consilience/reason"
	"consilience/reconcile"
	"consilience/record"
)

// quarantined are the items of a space that are quarantined now, by id.
func (w *world) quarantined(store wiring.Store, space string) []record.ItemID {
	w.t.Helper()
	rows, err := store.Pool().Query(w.t.Context(), `SELECT i.item_id FROM consilience.item i JOIN consilience.space s USING (space)
		WHERE s.name = $1 AND i.status = 1`, space)
	w.must(err)
	defer rows.Close()
	var out []record.ItemID
	for rows.Next() {
		var id []byte
		w.must(rows.Scan(&id))
		out = append(out, record.ItemID(id))
	}
	w.must(rows.Err())
	return sorted(out)
}

func sorted(ids []record.ItemID) []record.ItemID {
	return slices.SortedFunc(slices.Values(ids), func(a, b record.ItemID) int { return slices.Compare(a[:], b[:]) })
}

// foresee asks what a command would do if it were published now.
func (w *world) foresee(store wiring.Store, kind command.Kind, body any) (reconcile.Forecast, error) {
	w.t.Helper()
	last, err := w.log.Last(w.t.Context())
	w.must(err)
	c := w.make(kind, body)
	subject, err := command.ParseSubject(command.SubjectFor(kind, "", w.operator.Public().ID()))
	w.must(err)
	return reconcile.Foresee(w.t.Context(), store, w.store, fleet.Fact{Seq: last + 1, Subject: subject, Raw: command.Seal(c, w.operator)})
}

// A dry run of a quarantine names the items that the quarantine then takes, with
// and without --all, and the release those that come back; it changes nothing.
func TestForecastIsWhatHappens(t *testing.T) {
	t.Parallel()
	for _, all := range []bool{false, true} {
		t.Run(fmt.Sprintf("all=%v", all), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "facts", "places")
			s := w.story(31)
			store := w.open(w.pgURL)
			w.worker(w.pgURL, "one", &logs{})
			s.tell(120)
			if s.masked != nil {
				s.mask() // releases
			}
			s.authors[0].send("facts", s.authors[0].text("said by nobody else"))
			w.settle(store)
			before := w.digests(store)

			body := command.Quarantine{Contributor: s.authors[0].id, All: all, Reason: "a dry run"}
			f, err := w.foresee(store, command.KindQuarantine, body)
			w.must(err)
			if len(f.Members) != 2 || f.Members[0].ID != s.authors[0].id || f.Members[1].Name != "child" || f.Members[1].Depth != 1 {
				t.Errorf("members %+v", f.Members)
			}
			if !maps.Equal(before, w.digests(store)) {
				t.Error("a dry run changed the store")
			}
			w.command(command.KindQuarantine, body)
			w.settle(store)
			w.sameItems(store, f, func(sf reconcile.SpaceForecast) []record.ItemID { return sf.Quarantined })

			back := command.Release{Contributor: s.authors[0].id, Reason: "over"}
			r, err := w.foresee(store, command.KindRelease, back)
			w.must(err)
			w.sameItems(store, r, func(sf reconcile.SpaceForecast) []record.ItemID { return sf.Restored })
			w.command(command.KindRelease, back)
			w.settle(store)
			for _, space := range w.spaces {
				if left := w.quarantined(store, space); len(left) != 0 {
					t.Errorf("%d items of %s stay quarantined", len(left), space)
				}
			}
			w.sameAsReplay(store)
		})
	}
}

// sameItems compares what was foreseen with the items that are quarantined now.
func (w *world) sameItems(store wiring.Store, f reconcile.Forecast, pick func(reconcile.SpaceForecast) []record.ItemID) {
	w.t.Helper()
	foreseen, total := map[string][]record.ItemID{}, 0
	for _, sf := range f.Spaces {
		foreseen[sf.Space] = pick(sf)
		total += len(pick(sf))
	}
	for _, space := range w.spaces {
		if want, got := sorted(foreseen[space]), w.quarantined(store, space); !slices.Equal(want, got) {
			w.t.Errorf("%s: %d items foreseen, %d quarantined", space, len(want), len(got))
		}
	}
	if total == 0 {
		w.t.Error("the forecast names no item: the test proves nothing")
	}
}

// What the fleet would refuse, a dry run refuses.
func TestForecastRefuses(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "facts")
	alice := w.enroll("alice")
	store := w.open(w.pgURL)
	w.worker(w.pgURL, "one", &logs{})
	w.settle(store)
	_, err := w.foresee(store, command.KindRelease, command.Release{Contributor: alice.id, Reason: "never was"})
	if reason.Of(err) != reason.NotQuarantined {
		t.Errorf("release: %v", err)
	}
	_, err = w.foresee(store, command.KindQuarantine, command.Quarantine{Contributor: w.stranger("nobody").id, Reason: "who"})
	if reason.Of(err) != reason.ContributorUnknown {
		t.Errorf("quarantine: %v", err)
	}
}
