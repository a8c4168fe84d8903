package wire_test

import (
	"bytes"
	"reflect"
	"testing"

	"consilience/reason"
	"consilience/wire"
)

// read reads a form without its flag, as delta reads its payload.
func read(data []byte) (f form, err error) {
	r := wire.NewReader(data)
	r.Map(7)
	f.Number = r.Key(1).Uint()
	if h := r.Key(2).Bytes(); len(h) == 4 {
		f.Hash = [4]byte(h)
	} else {
		r.Tuple(-1)
	}
	f.Text = r.Key(3).Text()
	f.Bytes = r.Key(4).Bytes()
	f.List = make([]uint64, r.Key(5).Array())
	for i := range f.List {
		f.List[i] = r.Uint()
	}
	if !r.Key(6).Null() {
		r.Tuple(2)
		f.Pair = &pair{A: r.Uint(), B: r.Uint()}
	}
	f.Small = r.Key(8).Uint32()
	return f, r.Done()
}

// unflagged is form as [read] reads it.
type unflagged struct {
	Number uint64   `cbor:"1,keyasint"`
	Hash   [4]byte  `cbor:"2,keyasint"`
	Text   string   `cbor:"3,keyasint"`
	Bytes  []byte   `cbor:"4,keyasint"`
	List   []uint64 `cbor:"5,keyasint"`
	Pair   *pair    `cbor:"6,keyasint"`
	Small  uint32   `cbor:"8,keyasint"`
}

// FuzzReader holds the reader against the codec: both accept the same bytes, read
// the same from them, and refuse the others for the same reason.
func FuzzReader(f *testing.F) {
	f.Add(wire.Marshal(unflagged{}))
	f.Add(wire.Marshal(unflagged{
		Number: 1 << 40, Hash: [4]byte{1, 2, 3, 4}, Text: "täxt", Bytes: bytes.Repeat([]byte{7}, 300),
		List: []uint64{0, 23, 24, 255, 256, 65_535, 65_536, 1<<32 - 1, 1 << 32}, Pair: &pair{A: 1, B: 2}, Small: 1<<32 - 1,
	}))
	f.Fuzz(func(t *testing.T, data []byte) {
		var want unflagged
		wantErr := wire.Unmarshal(data, &want)
		got, err := read(data)
		if reason.Of(err) != reason.Of(wantErr) {
			t.Fatalf("%x: reader says %v, codec says %v", data, err, wantErr)
		}
		if err != nil {
			return
		}
		have := unflagged{got.Number, got.Hash, got.Text, got.Bytes, got.List, got.Pair, got.Small}
		if !reflect.DeepEqual(have, want) {
			t.Errorf("%x: reader has %+v, codec has %+v", data, have, want)
		}
	})
}

func TestReaderStopsAtTheFirstFault(t *testing.T) {
	r := wire.NewReader([]byte{0x82, 0x01, 0x61, 'x'})
	r.Tuple(3)
	if !r.Failed() || r.Uint() != 0 || r.Text() != "" || r.Array() != 0 || r.Null() || r.Bytes() != nil {
		t.Error("a reader answers after a fault")
	}
	if r.Done() == nil {
		t.Error("a fault is forgotten")
	}
}

// A length that the data cannot hold is refused before anything is allocated.
func TestLengthsBeyondTheData(t *testing.T) {
	huge := []byte{0x9b, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff}
	if n := wire.NewReader(huge).Array(); n != 0 {
		t.Errorf("an array of %d elements in no bytes", n)
	}
	if _, _, err := wire.CutArray(huge); reason.Of(err) != reason.Malformed {
		t.Errorf("CutArray: %v", err)
	}
	if _, _, err := wire.CutBytes([]byte{0x5b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}); reason.Of(err) != reason.Malformed {
		t.Errorf("CutBytes: %v", err)
	}
}

func TestCheckVersion(t *testing.T) {
	for name, c := range map[string]struct {
		payload []byte
		want    reason.Code
	}{
		"this one":       {[]byte{0xa1, 0x01, 0x01}, ""},
		"the next":       {[]byte{0xa1, 0x01, 0x02}, reason.VersionUnsupported},
		"none":           {[]byte{0xa1, 0x02, 0x02}, ""},
		"text":           {[]byte{0xa1, 0x01, 0x61, 'x'}, ""},
		"truncated":      {[]byte{0xa1, 0x01}, ""},
		"not a map":      {[]byte{0x01}, ""},
		"empty":          {nil, ""},
		"empty map":      {[]byte{0xa0}, ""},
		"not shortest":   {[]byte{0xa1, 0x01, 0x18, 0x02}, ""},
		"larger payload": {wire.Marshal(map[uint64]any{1: 7, 2: "x"}), reason.VersionUnsupported},
	} {
		if got := reason.Of(wire.CheckVersion(c.payload, 1)); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
