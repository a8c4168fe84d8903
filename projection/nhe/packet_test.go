package nhe_test

import (
	"reflect"
	"testing"

	"consilience/projection/nhe"
	"consilience/reason"
)

// A packet comes back from its bytes and from no others, and what is no record or no
// evidence is said before anything is verified.
func TestPacket(t *testing.T) {
	p := nhe.Packet{
		Request: []byte("{}"), Policy: []byte("{}"), Snapshot: []byte{0xA0}, Objects: [][]byte{{1}}, Evidence: nhe.Bundle{}.Encode(),
	}
	raw := p.Encode()
	back, err := nhe.DecodePacket(raw)
	if err != nil || !reflect.DeepEqual(back, p) {
		t.Fatalf("%+v %v", back, err)
	}
	for n := range raw {
		if _, err := nhe.DecodePacket(raw[:n]); reason.Of(err) == "" {
			t.Errorf("%d bytes are a packet", n)
		}
	}
	if _, err := nhe.DecodePacket(append(raw, 0)); reason.Of(err) == "" {
		t.Error("trailing bytes are a packet")
	}
	if _, err := p.Material([]byte("{}"), nil); reason.Of(err) == "" {
		t.Error("material for what is no record")
	}
}
