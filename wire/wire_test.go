package wire_test

import (
	"bytes"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fxamacker/cbor/v2"

	"consilience/reason"
	"consilience/wire"
	"consilience/wire/wiretest"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// form has one member of each type that our payloads use.
type form struct {
	Number uint64   `cbor:"1,keyasint"`
	Hash   [4]byte  `cbor:"2,keyasint"`
	Text   string   `cbor:"3,keyasint"`
	Bytes  []byte   `cbor:"4,keyasint"`
	List   []uint64 `cbor:"5,keyasint"`
	Pair   *pair    `cbor:"6,keyasint"`
	Flag   bool     `cbor:"7,keyasint"`
	Small  uint32   `cbor:"8,keyasint"`
}

type pair struct {
	_    struct{} `cbor:",toarray"`
	A, B uint64
}

const goodForm = "a8 01 01 02 4401020304 03 6161 04 4100 05 8101 06 f6 07 f5 08 00"

func TestUnmarshal(t *testing.T) {
	var f form
	if err := wire.Unmarshal(unhex(t, goodForm), &f); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(wire.Marshal(f), unhex(t, goodForm)) {
		t.Errorf("encodes to %x", wire.Marshal(f))
	}
}

// RFC 8949 section 4.2.1, P-45, N-24: nothing but the one encoding of the one
// form, and each fault has its code.
func TestUnmarshalRefuses(t *testing.T) {
	for _, c := range []struct {
		name, from, to string
		code           reason.Code
	}{
		{"trailing byte", "08 00", "08 00 00", reason.Malformed},
		{"truncated", "08 00", "08", reason.Malformed},
		{"number not in its shortest form", "01 01", "01 1801", reason.NotCanonical},
		{"key not in its shortest form", "01 01", "1801 01", reason.NotCanonical},
		{"head of a list not in its shortest form", "8101", "980101", reason.NotCanonical},
		{"list of indefinite length", "8101", "9f01ff", reason.NotCanonical},
		{"map of indefinite length", goodForm, "bf" + goodForm[2:] + "ff", reason.NotCanonical},
		{"text of indefinite length", "6161", "7f6161ff", reason.NotCanonical},
		{"bytes of indefinite length", "4100", "5f4100ff", reason.NotCanonical},
		{"keys in another order", "01 01 02 4401020304", "02 4401020304 01 01", reason.NotCanonical},
		{"key twice", "a8 01 01", "a9 01 01 01 01", reason.NotCanonical},
		{"member missing", "a8 01 01", "a7", reason.Malformed},
		{"member unknown", "a8", "a9", reason.Malformed},
		{"member unknown, well-formed", goodForm, "a9" + goodForm[2:] + "09 00", reason.Malformed},
		{"text key", "01 01", "6131 01", reason.NotCanonical}, // text sorts after numbers
		{"null for a number", "01 01", "01 f6", reason.Malformed},
		{"undefined for null", "06 f6", "06 f7", reason.Malformed},
		{"null for text", "6161", "f6", reason.Malformed},
		{"null for bytes", "4100", "f6", reason.Malformed},
		{"null for a list", "8101", "f6", reason.Malformed},
		{"null for a hash", "4401020304", "f6", reason.Malformed},
		{"null for a flag", "07 f5", "07 f6", reason.Malformed},
		{"hash too short", "4401020304", "43010203", reason.Malformed},
		{"hash too long", "4401020304", "450102030405", reason.Malformed},
		{"hash as a list", "4401020304", "8401020304", reason.Malformed},
		{"bytes for text", "6161", "4161", reason.Malformed},
		{"text for bytes", "4100", "6100", reason.Malformed},
		{"text that is no UTF-8", "6161", "61ff", reason.Malformed},
		{"surrogate in text", "6161", "63eda080", reason.Malformed},
		{"negative number", "01 01", "01 20", reason.Malformed},
		{"float for a number", "01 01", "01 f93c00", reason.Malformed},
		{"bignum for a number", "01 01", "01 c24101", reason.Malformed},
		{"tagged number", "01 01", "01 c101", reason.Malformed},
		{"number beyond 32 bits", "08 00", "08 1b0000000100000000", reason.Malformed},
		{"number for a flag", "07 f5", "07 01", reason.Malformed},
		{"tuple too short", "06 f6", "06 8101", reason.Malformed},
		{"tuple too long", "06 f6", "06 83010101", reason.Malformed},
		{"list for a map", goodForm, "8101", reason.Malformed},
		{"empty", goodForm, "", reason.Malformed},
		{"nested beyond the limit", "8101", strings.Repeat("81", 40) + "01", reason.Malformed},
	} {
		t.Run(c.name, func(t *testing.T) {
			if strings.Count(goodForm, c.from) < 1 {
				t.Fatal("nothing to replace")
			}
			var f form
			err := wire.Unmarshal(unhex(t, strings.Replace(goodForm, c.from, c.to, 1)), &f)
			if reason.Of(err) != c.code {
				t.Errorf("got %v, want %s", err, c.code)
			}
		})
	}
}

// vectorFile is a file of the CBOR working group's test vectors.
type vectorFile struct {
	Tests []struct {
		Description string          `cbor:"description"`
		Encoded     []byte          `cbor:"encoded"`
		Decoded     cbor.RawMessage `cbor:"decoded"`
		Roundtrip   *bool           `cbor:"roundtrip"`
	} `cbor:"tests"`
}

func readVectors(t *testing.T, path string) vectorFile {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	mode, err := cbor.DecOptions{MaxNestedLevels: 512}.DecMode()
	if err != nil {
		t.Fatal(err)
	}
	var f vectorFile
	if err := mode.Unmarshal(b, &f); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return f
}

// What the working group says must fail is refused, by both decoders.
func TestWorkingGroupMustFail(t *testing.T) {
	f := readVectors(t, wiretest.Shared(t, "vectors/cbor-wg-test-vectors/tests/rfc8949/bad.cbor"))
	for _, c := range f.Tests {
		var v any
		if err := wire.Unmarshal(c.Encoded, &v); reason.Of(err) != reason.Malformed {
			t.Errorf("%s: %x gives %v, want %s", c.Description, c.Encoded, err, reason.Malformed)
		}
	}
	if len(f.Tests) == 0 {
		t.Error("no vectors")
	}
}

// What the working group says decodes is either accepted and encodes to the same
// bytes, or is refused; an encoding that is not preferred is never accepted,
// floats apart, which no form of ours has.
func TestWorkingGroupRoundTrips(t *testing.T) {
	dir := wiretest.Shared(t, "vectors/cbor-wg-test-vectors/tests")
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.cbor"))
	if err != nil {
		t.Fatal(err)
	}
	accepted, refused := 0, 0
	for _, file := range files {
		if filepath.Base(file) == "bad.cbor" {
			continue
		}
		for _, c := range readVectors(t, file).Tests {
			var v any
			if err := wire.Unmarshal(c.Encoded, &v); err != nil {
				refused++
				continue
			}
			accepted++
			if !bytes.Equal(wire.Marshal(v), c.Encoded) {
				t.Errorf("%s: %x encodes to %x", c.Description, c.Encoded, wire.Marshal(v))
			}
			if c.Roundtrip != nil && !*c.Roundtrip && !hasFloat(c.Encoded) {
				t.Errorf("%s: %x accepted, it is not the preferred encoding", c.Description, c.Encoded)
			}
		}
	}
	t.Logf("%d accepted, %d refused", accepted, refused)
	if accepted < 100 || refused < 50 {
		t.Errorf("%d accepted and %d refused: the vectors were not read", accepted, refused)
	}
}

// hasFloat reports whether a float may be in an encoding.
func hasFloat(encoded []byte) bool {
	return bytes.IndexByte(encoded, 0xf9) >= 0 || bytes.IndexByte(encoded, 0xfa) >= 0 || bytes.IndexByte(encoded, 0xfb) >= 0
}

// FuzzRefuse: what is called another encoding is well-formed to the codec too,
// and what the codec accepts as deterministic is never called one.
func FuzzRefuse(f *testing.F) {
	f.Add(unhex(f, goodForm))
	f.Add([]byte{0xbf, 0x61, 'b', 0x00, 0x61, 'a', 0x9f, 0xff, 0xff})
	f.Add([]byte{0xd8, 0x20, 0x78, 0x01, 'x'})
	f.Fuzz(func(t *testing.T, data []byte) {
		notCanonical := reason.Of(wire.Refuse(data)) == reason.NotCanonical
		if notCanonical && cbor.Wellformed(data) != nil {
			t.Errorf("%x is not well-formed and called another encoding", data)
		}
		var v any
		if wire.Unmarshal(data, &v) == nil && notCanonical {
			t.Errorf("%x is deterministic and called another encoding", data)
		}
	})
}
