package projection

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// formatTests reads one table of the JSON Schema suite, or skips.
func formatTests(t *testing.T, name string) map[string]bool {
	t.Helper()
	dir, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		file, err := os.ReadFile(filepath.Join(dir, "shared/vectors/json-schema-formats/tests/draft2020-12/optional/format", name))
		if err != nil {
			continue
		}
		return texts(t, file)
	}
	t.Skipf("the JSON Schema suite is not beside the repository")
	return nil
}

func texts(t *testing.T, file []byte) map[string]bool {
	t.Helper()
	var groups []struct {
		Tests []struct {
			Data  any
			Valid bool
		}
	}
	if err := json.Unmarshal(file, &groups); err != nil {
		t.Fatal(err)
	}
	all := map[string]bool{}
	for _, g := range groups {
		for _, c := range g.Tests {
			if s, ok := c.Data.(string); ok {
				all[s] = c.Valid
			}
		}
	}
	return all
}

// P-12, AP-3: the URI table of the JSON Schema suite, and our own bounds.
func TestURIs(t *testing.T) {
	for s, valid := range formatTests(t, "uri.json") {
		if absoluteURI(s) != valid {
			t.Errorf("%q: want %v", s, valid)
		}
	}
	for s, valid := range map[string]bool{
		"urn:memory-projection:example:1234": true, "https://example.org/p/1": true, "urn:x:" + strings.Repeat("a", MaxURI-6): true,
		"": false, "relative/path": false, ":x": false, "urn:": false, "urn:a b": false, "urn:ä": false, "urn:\x00": false,
		"urn:x:" + strings.Repeat("a", MaxURI-5): false, "1rn:x": false, "http://[v1.x]/": true, "http://[fe80::1%25a]/": false,
		"http://[v1.a:b]/": true, "http://[V1F.~]/": true, "http://[v.a]/": false, "http://[v1.]/": false, "http://[v1]/": false, "http://[vg.a]/": false,
		"http://[v1.a": false, "http://[::1": false, "http://[::1]:80/": true, "http://[192.0.2.1]/": false, "http://a:80/": true, "http://a:/": true,
		"file:///a": true, "http://@a/": true, "http://a:b@c/": true, "http://a/b@c": true, "urn:%4a": true, "urn:%4": false, "urn:%4g": false, "urn:%": false,
		"http://[]/": false, "http://a]/": false, "http://a:8x/": false, "urn:a#b#c": false, "http://a@b@c/": false,
	} {
		if absoluteURI(s) != valid {
			t.Errorf("%.60q: want %v", s, valid)
		}
	}
}

// P-13, AP-4: RFC 3339 in UTC with 0 to 9 digits, and nothing else. Of the suite's
// valid dates those with an offset, a leap second or a longer fraction are refused here.
func TestTimestamps(t *testing.T) {
	for s, valid := range formatTests(t, "date-time.json") {
		ours := valid && strings.HasSuffix(s, "Z") && !strings.Contains(s, ":60") && len(s) <= len("2006-01-02T15:04:05.123456789Z")
		if _, ok := ParseTimestamp(s); ok != ours {
			t.Errorf("%q: want %v", s, ours)
		}
	}
	for s, valid := range map[string]bool{
		"2026-07-29T17:00:00Z": true, "2026-07-29T17:00:00.1Z": true, "2026-07-29T17:00:00.123456789Z": true,
		"2024-02-29T00:00:00Z": true, "0000-01-01T00:00:00Z": true, "9999-12-31T23:59:59.999999999Z": true,
		"2026-07-29T17:00:00.1234567890Z": false, "2026-07-29T17:00:00+00:00": false, "2026-07-29T17:00:00-00:00": false,
		"2026-07-29t17:00:00Z": false, "2026-07-29T17:00:00z": false, "2026-07-29T17:00:00,5Z": false, "2026-07-29T17:00:00.Z": false,
		"2026-07-29T17:00:00.1/Z": false, "2026-07-29T17:00:00.1:Z": false, "0001-01-01T00:00:00Z": true, "0001-01-01T00:00:0xZ": false,
		"2026-07-29T7:00:00Z": false, "2026-07-29T24:00:00Z": false, "2026-07-29T23:59:60Z": false, "2026-02-30T00:00:00Z": false,
		"2025-02-29T00:00:00Z": false, "2026-07-29T17:00:00Z ": false, " 2026-07-29T17:00:00Z": false, "2026-7-29T17:00:00Z": false,
		"+2026-07-29T17:00:00Z": false, "2026-07-29T17:60:00Z": false, "2026-07-29 17:00:00Z": false, "2026-07-29T17:00Z": false,
		"2026-07-29T17:00:00.1٣Z": false, "2026-13-01T00:00:00Z": false, "2026-00-01T00:00:00Z": false, "2026-07-29T17:00:00": false,
	} {
		if _, ok := ParseTimestamp(s); ok != valid {
			t.Errorf("%q: want %v", s, valid)
		}
	}
}

