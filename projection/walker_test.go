package projection

import (
	"errors"
	"testing"

	"consilience/reason"
)

// P-6: what JSON itself forbids is refused where it is read, whatever else a caller
// would refuse about the value.
func TestTexts(t *testing.T) {
	for said, ok := range map[string]bool{
		`"a"`: true, `"\u0061\n\ud83d\ude00"`: true, "\"\u00e9\ufffd\"": true, `"\/\""`: true, `"\u001f"`: true,
		"\"\x1f\"": false, "\"\\n\x1f\"": false, "\"a\x00\"": false, `a"`: false, `"a`: false, `"\n`: false, `"\`: false, `"\u00`: false,
		"\"\ufdd0\"": false, "\"\\n\ufdd0\"": false, `"\ud83f\udfff"`: false, "\"\\n\xff\"": false, `"\ud800\u0061"`: false,
	} {
		w := walker{data: []byte(said), code: RecordInvalid}
		if _, got := w.text(); got != ok || (reason.Of(w.err) == "") != ok {
			t.Errorf("%q: %v, %v", said, got, w.err)
		}
	}
}

// A place in a record is named by its members and elements, never by its content.
func TestPlaces(t *testing.T) {
	for record, place := range map[string]string{
		`{"delivered":[{"object":{"format_version":0}}]}`:                                                  "delivered.0.object.format_version",
		`{"proof":{"alg":"Ed25519","key_id":1}}`:                                                           "proof.key_id",
		`{"exclusions":{"by_reason":{"policy_filtered":1},"total":0}}`:                                     "exclusions.by_reason",
		`{"nonclaims":{"model_use":"NOT_ESTABLISHED"}}`:                                                    "nonclaims",
		`{"delivered":[{"position":0,"custody_present":1}]}`:                                               "delivered.0.custody_present",
		`{"projection_id":"urn:x:1","delivered":[],"adapter":{"id":"a","key_id":"k"},"created_at":"2026"}`: "created_at",
		`{"secret":1}`: "",
	} {
		_, err := Parse([]byte(record))
		var e *reason.Error
		if !errors.As(err, &e) || e.Input != place {
			t.Errorf("%s: %+v", record, e)
		}
	}
}
