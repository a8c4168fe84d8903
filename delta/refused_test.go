package delta_test

import (
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"consilience/delta"
	"consilience/identity"
	"consilience/reason"
	"consilience/record"
	"consilience/wire"
	"consilience/wire/wiretest"
)

// brokenProposal is well-formed and breaks one rule.
type brokenProposal struct {
	name     string
	reason   reason.Code
	proposal proposal
}

// broken has one proposal for every rule of docs/wire.cddl that needs neither the
// store nor the log.
func broken(tb testing.TB) []brokenProposal {
	var all []brokenProposal
	add := func(name string, code reason.Code, change func(p *proposal)) {
		p := full(tb)
		change(&p)
		all = append(all, brokenProposal{name, code, p})
	}
	d := func(change func(d *delta.Delta)) func(*proposal) { return func(p *proposal) { change(&p.delta) } }

	add("space: empty", reason.NameInvalid, d(func(d *delta.Delta) { d.Space = "" }))
	add("space: a dot", reason.NameInvalid, d(func(d *delta.Delta) { d.Space = "a.b" }))
	add("space: a wildcard", reason.NameInvalid, d(func(d *delta.Delta) { d.Space = ">" }))
	add("space: 65 bytes", reason.NameInvalid, d(func(d *delta.Delta) { d.Space = strings.Repeat("a", 65) }))
	add("sequence: 0", reason.OutOfRange, d(func(d *delta.Delta) { d.Sequence = 0 }))
	add("sequence: 2^53", reason.OutOfRange, d(func(d *delta.Delta) { d.Sequence = 1 << 53 }))
	add("created at: 2^53", reason.OutOfRange, d(func(d *delta.Delta) { d.CreatedAt = 1 << 53 }))
	add("base revision: 2^53", reason.OutOfRange, d(func(d *delta.Delta) { d.Base.Revision = 1 << 53 }))
	add("base confidence: 0", reason.OutOfRange, d(func(d *delta.Delta) { d.New[0].Base = 0 }))
	add("base confidence: above 1", reason.OutOfRange, d(func(d *delta.Delta) { d.New[2].Base = 1_000_001 }))
	add("modification's base: 0", reason.OutOfRange, d(func(d *delta.Delta) { d.Modified[0].Base = 0 }))
	add("modification's base: above 1", reason.OutOfRange, d(func(d *delta.Delta) { d.Modified[0].Base = 1_000_001 }))
	add("strength: 0", reason.OutOfRange, d(func(d *delta.Delta) { d.Absent[0].Strength = 0 }))
	add("strength: above 1", reason.OutOfRange, d(func(d *delta.Delta) { d.Absent[0].Strength = 1_000_001 }))
	add("modified without a base slice", reason.BaseSliceMissing, d(func(d *delta.Delta) { d.Base, d.Absent = nil, nil }))
	add("absent without a base slice", reason.BaseSliceMissing, func(p *proposal) {
		p.delta.Base, p.delta.Modified, p.records = nil, nil, p.records[:3]
	})
	add("item modified and absent", reason.NamedTwice, d(func(d *delta.Delta) { d.Absent[0].Item = d.Modified[0].Item }))
	add("item absent twice", reason.NamedTwice, d(func(d *delta.Delta) { d.Absent = append(d.Absent, d.Absent[0]) }))
	add("item modified twice", reason.NamedTwice, d(func(d *delta.Delta) { d.Modified = append(d.Modified, d.Modified[0]) }))
	add("record new twice", reason.NamedTwice, d(func(d *delta.Delta) { d.New = append(d.New, d.New[0]) }))
	add("record new and modified", reason.NamedTwice, d(func(d *delta.Delta) {
		d.New = append(d.New, delta.New{Record: d.Modified[0].Record, Base: 1})
	}))
	add("record travels twice", reason.NamedTwice, func(p *proposal) { p.records = append(p.records, p.records[0]) })
	add("record named, not sent", reason.RecordMissing, func(p *proposal) { p.records = p.records[:3] })
	add("no record sent", reason.RecordMissing, func(p *proposal) { p.records = nil })
	add("record sent, not named", reason.RecordUnnamed, d(func(d *delta.Delta) { d.New = d.New[:2] }))
	add("another author's record", reason.AuthorMismatch, func(p *proposal) {
		r, err := record.New(record.Text, []byte("foreign"), nil, key(tb, 2).Public().ID(), 1)
		if err != nil {
			tb.Fatal(err)
		}
		p.records = append(p.records, r)
		p.delta.New = append(p.delta.New, delta.New{Record: r.ID, Base: 1})
	})
	add("delta of another contributor than its records", reason.AuthorMismatch, d(func(d *delta.Delta) {
		d.Contributor = key(tb, 2).Public().ID()
	}))
	add("modification that refers to nothing", reason.PairMissing, func(p *proposal) {
		p.records[3] = newRecord(tb, record.Text, "no pair")
		p.delta.Modified[0].Record = p.records[3].ID
	})
	add("pair to a later record of the message", reason.PairMismatch, func(p *proposal) { slices.Reverse(p.records) })
	add("pair with another hash than the record has", reason.PairMismatch, func(p *proposal) {
		wrong := record.Pair{Record: p.records[0].ID, Hash: record.Hash{1}}
		p.records[1] = newRecord(tb, record.Structured, `{"a":1}`, wrong)
		p.records[2] = newRecord(tb, record.Binary, "\x00")
		p.delta.New[1].Record, p.delta.New[2].Record = p.records[1].ID, p.records[2].ID
	})
	add("content of another hash", reason.ContentHashMismatch, func(p *proposal) { p.records[0].Content = []byte("the gate is C1") })
	add("text that is not NFC", reason.NotCanonical, func(p *proposal) { p.records[0].Content = []byte("e\u0301") })
	add("text that is no UTF-8", reason.ContentInvalid, func(p *proposal) { p.records[0].Content = []byte("\xff") })
	add("JSON with a blank", reason.NotCanonical, func(p *proposal) { p.records[1].Content = []byte(`{"a": 1}`) })
	add("JSON with a name twice", reason.ContentInvalid, func(p *proposal) { p.records[1].Content = []byte(`{"a":1,"a":1}`) })
	return all
}

