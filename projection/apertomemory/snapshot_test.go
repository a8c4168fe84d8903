package apertomemory

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"math/rand/v2"
	"slices"
	"testing"

	"consilience/projection"
	"consilience/reason"
)

func id(t testing.TB, digits string) KeyID { return KeyID(fromDigits(t, digits)) }

// P-45, P-49, P-50, P-51, P-52, P-54, P-55: the three snapshots that the draft prints,
// bytes and digests.
func TestPrintedSnapshots(t *testing.T) {
	for _, c := range []struct {
		owner    string
		accepted []string
		bytes    string
		digest   string
	}{
		{"63c1e89c009c5ad7", []string{"d05309cbd3b55f3b", "d05309cbd3b55f3b"}, "a2014863c1e89c009c5ad7028148d05309cbd3b55f3b",
			"sha256:ad677e36d1ac311f758cefeb41069704d1bc995612db0bc1029e239ecfcc2b5d"},
		{"0102030405060708", []string{"d000000000000000", "0000000000000001"},
			"a201480102030405060708028248000000000000000148d000000000000000",
			"sha256:a6cec9a790d68dda6df60477c802cd3738650cd8f1b38fcc21125de51762e231"},
		{"63c1e89c009c5ad7", nil, "a2014863c1e89c009c5ad70280",
			"sha256:eddde59fb79cca10fdadf0c5bfc7c3b7e466cab79dcb95a5c4ea165fc8eb5bf0"},
		{"0102030405060708", []string{"0102030405060708"}, "a201480102030405060708028148" + "0102030405060708", ""}, // P-51
	} {
		var accepted []KeyID
		for _, a := range c.accepted {
			accepted = append(accepted, id(t, a))
		}
		got := Snapshot(id(t, c.owner), accepted)
		if hex.EncodeToString(got) != c.bytes {
			t.Errorf("%x, want %s", got, c.bytes)
		}
		if d := projection.DigestOf(got).String(); c.digest != "" && d != c.digest {
			t.Error(d)
		}
		owner, again, err := ParseSnapshot(got)
		if err != nil || owner != id(t, c.owner) || !slices.Equal(again, sortedIDs(accepted)) {
			t.Error(owner, again, err)
		}
	}
}

