package command_test

import (
	"encoding/hex"
	"reflect"
	"slices"
	"testing"

	"consilience/command"
	"consilience/identity"
	"consilience/reason"
	"consilience/wire"
	"consilience/wire/wiretest"
)

// What was sealed opens as it was, and every signature verifies.
func TestSealAndOpen(t *testing.T) {
	for _, e := range examples(t) {
		t.Run(string(e.command.Kind), func(t *testing.T) {
			if err := e.command.Check(); err != nil {
				t.Fatal(err)
			}
			m, err := command.Open(e.seal(t))
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(m.Command, e.command) {
				t.Errorf("came back as %+v", m.Command)
			}
			if m.ID != command.IDOf(m.Payload) || len(m.Envelopes) != len(e.signers) {
				t.Errorf("id %v, %d envelopes", m.ID, len(m.Envelopes))
			}
			for i, envelope := range m.Envelopes {
				if err := envelope.Verify(identity.PurposeCommand, public(t, e.signers[i])); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// The order in which a caller lists a set does not change the command.
func TestSetsHaveOneEncoding(t *testing.T) {
	for _, e := range examples(t) {
		want := e.command.Encode()
		switch b := e.command.Body.(type) {
		case command.Genesis:
			slices.Reverse(b.Operators)
		case command.Operators:
			slices.Reverse(b.Add)
		case command.Enroll:
			slices.Reverse(b.Spaces)
		case command.Derive:
			slices.Reverse(b.Parents)
		}
		if !slices.Equal(e.command.Encode(), want) {
			t.Errorf("%s: another order gives another encoding", e.command.Kind)
		}
	}
}

func TestGoldenCommands(t *testing.T) {
	var vectors []wiretest.Vector
	for _, e := range examples(t) {
		raw := e.seal(t)
		m, err := command.Open(raw)
		if err != nil {
			t.Fatal(err)
		}
		subject, err := command.ParseSubject(command.SubjectFor(m.Command.Kind, m.Command.Space(), public(t, e.signers[0]).ID()))
		if err != nil {
			t.Fatal(err)
		}
		seeds := ""
		for _, s := range e.signers {
			seeds += hex.EncodeToString(key(t, s).Seed()) + " "
		}
		vectors = append(vectors, wiretest.Vector{
			Name: string(e.command.Kind), Seed: seeds[:len(seeds)-1], ID: m.ID.String(),
			Fields: map[string]any{
				"command": wiretest.Show(m.Command), "payload": hex.EncodeToString(m.Payload),
				"subject": subject.String(), "stored": subject.Stored(),
			},
			Hex: hex.EncodeToString(raw),
		})
	}
	wiretest.Golden(t, "testdata/commands.json", vectors)
}

// A store's id is the hash of its genesis, and the genesis names no store.
func TestStoreID(t *testing.T) {
	m, err := command.Open(examples(t)[0].seal(t))
	if err != nil {
		t.Fatal(err)
	}
	if command.StoreID(m.Payload) != wire.Hash(m.Payload) || m.Command.Store != [32]byte{} {
		t.Error("store id is not the hash of the genesis payload")
	}
}

// Subject tokens equal the signed fields.
func TestCheckSubject(t *testing.T) {
	for _, e := range examples(t) {
		m, err := command.Open(e.seal(t))
		if err != nil {
			t.Fatal(err)
		}
		signer := public(t, e.signers[0]).ID()
		s, err := command.ParseSubject(command.SubjectFor(e.command.Kind, m.Command.Space(), signer))
		if err != nil {
			t.Fatal(err)
		}
		if err := m.CheckSubject(s); err != nil {
			t.Errorf("%s: %v", e.command.Kind, err)
		}
		s.Kind = string(command.KindRetire) + "x"
		if got := reason.Of(m.CheckSubject(s)); got != reason.SubjectMismatch {
			t.Errorf("%s: another kind: got %q", e.command.Kind, got)
		}
		s.Kind, s.Space = string(e.command.Kind), "elsewhere"
		if got := reason.Of(m.CheckSubject(s)); got != reason.SpaceMismatch {
			t.Errorf("%s: another space: got %q", e.command.Kind, got)
		}
	}
}