// refusedMessages are the broken proposals and what is not even well-formed.
func refusedMessages(tb testing.TB) []wiretest.Vector {
	var vectors []wiretest.Vector
	add := func(name string, code reason.Code, raw []byte) {
		vectors = append(vectors, wiretest.Vector{Name: name, Reason: code, Hex: hex.EncodeToString(raw)})
	}
	for _, c := range broken(tb) {
		add(c.name, c.reason, c.proposal.unchecked(tb))
	}
	p := full(tb)
	payload := delta.Encode(p.delta)
	edit := func(name string, code reason.Code, from, to string) {
		changed := strings.Replace(hex.EncodeToString(payload), from, to, 1)
		if changed == hex.EncodeToString(payload) {
			tb.Fatalf("%s: nothing to replace", name)
		}
		b, err := hex.DecodeString(changed)
		if err != nil {
			tb.Fatal(err)
		}
		add(name, code, message(tb, b, p.records))
	}
	edit("version 2", reason.VersionUnsupported, "aa0101", "aa0102")
	edit("version missing", reason.Malformed, "aa0101", "a9")
	edit("an eleventh member", reason.Malformed, "aa0101", "ab0001")
	edit("sequence not in its shortest form", reason.NotCanonical, "0507", "051807")
	edit("sequence is text", reason.Malformed, "0507", "056137")
	edit("sequence is a float", reason.Malformed, "0507", "05f94700")
	edit("base slice undefined", reason.Malformed, "07825820"+hex.EncodeToString(p.delta.Base.Digest[:])+"1829", "07f7")
	edit("map of indefinite length", reason.Malformed, "aa0101", "bf0101")
	edit("store id of 31 bytes", reason.Malformed, "025820"+hex.EncodeToString(p.delta.Store[:]), "02581f"+hex.EncodeToString(p.delta.Store[1:]))
	add("payload has a trailing byte", reason.Malformed, message(tb, append(slices.Clone(payload), 0), p.records))
	add("payload is empty", reason.Malformed, message(tb, nil, p.records))

	raw := p.unchecked(tb)
	envelope := identity.Sign(identity.PurposeDelta, payload, key(tb, 1))
	add("empty", reason.Malformed, nil)
	add("not an array", reason.Malformed, []byte{0x01})
	add("envelope alone", reason.Malformed, envelope)
	add("records missing", reason.Malformed, append([]byte{0x81}, envelope...))
	add("a third element", reason.Malformed, append(append([]byte{0x83}, raw[1:]...), 0))
	add("trailing byte", reason.Malformed, append(slices.Clone(raw), 0))
	add("array head not in its shortest form", reason.NotCanonical, append([]byte{0x98, 0x02}, raw[1:]...))
	add("envelope without its tag", reason.Malformed, append([]byte{0x82}, raw[2:]...))
	add("record with a third element", reason.Malformed, slices.Concat([]byte{0x82}, envelope, []byte{0x81, 0x83, 0x40, 0x40, 0x40}))
	add("record's forward part is empty", reason.Malformed, slices.Concat([]byte{0x82}, envelope, []byte{0x81, 0x82, 0x40, 0x40}))
	add("record's content is text", reason.Malformed, slices.Concat([]byte{0x82}, envelope, []byte{0x81, 0x82, 0x40, 0x60}))
	add("records of indefinite length", reason.NotCanonical, slices.Concat([]byte{0x82}, envelope, []byte{0x9f, 0xff}))
	vectors = append(vectors, refusedForwards(tb)...)
	return vectors
}

