package audit_test

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"consilience/audit"
	"consilience/command"
	"consilience/identity"
	"consilience/record"
)

// Erases implements [audit.Source].
func (s *space) Erases(context.Context) ([]audit.Erase, error) { return s.erases, nil }

// Operator implements [audit.Source].
func (s *space) Operator(kid identity.KeyID, seq uint64) (identity.PublicKey, bool) {
	from, ok := s.operators[kid]
	return s.keys[kid], ok && from < seq
}

// Place implements [audit.Source].
func (s *space) Place() ([32]byte, string) { return [32]byte{1}, "ops" }

// operator is a key that commands from sequence 10 on.
func (s *space) operator(name string) identity.PrivateKey {
	k := s.author(name)
	s.operators[k.Public().KeyID()] = 10
	return k
}

// signed is a judgement about a record as an operator signs it.
func (s *space) signed(by identity.PrivateKey, change func(*command.Command), j command.Judgement) []byte {
	s.t.Helper()
	c := command.Command{Kind: command.KindErase, Store: [32]byte{1}, Body: j}
	if change != nil {
		change(&c)
	}
	m, err := command.Open(command.Seal(c, by))
	if err != nil {
		s.t.Fatal(err)
	}
	return m.Envelopes[0].Raw
}

// erase puts an operator's erase of r into the store.
func (s *space) erase(r record.Record) {
	envelope := s.signed(s.operator("op"), nil, command.Judgement{Space: "ops", Record: r.ID})
	s.erases = append(s.erases, audit.Erase{Seq: 11, Envelope: envelope})
}

// takeAway makes the row of r say that its content was erased.
func (s *space) takeAway(r record.Record) *audit.Stored {
	row := s.row(r)
	row.Content, row.Erased = nil, true
	return row
}

// An erased content is no tampering; what is left of the record is still checked.
func TestErasedIsNotTampered(t *testing.T) {
	s, _, n, _, _ := graph(t)
	s.erase(n)
	row := s.takeAway(n)
	s.expect(found{records: 4, intact: 4})
	row.Envelope = nil
	r, err := audit.Space(t.Context(), s, nil)
	if err != nil || !slices.Equal(r.Erased, []record.ID{n.ID}) || r.Intact != 3 || !slices.Equal(r.Tampered, []audit.Fault{{Record: n.ID, Fault: audit.FaultSignature}}) {
		t.Errorf("unsigned: %+v, %v", r, err)
	}
}

// An erase is of a content: it speaks for every record that had it.
func TestEraseSpeaksForEveryRecordOfTheContent(t *testing.T) {
	s := newSpace(t)
	first, second := s.author("first"), s.author("second")
	a, b := s.record(first, "The safe opens with 4711."), s.record(second, "The safe opens with 4711.")
	s.say(first, a)
	s.say(second, b)
	s.erase(a)
	s.takeAway(a)
	s.takeAway(b)
	s.expect(found{records: 2, intact: 2})
	if r, err := audit.One(t.Context(), s, b.ID); err != nil || !slices.Equal(r.Erased, []record.ID{b.ID}) || !r.Clean() {
		t.Errorf("alone: %+v, %v", r, err)
	}
}

// N-31, N-34: a row's word that its content was erased proves nothing. Unless an
// operator in force signed an erase of that content for this space, it was taken.
func TestErasedWithoutAnEraseIsTampered(t *testing.T) {
	for name, erases := range map[string]func(s *space, g, n record.Record) []audit.Erase{
		"none":                 func(*space, record.Record, record.Record) []audit.Erase { return nil },
		"of another content":   func(s *space, g, _ record.Record) []audit.Erase { s.erase(g); return s.erases },
		"of an unknown record": func(s *space, _, n record.Record) []audit.Erase { return s.one("op", 11, nil, record.ID{9}) },
		"by an author":         func(s *space, _, n record.Record) []audit.Erase { return s.one("first", 11, nil, n.ID) },
		"before its key":       func(s *space, _, n record.Record) []audit.Erase { return s.one("op", 10, nil, n.ID) },
		"for another store": func(s *space, _, n record.Record) []audit.Erase {
			return s.one("op", 11, func(c *command.Command) { c.Store[0] = 2 }, n.ID)
		},
		"for another space": func(s *space, _, n record.Record) []audit.Erase {
			return s.one("op", 11, func(c *command.Command) { c.Body = command.Judgement{Space: "hr", Record: n.ID} }, n.ID)
		},
		"another judgement": func(s *space, _, n record.Record) []audit.Erase {
			return s.one("op", 11, func(c *command.Command) { c.Kind = command.KindContradict }, n.ID)
		},
		"altered": func(s *space, _, n record.Record) []audit.Erase {
			all := s.one("op", 11, nil, n.ID)
			all[0].Envelope = bytes.Clone(all[0].Envelope)
			all[0].Envelope[len(all[0].Envelope)-1] ^= 1
			return all
		},
		"no envelope": func(*space, record.Record, record.Record) []audit.Erase { return []audit.Erase{{Seq: 11}} },
	} {
		s, g, n, a, b := graph(t)
		s.erases = erases(s, g, n)
		s.takeAway(n)
		t.Run(name, func(t *testing.T) {
			s.t = t
			s.expect(found{
				records: 4, intact: 1, observers: []record.ID{a.ID, b.ID},
				tampered: []audit.Fault{
					{Record: n.ID, Fault: record.FaultContent},
					{Record: n.ID, Fault: record.FaultPairContent, Evidence: record.NodeSuspect},
				},
			})
			if r, err := audit.One(t.Context(), s, n.ID); err != nil || len(r.Erased) != 0 || r.Clean() {
				t.Errorf("alone: %+v, %v", r, err)
			}
		})
	}
}

// one is a single erase of a record, changed before "op" or an author signs it.
func (s *space) one(by string, seq uint64, change func(*command.Command), id record.ID) []audit.Erase {
	s.operator("op")
	envelope := s.signed(s.author(by), change, command.Judgement{Space: "ops", Record: id})
	return []audit.Erase{{Seq: seq, Envelope: envelope}}
}
