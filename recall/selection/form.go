package selection

import (
	"bytes"
	"encoding/json"

	"github.com/gowebpki/jcs"

	"consilience/reason"
	"consilience/record/ijson"
)

// encode is the one encoding of a request or a policy.
func encode(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // structs of numbers, texts and flags
	}
	canonical, err := jcs.Transform(text)
	if err != nil {
		panic(err) // what the standard library encoded is JSON
	}
	return canonical
}

// decode reads what encode wrote, and nothing else: members that are unknown,
// missing, doubled or spelled otherwise do not come back as the same bytes.
func decode[T any](data []byte, into *T) error {
	if err := ijson.CheckCanonical(data, ijson.Options{Nesting: 4}); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return reason.New(reason.Malformed, "a member is unknown or not of its type")
	}
	if !bytes.Equal(encode(*into), data) {
		return reason.New(reason.NotCanonical, "not the one encoding of its members")
	}
	return nil
}