// P-45, P-46, P-47, P-52, AP-11: every other encoding, order, length or type.
func TestHostileSnapshots(t *testing.T) {
	const owner, a, b = "0102030405060708", "0000000000000001", "d000000000000000"
	for what, digits := range map[string]string{
		"nothing":               "",
		"owner of 7 bytes":      "a2014701020304050607" + "0280",
		"owner of 9 bytes":      "a20149010203040506070809" + "0280",
		"owner as text":         "a201683031323334353637" + "0280",
		"owner null":            "a201f60280",
		"third member":          "a30148" + owner + "02800300",
		"no key 2":              "a10148" + owner,
		"key 2 null":            "a20148" + owner + "02f6",
		"key 2 undefined":       "a20148" + owner + "02f7",
		"key 2 a map":           "a20148" + owner + "02a0",
		"array of text":         "a20148" + owner + "0281683031323334353637",
		"array of integers":     "a20148" + owner + "028101",
		"array of short ids":    "a20148" + owner + "02814700000000000001",
		"wrong order":           "a20148" + owner + "028248" + b + "48" + a,
		"duplicate":             "a20148" + owner + "028248" + a + "48" + a,
		"key order":             "a202800148" + owner,
		"duplicate key":         "a30148" + owner + "0148" + owner + "0280",
		"duplicate key, longer": "a30148" + owner + "180148" + owner + "0280",
		"longer integer key":    "a2180148" + owner + "0280",
		"longer head":           "a2015808" + owner + "0280",
		"longer array head":     "a20148" + owner + "029800",
		"longer map head":       "b8020148" + owner + "0280",
		"indefinite map":        "bf0148" + owner + "0280ff",
		"indefinite array":      "a20148" + owner + "029fff",
		"indefinite bytes":      "a2015f48" + owner + "ff0280",
		"tagged":                "d9d9f7a20148" + owner + "0280",
		"trailing":              "a20148" + owner + "028000",
		"array":                 "8248" + owner + "80",
		"keys as text":          "a2613148" + owner + "613280",
		"negative key":          "a2200148" + owner + "0280",
	} {
		if _, _, err := ParseSnapshot(fromDigits(t, digits)); reason.Of(err) != projection.TrustSnapshotInvalid {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// P-50, P-53: over random sets the order is that of raw unsigned bytes, which neither
// signed bytes nor base64url text share.
func TestSnapshotOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	differs := map[string]int{}
	for range 500 {
		ids := make([]KeyID, 2+random.IntN(20))
		for i := range ids {
			for j := range ids[i] {
				ids[i][j] = byte(random.Uint32())
			}
		}
		_, got, err := ParseSnapshot(Snapshot(KeyID{}, ids))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.IsSortedFunc(got, func(a, b KeyID) int { return bytes.Compare(a[:], b[:]) }) || len(got) != len(ids) {
			t.Fatalf("%x", got)
		}
		if !slices.IsSortedFunc(got, func(a, b KeyID) int { return int(int8(a[0])) - int(int8(b[0])) }) {
			differs["signed bytes"]++
		}
		encode := base64.RawURLEncoding.EncodeToString
		if !slices.IsSortedFunc(got, func(a, b KeyID) int { return bytes.Compare([]byte(encode(a[:])), []byte(encode(b[:]))) }) {
			differs["base64url"]++
		}
	}
	if differs["signed bytes"] < 100 || differs["base64url"] < 100 {
		t.Errorf("the sets do not tell the orders apart: %v", differs)
	}
}

// P-48, S-17: an id is of the raw key; over other forms of the key it is another one.
func TestKeyIDs(t *testing.T) {
	for digits, want := range map[string]string{ownerKey: "63c1e89c009c5ad7", authorKey: "d05309cbd3b55f3b"} {
		raw := fromDigits(t, digits)
		if got := KeyIDOf(key(t, digits)).String(); got != want {
			t.Error(got)
		}
		spki := append(fromDigits(t, "302a300506032b6570032100"), raw...)
		for _, form := range [][]byte{spki, []byte(base64.RawURLEncoding.EncodeToString(raw)), []byte(digits)} {
			other := projection.DigestOf(form)
			_, err := NewKeyring(Config{Owner: key(t, ownerKey), Accepted: []Accepted{{KeyID(other[:8]), key(t, digits)}}})
			wantCode(t, err, reason.KeyInvalid)
		}
	}
}

// AP-11: which results a snapshot allows.
func TestSnapshotAllowsResults(t *testing.T) {
	owner, author, stranger := KeyID{1}, KeyID{2}, KeyID{3}
	snapshot := Snapshot(owner, []KeyID{author})
	entry := func(trust projection.Trust, authorship projection.Authorship, k KeyID) projection.Entry {
		return projection.Entry{Labels: projection.Labels{Trust: trust, Authorship: authorship, AuthorKey: projection.KeyOf(k[:])}}
	}
	nobody := projection.Entry{Labels: projection.Labels{Trust: projection.Unverified, Authorship: projection.Unknown}}
	for what, c := range map[string]struct {
		entry projection.Entry
		ok    bool
	}{
		"self by the owner":            {entry(projection.Self, projection.Signed, owner), true},
		"self by an author":            {entry(projection.Self, projection.Signed, author), false},
		"trusted by an author":         {entry(projection.Trusted, projection.Signed, author), true},
		"trusted by the owner":         {entry(projection.Trusted, projection.Signed, owner), false},
		"attested by the owner":        {entry(projection.Trusted, projection.Attested, owner), true},
		"attested for an author":       {entry(projection.Trusted, projection.Attested, author), true},
		"trusted by a stranger":        {entry(projection.Trusted, projection.Signed, stranger), false},
		"attested for a stranger":      {entry(projection.Trusted, projection.Attested, stranger), false},
		"trusted by nobody":            {projection.Entry{Labels: projection.Labels{Trust: projection.Trusted, Authorship: projection.Signed}}, false},
		"trusted by a key of 32 bytes": {projection.Entry{Labels: projection.Labels{Trust: projection.Trusted, Authorship: projection.Signed, AuthorKey: projection.KeyOf(make([]byte, 32))}}, false},
		"unverified":                   {nobody, true},
	} {
		err := checkSnapshot(snapshot, []projection.Entry{nobody, c.entry})
		if c.ok && err != nil || !c.ok && reason.Of(err) != projection.TrustSnapshotInconsistent {
			t.Errorf("%s: %v", what, err)
		}
	}
}