// refusedForwards are messages whose one record has a forward part that is
// refused.
func refusedForwards(tb testing.TB) []wiretest.Vector {
	r := newRecord(tb, record.Text, "x")
	good := hex.EncodeToString(r.Forward)
	var vectors []wiretest.Vector
	for _, c := range []struct {
		name, from, to string
		code           reason.Code
	}{
		{"record: kind 3", "a60100", "a60103", reason.OutOfRange},
		{"record: kind not in its shortest form", "a60100", "a6011800", reason.NotCanonical},
		{"record: member missing", "a60100", "a5", reason.Malformed},
		{"record: written at 2^53", "051b000001a229f12800", "051b0020000000000000", reason.OutOfRange},
		{"record: form of another kind", "066d" + hex.EncodeToString([]byte(record.FormText)), "0666" + hex.EncodeToString([]byte(record.FormBinary)), reason.FormUnsupported},
		{"record: form unknown", hex.EncodeToString([]byte("15.0")), hex.EncodeToString([]byte("17.0")), reason.FormUnsupported},
		{"record: pair of one element", "0380", "0381815820" + strings.Repeat("00", 32), reason.Malformed},
	} {
		changed := strings.Replace(good, c.from, c.to, 1)
		forward, err := hex.DecodeString(changed)
		if err != nil || changed == good {
			tb.Fatalf("%s: %v, nothing to replace in %s", c.name, err, good)
		}
		id := record.ID(wire.DomainHash("NHE-MEMORY-RECORD-v1", forward))
		d := delta.Delta{Space: "flights", Contributor: r.Contributor, Sequence: 1, New: []delta.New{{Record: id, Base: 1}}}
		raw := message(tb, delta.Encode(d), []record.Record{{Forward: forward, Content: r.Content}})
		vectors = append(vectors, wiretest.Vector{Name: c.name, Reason: c.code, Hex: hex.EncodeToString(raw)})
	}
	return vectors
}

// Every refusal that wire.cddl lists for a delta message and that the message
// alone shows, with its reason code (N-12 to N-15, N-23, N-24, N-44, N-48, N-55,
// N-56).
func TestRefusedMessages(t *testing.T) {
	vectors := refusedMessages(t)
	wiretest.Refused(t, vectors, func(raw []byte) error {
		_, err := delta.Open(raw)
		return err
	})
	wiretest.Golden(t, "testdata/deltas-refused.json", vectors)
}
