package nhe

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"consilience/delta"
	"consilience/identity"
	"consilience/projection"
	"consilience/reason"
	"consilience/record"
)

// N-72, P-34: trusted only if authoritative and by an accepted key; every other
// authentic record is unverified, by nobody.
func TestDerivedTrust(t *testing.T) {
	f := newFleet(t)
	short := f.author.Public().KeyID().Short()
	trusted := projection.Labels{Trust: projection.Trusted, Authorship: projection.Signed, AuthorKey: projection.KeyOf(short[:])}
	nobody := projection.Labels{Trust: projection.Unverified, Authorship: projection.Unknown}
	for _, c := range []struct {
		by            identity.PrivateKey
		authoritative bool
		want          projection.Labels
	}{{f.author, true, trusted}, {f.author, false, nobody}, {f.masked, true, nobody}, {f.masked, false, nobody}} {
		r := f.remember(t, c.by, record.Text, fmt.Sprint("tea ", c.want.Trust, f.sequence), c.authoritative)
		object := r.AppendWire(nil)
		o, err := f.source(t).Open(object)
		if err != nil {
			t.Fatal(err)
		}
		if o.Labels != c.want || o.FormatVersion != 1 || o.Digest != projection.DigestOf(object) || string(o.Body) != string(r.Content) {
			t.Errorf("%+v", o)
		}
	}
}

// P-76, P-92: records of a store through producer and full verifier, in order of
// trust, structured content too.
func TestRoundTrip(t *testing.T) {
	f := newFleet(t)
	doubtful := f.remember(t, f.author, record.Text, "perhaps e\u0301", false)
	sure := f.remember(t, f.author, record.Structured, `{"subject":"tea","predicate":"is","value":"hot"}`, true)
	binary := f.remember(t, f.author, record.Binary, "\xff\x00", true)
	full := f.emit(t, everything, doubtful, sure, binary)
	if len(full.Delivered) != 2 || full.Delivered[0].Trust != projection.Trusted || full.Exclusions.ByReason[projection.SchemaInvalid] != 1 {
		t.Errorf("%+v", full.Statement)
	}
	if full := f.emit(t, projection.DefaultSelectionPolicy(), doubtful, sure); len(full.Delivered) != 1 || full.Exclusions.ByReason[projection.PolicyFiltered] != 1 {
		t.Errorf("%+v", full.Statement)
	}
}

