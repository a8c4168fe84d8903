package record

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"consilience/reason"
	"consilience/wire"
)

// N-37's shape: content, hash and pairs are one value; nothing of the record
// travels apart. N-16, N-70: and back-references are no part of it.
func TestWireRoundTrip(t *testing.T) {
	a := mustNew(t, Binary, "")
	erased := mustNew(t, Text, "secret")
	erased.Content, erased.Erased = nil, true
	for _, r := range []Record{a, mustNew(t, Text, "a", pairTo(a)), mustNew(t, Structured, "{}", pairTo(a), pairTo(a)), erased} {
		data := r.AppendWire(nil)
		got, err := DecodeWire(data)
		if err != nil || !same(got, r) || got.Is() != r.Is() || got.Contributor != r.Contributor || got.WrittenAt != r.WrittenAt || got.Form != r.Form {
			t.Errorf("%s: got %+v, %v", r.ID, got, err)
		}
		if generic := wire.Marshal(r.Wire()); !bytes.Equal(generic, data) {
			t.Errorf("%s: %x and %x", r.ID, data, generic)
		}
		var w Wire
		if err := wire.Unmarshal(data, &w); err != nil || !bytes.Equal(w.Forward, r.Forward) || (w.Content == nil) != r.Erased {
			t.Errorf("%s: %+v, %v", r.ID, w, err)
		}
	}
}

// An empty content and an erased one are two things on the wire.
func TestEmptyIsNotErased(t *testing.T) {
	r := mustNew(t, Text, "")
	empty := r.AppendWire(nil)
	r.Content, r.Erased = nil, true
	if erased := r.AppendWire(nil); bytes.Equal(empty, erased) {
		t.Error("they travel alike")
	}
}

func TestDecodeForwardRefuses(t *testing.T) {
	good := forwardPart{Kind: 0, Pairs: [][2][32]byte{}, Form: FormText}
	with := func(change func(*forwardPart)) []byte {
		f := good
		change(&f)
		return wire.Marshal(f)
	}
	plain, id := wire.Marshal(good), wire.Marshal([32]byte{})
	for name, c := range map[string]struct {
		forward []byte
		want    reason.Code
	}{
		"good":                 {plain, ""},
		"empty":                {nil, reason.Malformed},
		"trailing byte":        {append(bytes.Clone(plain), 0), reason.Malformed},
		"cut short":            {plain[:len(plain)-1], reason.Malformed},
		"no map":               {[]byte{0x80}, reason.Malformed},
		"no member":            {[]byte{0xA0}, reason.Malformed},
		"long form of a kind":  {bytes.Replace(plain, []byte{0xA6, 1, 0}, []byte{0xA6, 1, 0x18, 0}, 1), reason.NotCanonical},
		"indefinite map":       {append(append([]byte{0xBF}, plain[1:]...), 0xFF), reason.NotCanonical},
		"kind is a text":       {bytes.Replace(plain, []byte{0xA6, 1, 0}, []byte{0xA6, 1, 0x60}, 1), reason.Malformed},
		"kind is negative":     {bytes.Replace(plain, []byte{0xA6, 1, 0}, []byte{0xA6, 1, 0x20}, 1), reason.Malformed},
		"unknown kind":         {with(func(f *forwardPart) { f.Kind = 3 }), reason.OutOfRange}, // N-13
		"kind beyond a byte":   {with(func(f *forwardPart) { f.Kind = 256 }), reason.OutOfRange},
		"time":                 {with(func(f *forwardPart) { f.WrittenAt = wire.MaxUint + 1 }), reason.OutOfRange},
		"no form":              {with(func(f *forwardPart) { f.Form = "" }), reason.Malformed},
		"form with a control":  {with(func(f *forwardPart) { f.Form = "a\nb" }), reason.Malformed},
		"long form":            {with(func(f *forwardPart) { f.Form = strings.Repeat("a", maxForm+1) }), reason.Malformed},
		"unknown form":         {with(func(f *forwardPart) { f.Form = "text-nfc-17.0" }), ""},
		"pair of three":        {bytes.Replace(plain, []byte{3, 0x80}, []byte{3, 0x81, 0x83, 0x40, 0x40, 0x40}, 1), reason.Malformed},
		"pair of short ids":    {bytes.Replace(plain, []byte{3, 0x80}, []byte{3, 0x81, 0x82, 0x40, 0x40}, 1), reason.Malformed},
		"three ids as a pair":  {bytes.Replace(plain, []byte{3, 0x80}, slices.Concat([]byte{3, 0x81, 0x83}, id, id, id), 1), reason.Malformed},
		"head of three on two": {bytes.Replace(plain, []byte{3, 0x80}, slices.Concat([]byte{3, 0x81, 0x83}, id, id), 1), reason.Malformed},
		"one id as a pair":     {bytes.Replace(plain, []byte{3, 0x80}, slices.Concat([]byte{3, 0x81, 0x81}, id), 1), reason.Malformed},
		"pairs are null":       {bytes.Replace(plain, []byte{3, 0x80}, []byte{3, 0xF6}, 1), reason.Malformed},
	} {
		if _, err := DecodeForward(c.forward); reason.Of(err) != c.want {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}

// A head that claims many pairs makes nobody allocate for them.
func TestClaimedPairsAllocateNothing(t *testing.T) {
	claimed := append([]byte{0x99, 0xFF, 0xFF}, make([]byte, 1<<17)...)
	var pairs []Pair
	if n := testing.AllocsPerRun(10, func() { pairs = decodePairs(wire.NewReader(claimed)) }); n > 2 || pairs != nil {
		t.Errorf("%v allocations, %d pairs", n, len(pairs))
	}
}

func FuzzForward(f *testing.F) {
	a := mustNew(f, Text, "a")
	f.Add(a.Forward)
	f.Add(mustNew(f, Structured, "{}", pairTo(a)).Forward)
	f.Add(mustNew(f, Binary, "", pairTo(a), pairTo(a)).Forward)
	f.Fuzz(func(t *testing.T, forward []byte) {
		r, err := DecodeForward(forward)
		var generic forwardPart
		form := wire.Unmarshal(forward, &generic)
		inRange := generic.Kind < uint64(len(kinds)) && generic.WrittenAt <= wire.MaxUint && isFormName(generic.Form)
		if (form == nil && inRange) != (err == nil) {
			t.Fatalf("%x: %v, and by the general decoder %v", forward, err, form)
		}
		if err != nil {
			return
		}
		if again := r.encodeForward(); !bytes.Equal(again, forward) || r.ID != idOf(forward) {
			t.Fatalf("%x: encodes as %x", forward, again)
		}
	})
}

func FuzzRecordWire(f *testing.F) {
	a := mustNew(f, Text, "a")
	f.Add(a.AppendWire(nil))
	f.Add(mustNew(f, Structured, `{"a":1}`, pairTo(a)).AppendWire(nil))
	a.Content, a.Erased = nil, true
	f.Add(a.AppendWire(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := DecodeWire(data)
		var w Wire
		if generic := wire.Unmarshal(data, &w); err == nil && generic != nil {
			t.Fatalf("%x: decodes, and %v", data, generic)
		}
		if err != nil {
			return
		}
		if again := r.AppendWire(nil); !bytes.Equal(again, data) {
			t.Fatalf("%x: encodes as %x", data, again)
		}
		if r.CheckContent() == nil && HashOf(r.Content) != r.ContentHash {
			t.Fatalf("%x: passes with another content", data)
		}
	})
}
