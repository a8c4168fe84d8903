package apertomemory

import (
	"bytes"
	"errors"
	"testing"

	"consilience/projection"
	"consilience/reason"
)

// FuzzOpen: whatever an object is, it opens under legal labels or is refused under
// one counter; nothing else can happen to a reader that has its data key.
func FuzzOpen(f *testing.F) {
	k := reader(f, true)
	f.Add(forged(f, "owner").seal(f))
	f.Add(forged(f, "author").seal(f))
	f.Add(forged(f, "stranger").seal(f))
	f.Fuzz(func(t *testing.T, object []byte) {
		checkOpened(t, k, object)
	})
}

// FuzzPayload is FuzzOpen behind encryption and signature: the payload is any bytes
// that the owner signed.
func FuzzPayload(f *testing.F) {
	k := reader(f, false)
	good := forged(f, "owner")
	f.Add(encode(f, good.payload))
	good.payload[20] = map[uint64]any{1: 1, 2: make([]byte, 8), 3: 1, 4: good.kid}
	f.Add(encode(f, good.payload))
	f.Fuzz(func(t *testing.T, payload []byte) {
		spoilt := forged(t, "owner")
		spoilt.raw = append([]byte{}, payload...)
		checkOpened(t, k, spoilt.seal(t))
		if p, ok := ParsePayload(payload); ok {
			again, ok := ParsePayload(p.Bytes())
			if !ok || !bytes.Equal(again.Bytes(), p.Bytes()) {
				t.Fatal("a payload changes when it is written twice")
			}
		}
	})
}

func checkOpened(t *testing.T, k *Keyring, object []byte) {
	o, err := k.Source().Open(object)
	var refusal *projection.Refusal
	switch {
	case errors.As(err, &refusal):
	case err != nil:
		if reason.Of(err) != projection.MaterialMissing {
			t.Fatalf("neither opened nor refused: %v", err)
		}
	case o.Trust == projection.Unverified && (o.AuthorKey != "" || o.Authorship != projection.Unknown),
		o.Authorship == projection.Attested && (!o.Custody || o.Trust != projection.Trusted),
		o.Authorship == projection.Signed && o.Custody, o.Body == nil:
		t.Fatalf("labels that contradict themselves: %+v", o.Labels)
	}
}

// FuzzKeyring: a keyring that is read is usable.
func FuzzKeyring(f *testing.F) {
	f.Add([]byte(keyringFile(f)))
	f.Fuzz(func(t *testing.T, data []byte) {
		k, err := ParseKeyring(data)
		if err != nil {
			if reason.Of(err) == "" {
				t.Fatalf("no code: %v", err)
			}
			return
		}
		if _, _, err := ParseSnapshot(k.Snapshot()); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzSnapshot: what is read is what is written.
func FuzzSnapshot(f *testing.F) {
	f.Add(Snapshot(KeyID{1}, []KeyID{{3}, {2}}))
	f.Fuzz(func(t *testing.T, data []byte) {
		owner, accepted, err := ParseSnapshot(data)
		if err == nil && !bytes.Equal(Snapshot(owner, accepted), data) {
			t.Fatalf("%x", data)
		}
	})
}
