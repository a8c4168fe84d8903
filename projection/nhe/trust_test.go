package nhe

import (
	"slices"
	"testing"

	"consilience/identity"
	"consilience/projection"
	"consilience/reason"
	"consilience/wire"
)

// AP-12: dishonest keys and one key with two owners are refused; the same key twice is
// one.
func TestKeys(t *testing.T) {
	a, b := private(t, "a").Public(), private(t, "b").Public()
	for _, weak := range []identity.PublicKey{{}, {1}} {
		if _, err := NewKeys([]Key{{Key: weak}}); reason.Of(err) != reason.KeyInvalid {
			t.Error(err)
		}
	}
	if _, err := NewKeys([]Key{{Key: a, Owner: a.ID()}, {Key: a, Owner: b.ID()}}); reason.Of(err) != reason.KeyInvalid {
		t.Error(err)
	}
	if k, err := NewKeys([]Key{{Key: a, Accepted: true}, {Key: a, Accepted: true}, {Key: b}}); err != nil || len(k.accepted) != 1 {
		t.Error(k, err)
	}
}

// AP-14: of two keys with one short id neither is accepted, whatever their order, and
// all others stay: who makes such a pair ends nobody's recalls but its own.
func TestKeysWithOneShortID(t *testing.T) {
	f := newFleet(t)
	a, b, c := private(t, "a"), private(t, "b"), f.author
	short := func(k identity.PublicKey) identity.KeyID {
		id := k.KeyID()
		if k != c.Public() {
			clear(id[:8])
		}
		return id
	}
	key := func(k identity.PrivateKey) Key { return Key{Key: k.Public(), Owner: k.Public().ID(), Accepted: true} }
	for _, order := range [][]Key{{key(a), key(b), key(c)}, {key(c), key(b), key(a), key(b)}} {
		keys, err := newKeys(order, short)
		if err != nil || len(keys.byID) != 3 || !slices.Equal(keys.accepted, []identity.KeyID{c.Public().KeyID()}) {
			t.Fatal(keys, err)
		}
		for id, k := range keys.byID {
			if k.Accepted != (id == c.Public().KeyID()) {
				t.Errorf("%+v", k)
			}
		}
	}
}

// P-20, P-45, P-50: the snapshot is one byte string for one state, in the order of
// raw bytes, and every field is in it.
func TestSnapshot(t *testing.T) {
	s := State{Store: [32]byte{1}, Space: "notes", Revision: 7, PolicyDigest: [32]byte{2}}
	ids := []identity.KeyID{{0x80}, {0x00}, {0x7f}, {0x80}}
	b := Snapshot(s, ids)
	got, accepted, err := ParseSnapshot(b)
	if err != nil || got != s || !slices.Equal(accepted, []identity.KeyID{{0x00}, {0x7f}, {0x80}}) {
		t.Error(got, accepted, err)
	}
	if !slices.Equal(ids, []identity.KeyID{{0x80}, {0x00}, {0x7f}, {0x80}}) {
		t.Error("the caller's list was sorted")
	}
	for what, other := range map[string][]byte{
		"store": Snapshot(State{Space: s.Space, Revision: 7, PolicyDigest: s.PolicyDigest}, ids), "key": Snapshot(s, ids[:2]),
		"space":    Snapshot(State{s.Store, "other", 7, s.PolicyDigest}, ids),
		"revision": Snapshot(State{s.Store, s.Space, 8, s.PolicyDigest}, ids), "policy": Snapshot(State{Store: s.Store, Space: s.Space, Revision: 7}, ids),
	} {
		if string(other) == string(b) {
			t.Errorf("%s is not in the snapshot", what)
		}
	}
	if empty := Snapshot(s, nil); empty[len(empty)-1] != 0x80 {
		t.Errorf("%x", empty)
	}
}

