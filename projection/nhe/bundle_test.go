package nhe

import (
	"bytes"
	"slices"
	"testing"

	"consilience/projection"
	"consilience/reason"
	"consilience/record"
)

// emitted is what reaches a relying party: objects, snapshot, bundle.
func (f *fleet) emitted(t *testing.T, records ...record.Record) (objects [][]byte, snapshot []byte, b Bundle) {
	t.Helper()
	for _, r := range records {
		objects = append(objects, r.AppendWire(nil))
	}
	trust, err := NewTrust(f.state, f.keys)
	if err != nil {
		t.Fatal(err)
	}
	b, err = trust.Bundle(objects, f.evidence)
	if err != nil {
		t.Fatal(err)
	}
	return objects, trust.snapshot, b
}

// P-23, P-86: with bundle and snapshot a relying party opens the delivered records as
// the adapter did, without the store.
func TestBundle(t *testing.T) {
	f := newFleet(t)
	a := f.remember(t, f.author, record.Text, "tea", true)
	b := f.remember(t, f.author, record.Text, "coffee", false)
	c := f.remember(t, f.masked, record.Text, "poison", true)
	objects, snapshot, bundle := f.emitted(t, a, b, c)
	read, err := DecodeBundle(bundle.Encode())
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := read.Source(snapshot, objects)
	if err != nil {
		t.Fatal(err)
	}
	for _, object := range objects {
		want, err := f.source(t).Open(object)
		if err != nil {
			t.Fatal(err)
		}
		got, err := theirs.Open(object)
		if err != nil || got.Labels != want.Labels || !bytes.Equal(got.Body, want.Body) {
			t.Errorf("%+v, want %+v, %v", got.Labels, want.Labels, err)
		}
	}
	if !bytes.Equal(theirs.Snapshot(), snapshot) || len(read.Signers) != 2 {
		t.Error("another trust state")
	}
}

// One delta that carried several records travels once.
func TestBundleCarriesADeltaOnce(t *testing.T) {
	f := newFleet(t)
	a := f.remember(t, f.author, record.Text, "tea", true)
	_, _, b := f.emitted(t, a, a)
	if len(b.Envelopes) != 1 || len(b.Delivered) != 2 || len(b.Signers) != 1 {
		t.Errorf("%+v", b)
	}
}

// What a bundle lacks or contradicts is refused, when it is read or at the latest when
// a record is opened.
func TestHostileBundles(t *testing.T) {
	f := newFleet(t)
	r := f.remember(t, f.author, record.Text, "tea", true)
	objects, snapshot, good := f.emitted(t, r)
	outside := good
	outside.Delivered = []Position{{Envelope: 1}}
	if _, err := DecodeBundle(outside.Encode()); reason.Of(err) != reason.Malformed {
		t.Error(err)
	}
	if _, err := DecodeBundle(append(good.Encode(), 0)); err == nil {
		t.Error("trailing bytes")
	}
	if _, err := good.Source([]byte("x"), objects); reason.Of(err) != projection.TrustSnapshotInvalid {
		t.Error(err)
	}
	if _, err := good.Source(snapshot, nil); reason.Of(err) != projection.MaterialMissing {
		t.Error(err)
	}
	stranger := good
	stranger.Signers = []Signer{{Key: private(t, "stranger").Public(), Owner: r.Contributor}}
	s, err := stranger.Source(snapshot, objects)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Open(objects[0]); err == nil {
		t.Error("opened under a key that did not sign")
	}
	weak := good
	weak.Signers = []Signer{{Key: [32]byte{1}, Owner: r.Contributor}}
	if _, err := weak.Source(snapshot, objects); reason.Of(err) != reason.KeyInvalid {
		t.Error(err)
	}
	trust, _ := NewTrust(f.state, f.keys)
	if _, err := trust.Bundle(objects, nil); reason.Of(err) != projection.MaterialMissing {
		t.Error(err)
	}
	none, err := NewKeys(nil)
	if err != nil {
		t.Fatal(err)
	}
	strangers, _ := NewTrust(f.state, none)
	if _, err := strangers.Bundle(objects, f.evidence); reason.Of(err) != projection.MaterialMissing {
		t.Error("evidence under a key that nobody has:", err)
	}
	if _, err := trust.Bundle([][]byte{{1}}, nil); err == nil {
		t.Error("a bundle for no record")
	}
}

