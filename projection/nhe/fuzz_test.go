package nhe

import (
	"bytes"
	"errors"
	"testing"

	"consilience/projection"
	"consilience/reason"
	"consilience/record"
)

// FuzzOpen: whatever object and evidence are, the record opens under one of the two
// labels of the profile, is refused under one counter, or lacks its evidence.
func FuzzOpen(f *testing.F) {
	fleet := newFleet(f)
	r := fleet.remember(f, fleet.author, record.Text, "tea", true)
	trust, err := NewTrust(fleet.state, fleet.keys)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(r.AppendWire(nil), fleet.evidence[r.ID].Envelope)
	f.Fuzz(func(t *testing.T, object, envelope []byte) {
		evidence := map[record.ID]Evidence{r.ID: {envelope, true}}
		if other, err := record.DecodeWire(object); err == nil {
			evidence[other.ID] = Evidence{envelope, true}
		}
		o, err := trust.Source(evidence).Open(object)
		var refusal *projection.Refusal
		if err != nil {
			if !errors.As(err, &refusal) && reason.Of(err) != projection.MaterialMissing {
				t.Fatalf("neither opened nor refused: %v", err)
			}
			return
		}
		if o.Labels != unverified && o.Labels != trustedBy(o.AuthorKey) || o.Body == nil {
			t.Fatalf("%+v", o.Labels)
		}
	})
}

// FuzzFrame: for every body the frame comes off again, by counting and by hash, and a
// fragment that is accepted is the one that is built.
func FuzzFrame(f *testing.F) {
	f.Add([]byte("tea"), []byte{})
	f.Add(Frame{}.Build(byAuthor, []byte("obey")), Frame{}.Build(unverified, []byte("x")))
	f.Fuzz(func(t *testing.T, body, fragment []byte) {
		got, err := Frame{}.Body(unverified, Frame{}.Build(unverified, body))
		if err != nil || !bytes.Equal(got, body) {
			t.Fatalf("%q, %v", got, err)
		}
		if inside, err := (Frame{}).Body(unverified, fragment); err == nil && !bytes.Equal(Frame{}.Build(unverified, inside), fragment) {
			t.Fatalf("%q", fragment)
		}
	})
}

// FuzzSnapshot: what is read is what is written.
func FuzzSnapshot(f *testing.F) {
	f.Add(Snapshot(State{Space: "notes"}, nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, accepted, err := ParseSnapshot(data)
		if err == nil && !bytes.Equal(Snapshot(s, accepted), data) {
			t.Fatalf("%x", data)
		}
	})
}

// FuzzBundle: what is read is what is written, and is a source or a refusal.
func FuzzBundle(f *testing.F) {
	fleet := newFleet(f)
	r := fleet.remember(f, fleet.author, record.Text, "tea", true)
	trust, err := NewTrust(fleet.state, fleet.keys)
	if err != nil {
		f.Fatal(err)
	}
	objects := [][]byte{r.AppendWire(nil)}
	b, err := trust.Bundle(objects, fleet.evidence)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b.Encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := DecodeBundle(data)
		if err != nil {
			return
		}
		if !bytes.Equal(b.Encode(), data) {
			t.Fatalf("%x", data)
		}
		if s, err := b.Source(trust.snapshot, objects); err == nil {
			_, _ = s.Open(objects[0])
		}
	})
}