// P-45, AP-11: every other encoding is no snapshot.
func TestHostileSnapshots(t *testing.T) {
	s := State{Store: [32]byte{1}, Space: "notes", Revision: 7}
	good := Snapshot(s, []identity.KeyID{{1}, {2}})
	members := func(change func(m map[uint64]any)) []byte {
		m := map[uint64]any{1: s.Store, 2: s.Space, 3: s.Revision, 4: s.PolicyDigest, 5: [][32]byte{{1}, {2}}}
		change(m)
		return wire.Marshal(m)
	}
	if string(members(func(map[uint64]any) {})) != string(good) {
		t.Fatal("the test builds another snapshot")
	}
	for what, b := range map[string][]byte{
		"nothing":       {},
		"trailing":      append(slices.Clone(good), 0),
		"cut":           good[:len(good)-1],
		"space":         members(func(m map[uint64]any) { m[2] = "No Space" }),
		"revision":      members(func(m map[uint64]any) { m[3] = uint64(1 << 53) }),
		"no keys":       members(func(m map[uint64]any) { delete(m, 5) }),
		"keys null":     members(func(m map[uint64]any) { m[5] = nil }),
		"short ids":     members(func(m map[uint64]any) { m[5] = [][8]byte{{1}, {2}} }),
		"order":         members(func(m map[uint64]any) { m[5] = [][32]byte{{2}, {1}} }),
		"duplicate":     members(func(m map[uint64]any) { m[5] = [][32]byte{{1}, {1}} }),
		"one short id":  members(func(m map[uint64]any) { m[5] = [][32]byte{{1}, {1, 8: 1}} }),
		"member beside": members(func(m map[uint64]any) { m[6] = 1 }),
		"store of 31":   members(func(m map[uint64]any) { m[1] = [31]byte{1} }),
		"longer head":   append([]byte{0xb8, 5}, good[1:]...),
	} {
		if _, _, err := ParseSnapshot(b); reason.Of(err) != projection.TrustSnapshotInvalid {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// AP-11: which labels a snapshot of a store allows.
func TestSnapshotAllowsResults(t *testing.T) {
	f := newFleet(t)
	s := f.source(t)
	author, masked := f.author.Public().KeyID().Short(), f.masked.Public().KeyID().Short()
	full := f.author.Public().KeyID()
	by := func(trust projection.Trust, a projection.Authorship, id []byte, custody bool) projection.Labels {
		return projection.Labels{Trust: trust, Authorship: a, AuthorKey: projection.KeyOf(id), Custody: custody}
	}
	for what, c := range map[string]struct {
		labels projection.Labels
		ok     bool
	}{
		"trusted":                 {by(projection.Trusted, projection.Signed, author[:], false), true},
		"unverified":              {unverified, true},
		"trusted by the masked":   {by(projection.Trusted, projection.Signed, masked[:], false), false},
		"trusted by a full id":    {by(projection.Trusted, projection.Signed, full[:], false), false},
		"trusted by nobody":       {by(projection.Trusted, projection.Signed, nil, false), false},
		"self":                    {by(projection.Self, projection.Signed, author[:], false), false},
		"attested":                {by(projection.Trusted, projection.Attested, author[:], true), false},
		"trusted with custody":    {by(projection.Trusted, projection.Signed, author[:], true), false},
		"unverified with custody": {by(projection.Unverified, projection.Unknown, nil, true), false},
	} {
		err := s.CheckSnapshot(s.Snapshot(), []projection.Entry{{Labels: c.labels}})
		if c.ok && err != nil || !c.ok && reason.Of(err) != projection.TrustSnapshotInconsistent {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := s.CheckSnapshot([]byte("x"), nil); reason.Of(err) != projection.TrustSnapshotInvalid {
		t.Error(err)
	}
}

// A state that no space can be in is refused.
func TestStates(t *testing.T) {
	keys, err := NewKeys(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewTrust(State{Space: "No Space"}, keys); reason.Of(err) != reason.NameInvalid {
		t.Error(err)
	}
	if _, err := NewTrust(State{Space: "notes", Revision: 1 << 53}, keys); reason.Of(err) != reason.OutOfRange {
		t.Error(err)
	}
	last := State{Space: "notes", Revision: 1<<53 - 1}
	if got, _, err := ParseSnapshot(Snapshot(last, nil)); err != nil || got != last {
		t.Error(got, err)
	}
}
