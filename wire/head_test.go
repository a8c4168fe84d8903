package wire_test

import (
	"bytes"
	"crypto/sha256"
	"testing"

	"consilience/reason"
	"consilience/wire"
)

// Heads that are written by hand are the codec's.
func TestHeads(t *testing.T) {
	for _, n := range []int{0, 1, 23, 24, 255, 256, 65_535, 65_536, 100_000} {
		content := bytes.Repeat([]byte{7}, n)
		encoded := wire.AppendBytes([]byte("before"), content)
		if want := append([]byte("before"), wire.Marshal(content)...); !bytes.Equal(encoded, want) {
			t.Errorf("%d bytes: head is %x", n, encoded[6:16])
		}
		got, rest, err := wire.CutBytes(append(encoded[6:], 0xff))
		if err != nil || !bytes.Equal(got, content) || len(rest) != 1 {
			t.Errorf("%d bytes: cut %d, left %d, %v", n, len(got), len(rest), err)
		}
		list := wire.Marshal(make([]uint64, n))
		head := wire.AppendArray(nil, n)
		if !bytes.HasPrefix(list, head) || len(list) != len(head)+n {
			t.Errorf("array of %d: head is %x", n, head)
		}
		if got, rest, err := wire.CutArray(list); err != nil || got != n || len(rest) != n {
			t.Errorf("array of %d: cut %d, left %d, %v", n, got, len(rest), err)
		}
	}
}

func TestCheckRange(t *testing.T) {
	for v, want := range map[uint64]reason.Code{1: reason.OutOfRange, 2: "", 3: "", 4: "", 5: reason.OutOfRange} {
		if got := reason.Of(wire.CheckRange("v", v, 2, 4)); got != want {
			t.Errorf("%d: got %q, want %q", v, got, want)
		}
	}
}

func TestDomainHash(t *testing.T) {
	want := sha256.Sum256([]byte("domain\x00payload"))
	if got := wire.DomainHash("domain", []byte("payload")); got != want {
		t.Errorf("got %x, want %x", got, want)
	}
	if wire.Hash([]byte("a"), []byte("b")) != sha256.Sum256([]byte("ab")) {
		t.Error("parts are not joined")
	}
}
