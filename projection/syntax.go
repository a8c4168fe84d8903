package projection

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Bounds of what is read and of what is written. The draft sets none; the
// published schema sets the first three, and one implementation cuts names at 512.
const (
	MaxEntries      = 65_535  // delivered entries
	MaxURI          = 2_048   // bytes of projection_id
	MaxName         = 1_024   // characters of every other string
	MaxNameProduced = 512     // bytes of a string that we write
	MaxRecordBytes  = 1 << 26 // bytes of a record, above 65535 entries at their longest usual form
	maxInteger      = 1<<53 - 1
)

// Digest is a SHA-256 digest. Its text is "sha256:" and 64 lower-case hex digits.
type Digest [sha256.Size]byte

const digestPrefix = "sha256:"

// DigestOf is the digest of exactly these bytes.
func DigestOf(b []byte) Digest { return sha256.Sum256(b) }

// String is the digest's text.
func (d Digest) String() string { return digestPrefix + hex.EncodeToString(d[:]) }

// ParseDigest reads a digest's text; ok is false for every other spelling.
func ParseDigest(s string) (d Digest, ok bool) {
	digits, ok := strings.CutPrefix(s, digestPrefix)
	if !ok || len(digits) != 2*len(d) || strings.ToLower(digits) != digits {
		return Digest{}, false
	}
	_, err := hex.Decode(d[:], []byte(digits))
	return d, err == nil
}

// decodeB64U reads canonical unpadded base64url. It decodes, encodes again and
// compares, because encoding/base64 skips line breaks and admits spare bits.
func decodeB64U(s string) ([]byte, bool) {
	b, err := base64.RawURLEncoding.DecodeString(s)
	return b, err == nil && base64.RawURLEncoding.EncodeToString(b) == s
}

// KeyOf is the author key of a key id's bytes; no bytes give null.
func KeyOf(id []byte) AuthorKey { return AuthorKey(base64.RawURLEncoding.EncodeToString(id)) }

// Bytes are the bytes of the key id, nil for null.
func (k AuthorKey) Bytes() []byte {
	b, ok := decodeB64U(string(k))
	if !ok || len(b) == 0 {
		return nil
	}
	return b
}

// plainName reports whether s can name a profile, a key or an adapter: 1 to limit
// characters, none of which could break a log line.
func plainName(s string, limit int) bool {
	if s == "" || utf8.RuneCountInString(s) > limit {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsControl(r) || r == '\u2028' || r == '\u2029'
	})
}

// timestampLayout fixes everything but the fraction: RFC 3339 in UTC.
const timestampLayout = "2006-01-02T15:04:05"

// ParseTimestamp reads an RFC 3339 timestamp in UTC with upper-case T and Z and 0
// to 9 fraction digits. It knows no leap second, as Go's clock does not.
func ParseTimestamp(s string) (t Timestamp, ok bool) {
	whole, fraction, ok := splitFraction(s)
	if !ok {
		return Timestamp{}, false
	}
	at, err := time.Parse(timestampLayout, whole)
	// time.Parse accepts a one-digit hour, a fraction and more.
	if err != nil || at.Format(timestampLayout) != whole {
		return Timestamp{}, false
	}
	return Timestamp{text: s, at: at.Add(fraction)}, true
}

// splitFraction cuts s into the part before the fraction and the fraction's length.
func splitFraction(s string) (whole string, fraction time.Duration, ok bool) {
	s, ok = strings.CutSuffix(s, "Z")
	if !ok || len(s) < len(timestampLayout) {
		return "", 0, false
	}
	whole, rest := s[:len(timestampLayout)], s[len(timestampLayout):]
	if rest == "" {
		return whole, 0, true
	}
	digits := rest[1:]
	if rest[0] != '.' || len(digits) < 1 || len(digits) > 9 {
		return "", 0, false
	}
	unit := time.Second
	for _, c := range []byte(digits) {
		if c < '0' || c > '9' {
			return "", 0, false
		}
		unit /= 10
		fraction += unit * time.Duration(c-'0')
	}
	return whole, fraction, true
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// TimestampOf writes an instant with exactly three fraction digits, cutting the rest.
func TimestampOf(at time.Time) Timestamp {
	at = at.UTC().Truncate(time.Millisecond)
	return Timestamp{text: at.Format(timestampLayout + ".000Z"), at: at}
}