// AP-4: comparisons see every digit, the text stays as it was, and we write three.
func TestTimestampPrecision(t *testing.T) {
	a, _ := ParseTimestamp("2026-07-29T17:00:00.123456789Z")
	b, _ := ParseTimestamp("2026-07-29T17:00:00.123456788Z")
	if a.Time().Sub(b.Time()) != time.Nanosecond || a.String() != "2026-07-29T17:00:00.123456789Z" {
		t.Error(a.Time().Sub(b.Time()), a)
	}
	written := TimestampOf(a.Time())
	if written.String() != "2026-07-29T17:00:00.123Z" {
		t.Error(written)
	}
	if read, ok := ParseTimestamp(written.String()); !ok || !read.Time().Equal(written.Time()) {
		t.Errorf("%v is written as %v", written.Time(), read.Time())
	}
}

// P-54: one spelling of a digest.
func TestDigests(t *testing.T) {
	text := DigestOf(nil).String()
	if d, ok := ParseDigest(text); !ok || d != DigestOf(nil) {
		t.Error("own text refused")
	}
	for _, s := range []string{"", text[7:], strings.ToUpper(text), "sha256:" + strings.ToUpper(text[7:]), text + "0", text[:70],
		"sha-256:" + text[7:], "sha512:" + text[7:], text[:70] + "g", " " + text, text[:69] + "\n0", text[:69] + "é"} {
		if _, ok := ParseDigest(s); ok {
			t.Errorf("%q accepted", s)
		}
	}
}

// P-4, AP-14: base64url has one spelling of a byte string.
func TestAuthorKeys(t *testing.T) {
	if got := AuthorKey("0FMJy9O1Xzs").Bytes(); len(got) != 8 || KeyOf(got) != "0FMJy9O1Xzs" {
		t.Errorf("%x", got)
	}
	for _, s := range []AuthorKey{"", "0FMJy9O1Xzs=", "0FMJy9O1Xz+", "0FMJy9O1Xz/", "0FMJy9O1Xzt", "0FMJy 9O1Xzs", "0FMJy\n9O1Xzs",
		"0FMJy9O1Xzs\r", "A", "0FMJy9O1X", "０FMJy9O1Xzs"} {
		if s.Bytes() != nil {
			t.Errorf("%q accepted", s)
		}
	}
}

// P-69: a signature is 64 bytes in 86 characters, spare bits zero.
func TestSignatureSpelling(t *testing.T) {
	good := string(KeyOf(make([]byte, 64)))
	for s, valid := range map[string]bool{
		good: true, good[:85]: false, good + "A": false, good + "=": false, good[:85] + "B": false, good[:84]: false,
		string(KeyOf(make([]byte, 63))): false, string(KeyOf(make([]byte, 65))): false, good[:40] + "\n" + good[41:]: false,
	} {
		var to [64]byte
		b, _ := json.Marshal(s)
		w := walker{data: b, code: RecordInvalid}
		if signature(&to)(&w) != valid {
			t.Errorf("%q: want %v", s, valid)
		}
	}
}
