package projection_test

import (
	"strings"
	"testing"

	"consilience/projection"
	"consilience/reason"
)

// replaced is the published record with one piece of its text replaced.
func replaced(t *testing.T, old, new string) []byte {
	t.Helper()
	record := tree(t, genuine(t).record).String()
	if strings.Count(record, old) == 0 {
		t.Fatalf("no %s in the record", old)
	}
	return []byte(strings.Replace(record, old, new, 1))
}

// P-6, AP-1, AP-2: what is no I-JSON, or spells a number in another way, is refused
// before any member is used.
func TestHostileJSON(t *testing.T) {
	record := tree(t, genuine(t).record).String()
	cases := map[string]string{
		"nothing":                     ``,
		"top-level null":              `null`,
		"top-level array":             `[` + record + `]`,
		"top-level string":            `"x"`,
		"byte order mark":             "\ufeff" + record,
		"trailing bytes":              record + "x",
		"second value":                record + record,
		"trailing NUL":                record + "\x00",
		"trailing comma":              strings.TrimSuffix(record, "}") + ",}",
		"no end":                      strings.TrimSuffix(record, "}"),
		"form feed as space":          "\f" + record,
		"comment":                     "/**/" + record,
		"NaN":                         string(replaced(t, `"byte_length":328`, `"byte_length":NaN`)),
		"infinity":                    string(replaced(t, `"byte_length":328`, `"byte_length":Infinity`)),
		"out of range":                string(replaced(t, `"byte_length":328`, `"byte_length":1e400`)),
		"2^53":                        string(replaced(t, `"byte_length":328`, `"byte_length":9007199254740992`)),
		"2^64+328":                    string(replaced(t, `"byte_length":328`, `"byte_length":18446744073709551944`)),
		"fraction":                    string(replaced(t, `"byte_length":328`, `"byte_length":328.0`)),
		"exponent":                    string(replaced(t, `"byte_length":328`, `"byte_length":328e0`)),
		"minus zero":                  string(replaced(t, `"position":0`, `"position":-0`)),
		"zero with a fraction":        string(replaced(t, `"position":0`, `"position":0.0`)),
		"leading zero":                string(replaced(t, `"position":1`, `"position":01`)),
		"plus sign":                   string(replaced(t, `"position":1`, `"position":+1`)),
		"exponent one":                string(replaced(t, `"position":1`, `"position":1e0`)),
		"number as string":            string(replaced(t, `"position":0`, `"position":"0"`)),
		"hexadecimal":                 string(replaced(t, `"position":1`, `"position":0x1`)),
		"duplicate name":              string(replaced(t, `"adapter":{`, `"proof":{},"adapter":{`)),
		"duplicate name by escape":    string(replaced(t, `"adapter":{`, `"\u0070roof":{},"adapter":{`)),
		"lone surrogate in a value":   string(replaced(t, `"id":"urn`, `"id":"\ud800urn`)),
		"lone low surrogate":          string(replaced(t, `"id":"urn`, `"id":"\udc00urn`)),
		"reversed surrogates":         string(replaced(t, `"key_id":"a`, `"key_id":"\udc00\ud800a`)),
		"surrogate and plain escape":  string(replaced(t, `"key_id":"a`, `"key_id":"\ud800\u0061a`)),
		"surrogate and other escape":  string(replaced(t, `"key_id":"a`, `"key_id":"\ud800\na`)),
		"lone surrogate in a name":    string(replaced(t, `"adapter":{`, `"\ud800":1,"adapter":{`)),
		"noncharacter":                string(replaced(t, `"key_id":"a`, "\"key_id\":\"\ufdd0a")),
		"noncharacter by escape":      string(replaced(t, `"key_id":"a`, `"key_id":"\uffffa`)),
		"noncharacter beyond the BMP": string(replaced(t, `"key_id":"a`, `"key_id":"\ud83f\udffea`)),
		"invalid UTF-8 in a value":    string(replaced(t, `"key_id":"a`, "\"key_id\":\"\xffa")),
		"overlong UTF-8":              string(replaced(t, `"key_id":"a`, "\"key_id\":\"\xc0\xafa")),
		"surrogate in UTF-8":          string(replaced(t, `"key_id":"a`, "\"key_id\":\"\xed\xa0\x80a")),
		"invalid UTF-8 in a name":     string(replaced(t, `"adapter":{`, "\"\xff\":1,\"adapter\":{")),
		"control character":           string(replaced(t, `"key_id":"a`, "\"key_id\":\"\x01a")),
		"escaped control character":   string(replaced(t, `"key_id":"a`, `"key_id":"\u0001a`)),
		"C1 control character":        string(replaced(t, `"key_id":"a`, `"key_id":"\u0085a`)),
		"line separator":              string(replaced(t, `"key_id":"a`, `"key_id":"\u2028a`)),
		"NUL in a name of a profile":  string(replaced(t, `"source_profile":"`, `"source_profile":"\u0000`)),
		"short escape":                string(replaced(t, `"key_id":"a`, `"key_id":"\u12"`)),
		"unknown escape":              string(replaced(t, `"key_id":"a`, `"key_id":"\xa`)),
		"single quotes":               string(replaced(t, `"position"`, `'position'`)),
		"array instead of members":    string(replaced(t, `"by_reason":{`, `"by_reason":[{`)),
		"object instead of delivered": string(replaced(t, `"delivered":[`, `"delivered":{"0":[`)),
		"delivered null":              strings.Replace(record, record[strings.Index(record, `"delivered":[`):strings.Index(record, `,"exclusions"`)], `"delivered":null`, 1),
		"name too long":               string(replaced(t, `"key_id":"a`, `"key_id":"`+strings.Repeat("x", 1025)+`a`)),
		"empty name":                  string(replaced(t, `"source_profile":"draft-ferro-apertomemory-02"`, `"source_profile":""`)),
		"text without its quote":      string(replaced(t, `"id":"urn`, `"id":urn`)),
		"no brace":                    strings.TrimPrefix(record, "{"),
		"no brace inside":             string(replaced(t, `"adapter":{`, `"adapter":`)),
		"no bracket":                  string(replaced(t, `"delivered":[`, `"delivered":`)),
		"no colon":                    string(replaced(t, `"adapter":{`, `"adapter"{`)),
		"no comma":                    string(replaced(t, `,"adapter":{`, `"adapter":{`)),
		"paragraph separator":         string(replaced(t, `"key_id":"a`, `"key_id":"\u2029a`)),
		"format version 0":            string(replaced(t, `"format_version":2`, `"format_version":0`)),
		"name without its quote":      string(replaced(t, `"adapter":{`, `adapter":{`)),
		"nesting":                     strings.Repeat("[", 100_000),
	}
	for what, hostile := range cases {
		if _, err := projection.Parse([]byte(hostile)); reason.Of(err) != projection.RecordInvalid {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// P-6: a record that ends anywhere before its end is none.
func TestEveryTruncation(t *testing.T) {
	record := tree(t, genuine(t).record).String()
	escaped := strings.Replace(record, `"key_id":"a`, `"key_id":"\u0061`, 1)
	for _, whole := range []string{record, escaped} {
		for n := range whole {
			if _, err := projection.Parse([]byte(whole[:n])); reason.Of(err) != projection.RecordInvalid {
				t.Fatalf("%d bytes: %v", n, err)
			}
		}
	}
}

// P-8: escapes and white space are another spelling of the same record.
func TestSpellingIsFree(t *testing.T) {
	b := genuine(t)
	for _, spelled := range []string{
		string(replaced(t, `"adapter":{`, ` "\u0061dapter" : { `)),
		string(replaced(t, `"key_id":"apertomemory`, `"key_id":"\u0061pertomemory`)),
		string(b.record) + "\n",
		"\t\r\n " + string(b.record),
	} {
		b.record = []byte(spelled)
		if err := b.verify(t); err != nil {
			t.Errorf("%v: %.200s", err, spelled)
		}
	}
}

// P-11: another version is named as such.
func TestOtherVersions(t *testing.T) {
	for _, v := range []string{"MEMORY-PROJECTION-RECORD-v2", "memory-projection-record-v1", "MEMORY-PROJECTION-RECORD-v1 ", ""} {
		record := replaced(t, projection.Version, v)
		_, err := projection.Parse(record)
		wantCode(t, err, projection.VersionUnsupported)
	}
}

// P-25: a position out of place is delivered_order_invalid once it is an integer.
func TestPositions(t *testing.T) {
	for what, change := range map[string][]string{
		"starts at 1": {"delivered.0.position", "1", "delivered.1.position", "2"},
		"gap":         {"delivered.1.position", "2"},
		"repeat":      {"delivered.1.position", "0"},
		"swapped":     {"delivered.0.position", "1", "delivered.1.position", "0"},
	} {
		b := genuine(t)
		b.edit(t, change...)
		if err := b.verify(t); reason.Of(err) != projection.DeliveredOrderInvalid {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// P-36: the total is the sum of the counters, and large counters do not wrap.
func TestExclusionSums(t *testing.T) {
	const largest = "9007199254740991"
	for _, c := range []struct {
		total, first, second string
		ok                   bool
	}{
		{"2", "1", "1", true}, {"1", "1", "1", false}, {"3", "1", "1", false},
		{largest, largest, "0", true}, {largest, largest, "1", false}, {"0", largest, largest, false},
	} {
		b := genuine(t)
		b.edit(t, "exclusions.total", c.total, "exclusions.by_reason.authentication_failed", c.first,
			"exclusions.by_reason.context_limit", c.second)
		err := b.envelope(t)
		if c.ok && err != nil || !c.ok && reason.Of(err) != projection.ExclusionCountMismatch {
			t.Errorf("%s = %s + %s: %v", c.total, c.first, c.second, err)
		}
	}
}

// P-34, P-35: contradicting labels are refused although the genuine key signed them.
func TestContradictingLabels(t *testing.T) {
	for what, change := range map[string][]string{
		"unverified and signed":    {"delivered.0.derived_trust", `"unverified"`, "delivered.0.authorship", `"signed"`, "delivered.0.author_key_id_b64u", "null"},
		"unverified and attested":  {"delivered.0.derived_trust", `"unverified"`, "delivered.0.author_key_id_b64u", "null"},
		"unverified with a key":    {"delivered.0.derived_trust", `"unverified"`, "delivered.0.authorship", `"unknown"`},
		"attested without custody": {"delivered.0.custody_present", "false"},
	} {
		for _, entry := range []string{"delivered.0.", "delivered.1."} {
			b := genuine(t)
			for i := 0; i < len(change); i += 2 {
				b.edit(t, entry+strings.TrimPrefix(change[i], "delivered.0."), change[i+1])
			}
			if what == "unverified and attested" || what == "attested without custody" {
				b.edit(t, entry+"authorship", `"attested"`)
			}
			if err := b.envelope(t); reason.Of(err) != projection.SourceResultInvalid {
				t.Errorf("%s%s: %v", entry, what, err)
			}
		}
	}
}