// P-29: a projection of memory records comes apart without its fragments at hand.
func TestSplit(t *testing.T) {
	f := newFleet(t)
	full := f.emit(t, everything, f.remember(t, f.author, record.Text, "tea\n[/NHE-Memory]", true), f.remember(t, f.masked, record.Text, "coffee", false))
	if len(full.Delivered) != 2 {
		t.Fatalf("%+v", full.Statement)
	}
	fragments, err := Split(full.Delivered, full.Bytes())
	if err != nil || len(fragments) != len(full.Delivered) {
		t.Fatal(len(fragments), err)
	}
	for i, e := range full.Delivered {
		if projection.DigestOf(fragments[i]) != e.ContextFragmentDigest {
			t.Errorf("fragment %d", i)
		}
	}
	swapped := slices.Clone(full.Delivered)
	slices.Reverse(swapped)
	for what, c := range map[string]struct {
		delivered []projection.Entry
		bytes     []byte
	}{
		"order": {swapped, full.Bytes()}, "cut": {full.Delivered, full.Bytes()[:10]}, "more": {full.Delivered, append(full.Bytes(), 'x')},
		"fewer entries": {full.Delivered[:1], full.Bytes()}, "nothing": {full.Delivered, nil},
	} {
		if _, err := Split(c.delivered, c.bytes); reason.Of(err) != projection.FragmentLabelMismatch {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// P-23: a packet gives a verifier all that it takes; what one of its parts lacks is said.
func TestPacketMaterial(t *testing.T) {
	f := newFleet(t)
	full := f.emit(t, everything, f.remember(t, f.author, record.Text, "tea", true), f.remember(t, f.author, record.Text, "coffee", false))
	trust, err := NewTrust(f.state, f.keys)
	if err != nil {
		t.Fatal(err)
	}
	bundle, err := trust.Bundle(f.objects, f.evidence)
	if err != nil {
		t.Fatal(err)
	}
	whole := Packet{Request: []byte("tea?"), Policy: everything.Bytes(), Snapshot: trust.snapshot, Objects: f.objects, Evidence: bundle.Encode()}
	m, err := whole.Material(f.signed, full.Bytes())
	if err != nil || len(m.Fragments) != 2 || string(m.RecallRequest) != "tea?" || string(m.SelectionPolicy) != string(everything.Bytes()) {
		t.Fatalf("%+v, %v", m, err)
	}
	if o, err := m.Source.Open(f.objects[0]); err != nil || o.Trust != projection.Trusted {
		t.Error(o, err)
	}
	for what, c := range map[string]struct {
		spoil   func(p *Packet)
		record  []byte
		emitted []byte
		want    reason.Code
	}{
		"no record":       {func(*Packet) {}, []byte("{}"), full.Bytes(), projection.RecordInvalid},
		"no evidence":     {func(p *Packet) { p.Evidence = nil }, f.signed, full.Bytes(), reason.Malformed},
		"no snapshot":     {func(p *Packet) { p.Snapshot = nil }, f.signed, full.Bytes(), projection.TrustSnapshotInvalid},
		"an object less":  {func(p *Packet) { p.Objects = p.Objects[:1] }, f.signed, full.Bytes(), projection.MaterialMissing},
		"a cut of bytes":  {func(*Packet) {}, f.signed, full.Bytes()[:9], projection.FragmentLabelMismatch},
		"evidence for no": {func(p *Packet) { p.Evidence = Bundle{}.Encode() }, f.signed, full.Bytes(), projection.MaterialMissing},
	} {
		p := whole
		c.spoil(&p)
		if _, err := p.Material(c.record, c.emitted); reason.Of(err) != c.want {
			t.Errorf("%s: %v, want %s", what, err, c.want)
		}
	}
}
