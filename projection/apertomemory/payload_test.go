package apertomemory

import (
	"math"
	"testing"

	"github.com/fxamacker/cbor/v2"
)

// S-13: a confidence that is no number in 0..1 is absent and flagged, the object stays.
func TestConfidence(t *testing.T) {
	for _, c := range []struct {
		value any
		ok    bool
	}{{0.0, true}, {1.0, true}, {0.9, true}, {float32(0.5), true}, {1.0000001, false}, {-0.1, false}, {math.NaN(), false},
		{math.Inf(1), false}, {1, false}, {"1", false}, {cbor.RawMessage{0x18, 1}, false}, {cbor.RawMessage{0xf8, 0x20}, false}, {nil, false}, {true, false}, {absent, false}} {
		f := forged(t, "owner")
		f.payload[3] = c.value
		if c.value == absent {
			delete(f.payload, 3)
		}
		got, err := reader(t, false).Open(f.seal(t))
		if err != nil || (got.Confidence != nil) != c.ok || (got.SchemaViolation == "") != c.ok {
			t.Errorf("%v: %v %q %v", c.value, got.Confidence, got.SchemaViolation, err)
		}
	}
}

// S-15: content that a producer must not write is read all the same: empty text.
func TestEmptyContent(t *testing.T) {
	f := forged(t, "owner")
	f.payload[2] = ""
	o, err := reader(t, false).Source().Open(f.seal(t))
	if err != nil || o.Body == nil || len(o.Body) != 0 {
		t.Errorf("%+v, %v", o, err)
	}
}

// S-16: fields that this version does not know survive a rewrite, byte for byte.
func TestUnknownFieldsSurvive(t *testing.T) {
	f := forged(t, "owner")
	f.payload[8] = map[uint64]any{1: "model", 2: []float64{0.5}}
	f.payload[99] = []any{"unknown", cbor.Tag{Number: 1, Content: 5}}
	f.payload[1<<40] = nil
	got, err := reader(t, false).Open(f.seal(t))
	if err != nil {
		t.Fatal(err)
	}
	if want := encode(t, f.payload); string(got.Payload.Bytes()) != string(want) {
		t.Errorf("%x, want %x", got.Payload.Bytes(), want)
	}
}
