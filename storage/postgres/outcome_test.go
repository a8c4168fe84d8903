package postgres

import (
	"bytes"
	"testing"

	"consilience/command"
	"consilience/delta"
	"consilience/reason"
)

// Outcomes are read from their table until they are marked as published.
func TestOutcomes(t *testing.T) {
	w := story(t)
	s, _ := openStore(t)
	w.fill(s, 1000)
	todo, err := s.Unpublished(t.Context(), partitionOf(), 100)
	if err != nil || len(todo) == 0 {
		t.Fatal(len(todo), err)
	}
	first, err := command.DecodeOutcome(todo[0].Payload)
	if err != nil || first.Status != command.StatusMerged || todo[0].Contributor != idOf("ann") {
		t.Errorf("first outcome %+v: %v", first, err)
	}
	for range 2 {
		if err := s.MarkPublished(t.Context(), todo[1:]); err != nil {
			t.Fatal(err)
		}
	}
	left, err := s.Unpublished(t.Context(), partitionOf(), 100)
	if err != nil || len(left) != 1 || left[0].Seq != todo[0].Seq {
		t.Errorf("%d are left: %v", len(left), err)
	}
	docs, err := s.Outcomes(t.Context(), spaceName, idOf("ann"), []delta.ID{first.DeltaID, {1}})
	if err != nil || len(docs) != 1 || !bytes.Equal(docs[0], todo[0].Payload) {
		t.Errorf("outcome by id: %q %v", docs, err)
	}
	// A copy that was refused later does not take back that the delta was merged.
	if _, err := s.Pool().Exec(t.Context(), `INSERT INTO consilience.outcome SELECT (o).* FROM (
		SELECT jsonb_populate_record(o, '{"seq":999999,"status":"rejected","body":"\\x7b7d","published":true}') AS o
		FROM consilience.outcome o WHERE delta_id = $1 AND status = 'merged') x`, first.DeltaID[:]); err != nil {
		t.Fatal(err)
	}
	if docs, err := s.Outcomes(t.Context(), spaceName, idOf("ann"), []delta.ID{first.DeltaID}); err != nil || len(docs) != 1 || !bytes.Equal(docs[0], todo[0].Payload) {
		t.Errorf("outcome of a merged delta that came again: %q %v", docs, err)
	}
	if docs, err := s.Outcomes(t.Context(), spaceName, idOf("bob"), []delta.ID{first.DeltaID}); err != nil || len(docs) != 0 {
		t.Errorf("another contributor's outcome was given away: %q %v", docs, err)
	}
	rejected, err := s.Rejections(t.Context(), spaceName, 10)
	if err != nil || len(rejected) != 1 || rejected[0].Reason != string(reason.SequenceReused) {
		t.Fatalf("rejections: %+v %v", rejected, err)
	}
	if _, err := s.Rejections(t.Context(), "typo", 10); reason.Of(err) != reason.SpaceUnknown {
		t.Errorf("rejections of an unknown space: %v", err)
	}
	if code, _, refused, err := s.Refusal(t.Context(), rejected[0].Seq); err != nil || !refused || code != string(reason.SequenceReused) {
		t.Errorf("refusal of the entry: %s %v %v", code, refused, err)
	}
	if _, _, refused, err := s.Refusal(t.Context(), 1); err != nil || refused {
		t.Errorf("the genesis was refused: %v", err)
	}
}
