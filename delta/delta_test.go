package delta_test

import (
	"bytes"
	"encoding/hex"
	"slices"
	"testing"

	"consilience/delta"
	"consilience/identity"
	"consilience/reason"
	"consilience/record"
	"consilience/wire"
)

// key is the private key whose seed is b, 32 times.
func key(tb testing.TB, b byte) identity.PrivateKey {
	tb.Helper()
	k, err := identity.NewPrivateKey(bytes.Repeat([]byte{b}, 32))
	if err != nil {
		tb.Fatal(err)
	}
	return k
}

// newRecord is a record of contributor 1.
func newRecord(tb testing.TB, kind record.Kind, content string, pairs ...record.Pair) record.Record {
	tb.Helper()
	r, err := record.New(kind, []byte(content), pairs, key(tb, 1).Public().ID(), 1_796_000_000_000)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

func pairTo(r record.Record) record.Pair { return record.Pair{Record: r.ID, Hash: r.ContentHash} }

// proposal is a delta and the records that travel with it.
type proposal struct {
	delta   delta.Delta
	records []record.Record
}

// full is a proposal with an entry of each sort. Its modification refers to an
// item of the slice, which is a record that the store has.
func full(tb testing.TB) proposal {
	old := newRecord(tb, record.Text, "the gate is B4")
	text := newRecord(tb, record.Text, "the gate is B7")
	claim := newRecord(tb, record.Structured, `{"predicate":"gate","subject":"flight 7","value":"B7"}`, pairTo(text))
	binary := newRecord(tb, record.Binary, "\x00\xff", pairTo(claim), pairTo(text))
	next := newRecord(tb, record.Text, "the gate was B4", pairTo(old))
	return proposal{
		delta: delta.Delta{
			Store: wire.Hash([]byte("store")), Space: "flights", Contributor: key(tb, 1).Public().ID(),
			Sequence: 7, CreatedAt: 1_796_000_000_001,
			Base: &delta.Base{Digest: wire.Hash([]byte("slice")), Revision: 41},
			New: []delta.New{
				{Record: text.ID, Base: 900_000}, {Record: claim.ID, Base: 1_000_000}, {Record: binary.ID, Base: 1},
			},
			Modified: []delta.Modified{{Item: record.ItemID(old.ID), Record: next.ID, Base: 500_000}},
			Absent:   []delta.Absent{{Item: record.ItemID(wire.Hash([]byte("item"))), Strength: 250_000}},
		},
		records: []record.Record{text, claim, binary, next},
	}
}

func (p proposal) seal(tb testing.TB) ([]byte, delta.ID) {
	tb.Helper()
	raw, id, err := delta.Seal(p.delta, p.records, key(tb, 1))
	if err != nil {
		tb.Fatal(err)
	}
	return raw, id
}

// unchecked signs p without checking it, as another implementation might.
func (p proposal) unchecked(tb testing.TB) []byte {
	tb.Helper()
	return message(tb, delta.Encode(p.delta), p.records)
}

// message is a signed payload and records, whatever they are.
func message(tb testing.TB, payload []byte, records []record.Record) []byte {
	tb.Helper()
	raw := append([]byte{0x82}, identity.Sign(identity.PurposeDelta, payload, key(tb, 1))...)
	raw = wire.AppendArray(raw, len(records))
	for _, r := range records {
		raw = r.AppendWire(raw)
	}
	return raw
}

// N-11, N-44: what was sealed opens as it was.
func TestSealAndOpen(t *testing.T) {
	p := full(t)
	raw, id := p.seal(t)
	m, err := delta.Open(raw)
	if err != nil {
		t.Fatal(err)
	}
	if m.ID != id || m.ID != delta.IDOf(m.Envelope.Payload) {
		t.Errorf("ids differ: %v, %v", m.ID, id)
	}
	if err := m.Envelope.Verify(identity.PurposeDelta, key(t, 1).Public()); err != nil {
		t.Error(err)
	}
	if !bytes.Equal(delta.Encode(m.Delta), m.Envelope.Payload) {
		t.Error("another delta came back")
	}
	for i, r := range p.records {
		if m.Order[i] != r.ID || !bytes.Equal(m.Records[r.ID].AppendWire(nil), r.AppendWire(nil)) {
			t.Errorf("record %d came back as another", i)
		}
	}
	if !bytes.Equal(p.unchecked(t), raw) {
		t.Error("the tests' own encoding differs from Seal's")
	}
}

// The payload alone, as it is kept with the envelope, reads as the same delta.
func TestDecode(t *testing.T) {
	p := full(t)
	d, err := delta.Decode(delta.Encode(p.delta))
	if err != nil || !bytes.Equal(delta.Encode(d), delta.Encode(p.delta)) {
		t.Errorf("got %+v, %v", d, err)
	}
	p.delta.Sequence = 0
	if _, err := delta.Decode(delta.Encode(p.delta)); reason.Of(err) != reason.OutOfRange {
		t.Errorf("sequence 0: got %v, want %s", err, reason.OutOfRange)
	}
	if _, err := delta.Decode([]byte{0xa0}); reason.Of(err) != reason.Malformed {
		t.Errorf("an empty map: got %v, want %s", err, reason.Malformed)
	}
}

func TestSealRefusesWhatOpenRefuses(t *testing.T) {
	for _, c := range broken(t) {
		if _, _, err := delta.Seal(c.proposal.delta, c.proposal.records, key(t, 1)); reason.Of(err) != c.reason {
			t.Errorf("%s: got %v, want %s", c.name, err, c.reason)
		}
	}
}

// A record that an erase covers travels with null in place of its content; the
// signature still covers its id.
func TestErasedContentOpens(t *testing.T) {
	p := full(t)
	p.records[0].Erased, p.records[0].Content = true, nil
	m, err := delta.Open(p.unchecked(t))
	if err != nil {
		t.Fatal(err)
	}
	if r := m.Records[p.records[0].ID]; !r.Erased || r.Content != nil || r.ContentHash != p.records[0].ContentHash {
		t.Errorf("erased record came back as %+v", r)
	}
	intact, _ := full(t).seal(t)
	if whole, err := delta.Open(intact); err != nil || whole.ID != m.ID {
		t.Errorf("erasing changed the delta's id: %v", err)
	}
}

// The ends of every range are admitted.
func TestRangesAreInclusive(t *testing.T) {
	p := full(t)
	p.delta.Sequence, p.delta.CreatedAt, p.delta.Base.Revision = wire.MaxUint, wire.MaxUint, wire.MaxUint
	p.delta.New[0].Base, p.delta.Modified[0].Base, p.delta.Absent[0].Strength = 1, 1_000_000, 1_000_000
	p.delta.Space = "a"
	p.seal(t)
	p.delta.Sequence, p.delta.CreatedAt, p.delta.Base.Revision = 1, 0, 0
	p.seal(t)
}

func TestLimits(t *testing.T) {
	p := full(t)
	deep := newRecord(t, record.Structured, `{"a":[[{"b":"]]}}\"[["}]]}`)
	p.records = append(p.records, deep)
	p.delta.New = append(p.delta.New, delta.New{Record: deep.ID, Base: 1})
	raw, _ := p.seal(t)
	m, err := delta.Open(raw)
	if err != nil {
		t.Fatal(err)
	}
	exact := delta.Limits{MessageBytes: len(raw), Entries: 6, Nesting: 4}
	for _, c := range []struct {
		name   string
		change func(*delta.Limits)
		want   reason.Code
	}{
		{"exactly", func(*delta.Limits) {}, ""},
		{"default", func(l *delta.Limits) { *l = delta.DefaultLimits }, ""},
		{"one byte less", func(l *delta.Limits) { l.MessageBytes-- }, reason.MessageTooLarge},
		{"one entry less", func(l *delta.Limits) { l.Entries-- }, reason.TooManyEntries},
		{"one level less", func(l *delta.Limits) { l.Nesting-- }, reason.NestingTooDeep},
	} {
		l := exact
		c.change(&l)
		if got := reason.Of(m.CheckLimits(len(raw), l)); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestIDText(t *testing.T) {
	_, id := full(t).seal(t)
	text, err := id.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	var back delta.ID
	if err := back.UnmarshalText(text); err != nil || back != id {
		t.Errorf("%s reads as %v, %v", text, back, err)
	}
	if _, err := delta.ParseID("rec:" + wire.Text(id)); reason.Of(err) != reason.Malformed {
		t.Errorf("a record's id read as a delta's: %v", err)
	}
}

// Messages are opened in the middle of a batch: a hostile one must not panic.
func TestEveryTruncationIsRefused(t *testing.T) {
	raw, _ := full(t).seal(t)
	for n := range raw {
		if _, err := delta.Open(raw[:n]); reason.Of(err) != reason.Malformed {
			t.Fatalf("%d of %d bytes: got %v, want %s", n, len(raw), err, reason.Malformed)
		}
	}
}

// N-56, N-69: every change of one byte is refused, or changes what was signed.
func TestEveryByteCounts(t *testing.T) {
	raw, id := full(t).seal(t)
	for i := range raw {
		changed := slices.Clone(raw)
		changed[i] ^= 0x01
		m, err := delta.Open(changed)
		if err != nil {
			continue
		}
		if err := m.Envelope.Verify(identity.PurposeDelta, key(t, 1).Public()); err == nil {
			t.Fatalf("byte %d changed in %s and nothing said so (id %v)", i, hex.EncodeToString(changed), id)
		}
	}
}
