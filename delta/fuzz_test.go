package delta

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"reflect"
	"testing"

	"consilience/identity"
	"consilience/reason"
	"consilience/record"
	"consilience/wire"
	"consilience/wire/wiretest"
)

// seed adds the vectors of testdata to a fuzz target.
func seed(f *testing.F, part func([]byte) []byte) {
	f.Helper()
	for _, file := range []string{"testdata/deltas.json", "testdata/deltas-refused.json"} {
		b, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		var vectors []wiretest.Vector
		if err := json.Unmarshal(b, &vectors); err != nil {
			f.Fatal(err)
		}
		for _, v := range vectors {
			raw, err := hex.DecodeString(v.Hex)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(part(raw))
		}
	}
}

// FuzzOpenDelta: what opens is exactly what it encodes to.
func FuzzOpenDelta(f *testing.F) {
	seed(f, func(raw []byte) []byte { return raw })
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, err := Open(raw)
		if err != nil {
			if reason.Of(err) == "" {
				t.Errorf("refused without a reason: %v", err)
			}
			return
		}
		again := append([]byte{0x82}, m.Envelope.Raw...)
		again = wire.AppendArray(again, len(m.Order))
		for _, id := range m.Order {
			again = m.Records[id].AppendWire(again)
		}
		if !bytes.Equal(again, raw) || !bytes.Equal(m.Delta.encode(), m.Envelope.Payload) {
			t.Errorf("%x opens, and encodes to %x", raw, again)
		}
	})
}

// FuzzDecodeDelta holds the one-pass reader against the codec and the tags of
// [Delta]: the same payloads, the same delta, the same reasons.
func FuzzDecodeDelta(f *testing.F) {
	seed(f, func(raw []byte) []byte {
		if len(raw) < 2 {
			return nil
		}
		e, _, err := identity.CutEnvelope(raw[1:])
		if err != nil {
			return nil
		}
		return e.Payload
	})
	f.Fuzz(func(t *testing.T, encoded []byte) {
		var want payload
		wantErr := wire.CheckVersion(encoded, version)
		if wantErr == nil {
			wantErr = wire.Unmarshal(encoded, &want)
		}
		got, err := decode(encoded)
		if reason.Of(err) != reason.Of(wantErr) {
			t.Fatalf("%x: reader says %v, codec says %v", encoded, err, wantErr)
		}
		if err == nil && !reflect.DeepEqual(got, want.Delta) {
			t.Errorf("%x: reader has %+v, codec has %+v", encoded, got, want.Delta)
		}
	})
}

// FuzzSlice: entries and statements that decode are exactly what they encode to.
func FuzzSlice(f *testing.F) {
	f.Add(EncodeEntries(nil))
	f.Add(EncodeEntries([]SliceEntry{{Item: record.ItemID{1}, Confidence: 1}, {Item: record.ItemID{2}, Confidence: MaxConfidence}}))
	f.Add(SliceIssued{Space: "flights", Revision: 9}.Encode())
	f.Fuzz(func(t *testing.T, encoded []byte) {
		if entries, err := DecodeEntries(encoded); err == nil && !bytes.Equal(EncodeEntries(entries), encoded) {
			t.Errorf("entries %x encode to %x", encoded, EncodeEntries(entries))
		}
		if s, err := DecodeSliceIssued(encoded); err == nil && !bytes.Equal(s.Encode(), encoded) {
			t.Errorf("statement %x encodes to %x", encoded, s.Encode())
		}
	})
}
