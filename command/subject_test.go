package command_test

import (
	"strings"
	"testing"

	"consilience/command"
	"consilience/reason"
)

func TestParseSubject(t *testing.T) {
	signer := public(t, 1).ID()
	for published, want := range map[string]command.Subject{
		command.SubjectFor(command.KindGenesis, "", signer):              {Class: "fleet", Kind: "genesis", Signer: signer},
		command.SubjectFor(command.KindPolicy, "x", signer):              {Class: "fleet", Kind: "policy", Signer: signer},
		command.SubjectFor(command.KindErase, "flights", signer):         {Class: "space", Kind: "erase", Space: "flights", Signer: signer},
		command.DeltaSubject("flights", signer):                          {Class: "space", Kind: "delta", Space: "flights", Signer: signer},
		command.SliceSubject("flights", signer):                          {Class: "space", Kind: "slice", Space: "flights", Signer: signer},
		command.ServedSubject("flights", signer):                         {Class: "space", Kind: "served", Space: "flights", Signer: signer},
		"mem.space.a.confirm." + signer.Token():                          {Class: "space", Kind: "confirm", Space: "a", Signer: signer},
		"mem.part.12.a.confirm." + signer.Token():                        {Class: "space", Kind: "confirm", Space: "a", Signer: signer},
		"mem.fleet." + string(command.KindRotate) + "." + signer.Token(): {Class: "fleet", Kind: "rotate", Signer: signer},
	} {
		got, err := command.ParseSubject(published)
		if err != nil || got != want {
			t.Errorf("%s: got %+v, %v", published, got, err)
		}
		if again, err := command.ParseSubject(got.Stored()); err != nil || again != want {
			t.Errorf("%s: got %+v, %v", got.Stored(), again, err)
		}
	}
}

func TestParseSubjectIsStrict(t *testing.T) {
	token := public(t, 1).ID().Token()
	for _, c := range []struct {
		subject string
		want    reason.Code
	}{
		{"", reason.Malformed},
		{"mem", reason.Malformed},
		{"mem.api.slice." + token, reason.Malformed},
		{"mem.outcome." + token, reason.Malformed},
		{"nem.fleet.enroll." + token, reason.Malformed},
		{"mem.fleet.enroll." + token + ".", reason.Malformed},
		{"mem.fleet.enroll.nhe:" + token, reason.Malformed},
		{"mem.fleet.enroll." + token[:42], reason.Malformed},
		{"mem.part.13.a.delta." + token, reason.Malformed},
		{"mem.part.012.a.delta." + token, reason.Malformed},
		{"mem.part.12.fleet.enroll", reason.Malformed},
		{"mem.space.A.delta." + token, reason.NameInvalid},
		{"mem.space..delta." + token, reason.NameInvalid},
		{"mem.space.*.delta." + token, reason.NameInvalid},
		{"mem.fleet.confirm." + token, reason.CommandUnknown},
		{"mem.fleet.delta." + token, reason.CommandUnknown},
		{"mem.space.a.enroll." + token, reason.CommandUnknown},
		{"mem.space.a.Delta." + token, reason.CommandUnknown},
		{"mem.space.a." + strings.Repeat("x", 100) + "." + token, reason.CommandUnknown},
	} {
		if _, err := command.ParseSubject(c.subject); reason.Of(err) != c.want {
			t.Errorf("%q: got %v, want %s", c.subject, err, c.want)
		}
	}
}

func TestSubjectsOffTheLog(t *testing.T) {
	contributor := public(t, 4).ID()
	if got, want := command.APISubject(command.VerbSlice, contributor), "mem.api.slice."+contributor.Token(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := command.OutcomeSubject(contributor), "mem.outcome."+contributor.Token(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// FuzzSubject: a subject that reads is one of its own two forms.
func FuzzSubject(f *testing.F) {
	signer := public(f, 1).ID()
	f.Add(command.SubjectFor(command.KindEnroll, "", signer))
	f.Add(command.DeltaSubject("flights", signer))
	f.Add("mem.part.12.a.confirm." + signer.Token())
	f.Fuzz(func(t *testing.T, subject string) {
		s, err := command.ParseSubject(subject)
		if err == nil && s.String() != subject && s.Stored() != subject {
			t.Errorf("%q reads as %+v", subject, s)
		}
	})
}