// P-37, P-38, AP-10: the profile's table, row by row.
func TestRefusedRecords(t *testing.T) {
	const form, auth = projection.SchemaInvalid, projection.AuthenticationFailed
	for what, c := range map[string]struct {
		spoil func(t *testing.T, f *fleet, r *record.Record, e *Evidence) []byte
		want  projection.Exclusion
	}{
		"cut": {func(_ *testing.T, _ *fleet, r *record.Record, _ *Evidence) []byte {
			b := r.AppendWire(nil)
			return b[:len(b)-1]
		}, form},
		"trailing": {func(_ *testing.T, _ *fleet, r *record.Record, _ *Evidence) []byte {
			return append(r.AppendWire(nil), 0)
		}, form},
		"nothing": {func(*testing.T, *fleet, *record.Record, *Evidence) []byte { return nil }, form},
		"erased": {func(_ *testing.T, _ *fleet, r *record.Record, _ *Evidence) []byte {
			r.Erased, r.Content = true, nil
			return r.AppendWire(nil)
		}, form},
		"other content": {func(_ *testing.T, _ *fleet, r *record.Record, _ *Evidence) []byte {
			r.Content = []byte("obey")
			return r.AppendWire(nil)
		}, auth},
		"no envelope": {func(_ *testing.T, _ *fleet, _ *record.Record, e *Evidence) []byte {
			e.Envelope = []byte("x")
			return nil
		}, auth},
		"empty envelope": {func(_ *testing.T, _ *fleet, _ *record.Record, e *Evidence) []byte { e.Envelope = nil; return nil }, auth},
		"signature bit": {func(_ *testing.T, _ *fleet, _ *record.Record, e *Evidence) []byte {
			e.Envelope[len(e.Envelope)-40] ^= 1
			return nil
		}, auth},
		"unknown key": {func(t *testing.T, f *fleet, r *record.Record, e *Evidence) []byte {
			e.Envelope = f.propose(t, private(t, "stranger"), *r, f.state)
			return nil
		}, auth},
		"another contributor's key": {func(t *testing.T, f *fleet, r *record.Record, e *Evidence) []byte {
			e.Envelope = f.propose(t, f.masked, *r, f.state)
			return nil
		}, auth},
		"another store": {func(t *testing.T, f *fleet, r *record.Record, e *Evidence) []byte {
			s := f.state
			s.Store[0]++
			e.Envelope = f.propose(t, f.author, *r, s)
			return nil
		}, auth},
		"another space": {func(t *testing.T, f *fleet, r *record.Record, e *Evidence) []byte {
			s := f.state
			s.Space = "other"
			e.Envelope = f.propose(t, f.author, *r, s)
			return nil
		}, auth},
		"another record's delta": {func(t *testing.T, f *fleet, _ *record.Record, e *Evidence) []byte {
			other := f.remember(t, f.author, record.Text, "other", true)
			e.Envelope = f.evidence[other.ID].Envelope
			return nil
		}, auth},
		"another purpose": {func(_ *testing.T, f *fleet, r *record.Record, e *Evidence) []byte {
			envelope, _ := identity.OpenEnvelope(e.Envelope)
			e.Envelope = identity.Sign(identity.PurposeRequest, envelope.Payload, f.author)
			return nil
		}, auth},
		"a delta for another contributor": {func(t *testing.T, f *fleet, r *record.Record, e *Evidence) []byte {
			e.Envelope = f.posing(t, e.Envelope, f.author, f.masked)
			return nil
		}, auth},
		"another contributor's record": {func(t *testing.T, f *fleet, r *record.Record, e *Evidence) []byte {
			*r = f.remember(t, f.masked, record.Text, "theirs", true)
			e.Envelope = f.posing(t, f.evidence[r.ID].Envelope, f.masked, f.author)
			return nil
		}, auth},
		"form that is not known": {func(t *testing.T, f *fleet, r *record.Record, e *Evidence) []byte {
			return f.reformed(t, r, e, "text-nfc-15.0", "text-nfc-99.0")
		}, form},
		"content not in its form": {func(t *testing.T, f *fleet, r *record.Record, e *Evidence) []byte {
			const decomposed = "e\u0301"
			was, is := record.HashOf([]byte("tea")), record.HashOf([]byte(decomposed))
			r.Content = []byte(decomposed)
			return f.reformed(t, r, e, string(was[:]), string(is[:]))
		}, form},
		"binary, and not its author's": {func(t *testing.T, f *fleet, r *record.Record, e *Evidence) []byte { // AP-10
			*r = f.remember(t, f.author, record.Binary, "tea", true)
			e.Envelope = f.propose(t, f.masked, *r, f.state)
			return nil
		}, auth},
		"binary that is text": {func(t *testing.T, f *fleet, r *record.Record, e *Evidence) []byte {
			*r = f.remember(t, f.author, record.Binary, "tea", true)
			*e = f.evidence[r.ID]
			return nil
		}, form},
		"no delta": {func(_ *testing.T, f *fleet, _ *record.Record, e *Evidence) []byte {
			e.Envelope = identity.Sign(identity.PurposeDelta, []byte{0x80}, f.author)
			return nil
		}, auth},
	} {
		t.Run(what, func(t *testing.T) {
			f := newFleet(t)
			r := f.remember(t, f.author, record.Text, "tea", true)
			e := f.evidence[r.ID]
			object := c.spoil(t, f, &r, &e)
			if object == nil && what != "nothing" {
				object = r.AppendWire(nil)
			}
			f.evidence[r.ID] = e
			_, err := f.source(t).Open(object)
			var refusal *projection.Refusal
			if !errors.As(err, &refusal) || refusal.Reason != c.want {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

// P-41: a record without evidence is in no counter.
func TestMissingEvidence(t *testing.T) {
	f := newFleet(t)
	r := f.remember(t, f.author, record.Text, "tea", true)
	delete(f.evidence, r.ID)
	if _, err := f.source(t).Open(r.AppendWire(nil)); reason.Of(err) != projection.MaterialMissing {
		t.Error(err)
	}
}

// A record that a modification proposed is proposed, and a contributor's later key
// signs for its first id.
func TestOtherProposals(t *testing.T) {
	f := newFleet(t)
	later := private(t, "author, later")
	owner := f.author.Public().ID()
	keys, err := NewKeys([]Key{{Key: f.author.Public(), Owner: owner, Accepted: true}, {Key: later.Public(), Owner: owner, Accepted: true}})
	if err != nil {
		t.Fatal(err)
	}
	f.keys = keys
	old := f.remember(t, f.author, record.Text, "tea", true)
	r, err := record.New(record.Text, []byte("coffee"), []record.Pair{{Record: old.ID, Hash: old.ContentHash}}, owner, 1)
	if err != nil {
		t.Fatal(err)
	}
	d := delta.Delta{Store: f.state.Store, Space: f.state.Space, Contributor: owner, Sequence: 9, Base: &delta.Base{},
		Modified: []delta.Modified{{Item: record.ItemID(old.ID), Record: r.ID, Base: 1}}}
	raw, _, err := delta.Seal(d, []record.Record{r}, later)
	if err != nil {
		t.Fatal(err)
	}
	m, err := delta.Open(raw)
	if err != nil {
		t.Fatal(err)
	}
	f.evidence[r.ID] = Evidence{m.Envelope.Raw, true}
	short := later.Public().KeyID().Short()
	o, err := f.source(t).Open(r.AppendWire(nil))
	if err != nil || o.AuthorKey != projection.KeyOf(short[:]) {
		t.Errorf("%+v, %v", o.Labels, err)
	}
}

// P-49: a source is frozen: what is done to the evidence afterwards changes nothing.
func TestSourceIsFrozen(t *testing.T) {
	f := newFleet(t)
	r := f.remember(t, f.author, record.Text, "tea", true)
	s := f.source(t)
	before := string(s.Snapshot())
	s.Snapshot()[0] ^= 1
	clear(f.evidence)
	if o, err := s.Open(r.AppendWire(nil)); err != nil || o.Trust != projection.Trusted || string(s.Snapshot()) != before {
		t.Error(o, err)
	}
}

// P-105: no refusal shows content or a key.
func TestRefusalsShowNothing(t *testing.T) {
	const canary = "CANARY-7f3a"
	f := newFleet(t)
	r := f.remember(t, f.author, record.Text, canary, true)
	author := r.Contributor.Token()
	r.Content = []byte(canary + canary)
	_, tampered := f.source(t).Open(r.AppendWire(nil))
	_, missing := f.source(t).Open(f.foreign(t, canary))
	for _, err := range []error{tampered, missing} {
		if shown := fmt.Sprintf("%+v %#v", err, err); err == nil || strings.Contains(shown, canary) || strings.Contains(shown, author) {
			t.Error(shown)
		}
	}
}

// posing is the envelope of a delta in which was is replaced by is, signed by the
// author.
func (f *fleet) posing(t *testing.T, envelope []byte, was, is identity.PrivateKey) []byte {
	t.Helper()
	e, err := identity.OpenEnvelope(envelope)
	if err != nil {
		t.Fatal(err)
	}
	from, to := was.Public().ID(), is.Public().ID()
	payload := bytes.ReplaceAll(e.Payload, from[:], to[:])
	if bytes.Equal(payload, e.Payload) {
		t.Fatal("the delta names another contributor")
	}
	return identity.Sign(identity.PurposeDelta, payload, f.author)
}

// reformed replaces a text in what the author signs about r, and signs that.
func (f *fleet) reformed(t *testing.T, r *record.Record, e *Evidence, was, is string) []byte {
	t.Helper()
	old := r.ID
	r.Forward = bytes.Replace(bytes.Clone(r.Forward), []byte(was), []byte(is), 1)
	object := r.AppendWire(nil)
	decoded, err := record.DecodeWire(object)
	if err != nil || decoded.ID == old {
		t.Fatal(decoded, err)
	}
	envelope, err := identity.OpenEnvelope(e.Envelope)
	if err != nil {
		t.Fatal(err)
	}
	*r = decoded
	e.Envelope = identity.Sign(identity.PurposeDelta, bytes.Replace(envelope.Payload, old[:], r.ID[:], 1), f.author)
	return object
}

// foreign is a record without evidence.
func (f *fleet) foreign(t *testing.T, content string) []byte {
	r, err := record.New(record.Text, []byte(content), nil, f.author.Public().ID(), 1)
	if err != nil {
		t.Fatal(err)
	}
	return r.AppendWire(nil)
}
