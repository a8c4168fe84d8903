package command_test

import (
	"encoding/hex"
	"reflect"
	"strings"
	"testing"

	"consilience/command"
	"consilience/identity"
	"consilience/reason"
	"consilience/wire/wiretest"
)

func TestOutcome(t *testing.T) {
	rejected := command.Outcome{
		Space: "flights", Status: command.StatusRejected, Reason: reason.NotCanonical, Revision: 9, Items: []command.OutcomeItem{},
	}
	for _, want := range []command.Outcome{outcome(t), rejected} {
		got, e, err := command.OpenOutcome(command.SealOutcome(want, key(t, 3)))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("comes back as %+v, %v", got, err)
		}
		if err := e.Verify(identity.PurposeReply, public(t, 3)); err != nil {
			t.Error(err)
		}
	}
	if document := string(rejected.Encode()); !strings.HasPrefix(document, `{"delta_id":null,"space":"flights","sequence":0,"status":"rejected","reason":"not_canonical","revision":9,"items":[]`) {
		t.Errorf("document is %s", document)
	}
	rejected.Items = nil
	if _, err := command.DecodeOutcome(rejected.Encode()); err != nil {
		t.Errorf("no items: %v", err)
	}
}

// A reply and an outcome are signed for one purpose; neither reads as the other.
func TestOutcomeIsNoReply(t *testing.T) {
	if _, _, err := command.OpenReply(command.SealOutcome(outcome(t), key(t, 3))); err == nil {
		t.Error("an outcome reads as a reply")
	}
	if _, _, err := command.OpenOutcome(command.SealReply(exchanges(t)[0].reply, key(t, 3))); err == nil {
		t.Error("a reply reads as an outcome")
	}
}

func TestOutcomeIsStrict(t *testing.T) {
	good := string(outcome(t).Encode())
	for _, c := range []struct {
		name, from, to string
		want           reason.Code
	}{
		{"unknown member", `"space"`, `"spice":1,"space"`, reason.NotCanonical},
		{"member missing", `"sequence":7,`, ``, reason.NotCanonical},
		{"member twice", `"sequence":7`, `"sequence":7,"sequence":7`, reason.NotCanonical},
		{"case twin", `"sequence"`, `"Sequence"`, reason.NotCanonical},
		{"another order", `"space":"flights","sequence":7`, `"sequence":7,"space":"flights"`, reason.NotCanonical},
		{"a blank", `{"delta_id"`, `{ "delta_id"`, reason.NotCanonical},
		{"an escape", `"flights"`, `"fl\u0069ghts"`, reason.NotCanonical},
		{"null for items", `"counted":true`, `"counted":null`, reason.NotCanonical},
		{"bare id", `"delta:`, `"`, reason.NotCanonical},
		{"fraction", `"confidence":756621`, `"confidence":0.5`, reason.Malformed},
		{"trailing text", `"counted":false}]}`, `"counted":false}]}{}`, reason.Malformed},
		{"status unknown", `"merged"`, `"done"`, reason.Malformed},
		{"merged for a reason", `"reason":""`, `"reason":"not_found"`, reason.Malformed},
		{"rejected for none", `"merged"`, `"rejected"`, reason.Malformed},
		{"action unknown", `"joined"`, `"deleted"`, reason.Malformed},
		{"space", `"flights"`, `"a.b"`, reason.NameInvalid},
		{"confidence above 0.999", `756621`, `999001`, reason.OutOfRange},
		{"sequence 2^53", `"sequence":7`, `"sequence":9007199254740992`, reason.OutOfRange},
		{"revision 2^53", `"revision":44`, `"revision":9007199254740992`, reason.OutOfRange},
	} {
		document := strings.Replace(good, c.from, c.to, 1)
		if document == good {
			t.Fatalf("%s: nothing to replace in %s", c.name, good)
		}
		if _, err := command.DecodeOutcome([]byte(document)); reason.Of(err) != c.want {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}

func TestServed(t *testing.T) {
	want := served(t)
	got, e, err := command.OpenServed(command.SealServed(want, key(t, 3)))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("comes back as %+v, %v", got, err)
	}
	if err := e.Verify(identity.PurposeServed, public(t, 3)); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		name   string
		change func(*command.Served)
		want   reason.Code
	}{
		{"space", func(s *command.Served) { s.Space = "" }, reason.NameInvalid},
		{"how", func(s *command.Served) { s.How = "mail" }, reason.Malformed},
		{"kind", func(s *command.Served) { s.Contents[2].Kind = 3 }, reason.OutOfRange},
		{"twice", func(s *command.Served) { s.Contents[1] = s.Contents[0] }, reason.NamedTwice},
		{"order", func(s *command.Served) { s.Contents[0], s.Contents[2] = s.Contents[2], s.Contents[0] }, reason.NotCanonical},
	} {
		s := served(t)
		c.change(&s)
		if _, err := command.DecodeServed(s.Encode()); reason.Of(err) != c.want {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
	if _, err := command.DecodeServed(changed(t, want.Encode(), 1, 2)); reason.Of(err) != reason.VersionUnsupported {
		t.Errorf("version 2: got %v", err)
	}
}

func TestGoldenServedAndOutcome(t *testing.T) {
	s, o := served(t), outcome(t)
	seed := hex.EncodeToString(key(t, 3).Seed())
	wiretest.Golden(t, "testdata/service.json", []wiretest.Vector{
		{Name: "served", Seed: seed, Hex: hex.EncodeToString(command.SealServed(s, key(t, 3))), Fields: wiretest.Show(s)},
		{Name: "outcome", Seed: seed, Hex: hex.EncodeToString(command.SealOutcome(o, key(t, 3))), Fields: o},
	})
}
