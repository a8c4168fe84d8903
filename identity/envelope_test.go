package identity_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/veraison/go-cose"

	"consilience/identity"
	"consilience/reason"
	"consilience/wire"
	"consilience/wire/wiretest"
)

var purposes = []identity.Purpose{
	identity.PurposeDelta, identity.PurposeCommand, identity.PurposeSlice,
	identity.PurposeServed, identity.PurposeRequest, identity.PurposeReply,
}

// N-56: what was signed opens and verifies under the key and the purpose that it
// was signed with, and under no other.
func TestSignAndVerify(t *testing.T) {
	for _, size := range []int{0, 1, 23, 24, 255, 256, 65_535, 65_536} {
		payload := bytes.Repeat([]byte{0xa5}, size)
		for _, p := range purposes {
			e, err := identity.OpenEnvelope(identity.Sign(p, payload, key(t, 1)))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(e.Payload, payload) || e.KeyID != key(t, 1).Public().KeyID() {
				t.Fatal("another payload or key id than was signed")
			}
			if err := e.Verify(p, key(t, 1).Public()); err != nil {
				t.Errorf("%s, %d bytes: %v", p, size, err)
			}
			if err := e.Verify(p, key(t, 2).Public()); reason.Of(err) != reason.SignatureInvalid {
				t.Errorf("%s verifies under another key: %v", p, err)
			}
			for _, other := range purposes {
				if err := e.Verify(other, key(t, 1).Public()); (err == nil) != (other == p) {
					t.Errorf("%s passes for %s: %v", p, other, err)
				}
			}
		}
	}
}

// Every change of one bit is refused, by form or by signature.
func TestEveryBitCounts(t *testing.T) {
	raw := identity.Sign(identity.PurposeDelta, []byte("payload"), key(t, 1))
	for i := range len(raw) * 8 {
		changed := slices.Clone(raw)
		changed[i/8] ^= 1 << (i % 8)
		e, err := identity.OpenEnvelope(changed)
		if err == nil {
			err = e.Verify(identity.PurposeDelta, key(t, 1).Public())
		}
		if err == nil {
			t.Fatalf("bit %d changed and nothing said so", i)
		}
	}
}

// oracle verifies Ed25519 for go-cose, which knows no algorithm -19.
type oracle struct{ key identity.PublicKey }

func (oracle) Algorithm() cose.Algorithm { return -19 }

func (o oracle) Verify(content, signature []byte) error {
	if !ed25519.Verify(o.key[:], content, signature) {
		return errors.New("signature does not verify")
	}
	return nil
}

// Our envelope is a COSE_Sign1 to another implementation.
func TestEnvelopeIsCOSE(t *testing.T) {
	k := key(t, 1)
	for _, p := range purposes {
		var m cose.Sign1Message
		if err := m.UnmarshalCBOR(identity.Sign(p, []byte("payload"), k)); err != nil {
			t.Fatal(err)
		}
		if err := m.Verify([]byte(p), oracle{k.Public()}); err != nil {
			t.Errorf("%s: %v", p, err)
		}
		if err := m.Verify([]byte("another purpose"), oracle{k.Public()}); err == nil {
			t.Errorf("%s verifies with another external_aad", p)
		}
		kid, ok := m.Headers.Protected[cose.HeaderLabelKeyID].([]byte)
		if want := k.Public().KeyID(); !ok || !bytes.Equal(kid, want[:]) {
			t.Errorf("kid is %x, want %x", kid, want)
		}
		if len(m.Headers.Unprotected) != 0 || len(m.Headers.Protected) != 2 {
			t.Errorf("headers are %v and %v", m.Headers.Protected, m.Headers.Unprotected)
		}
	}
}

func TestGoldenEnvelopes(t *testing.T) {
	var vectors []wiretest.Vector
	for i, p := range purposes {
		payload := strings.Repeat("payload ", i*8)
		k := key(t, byte(i+1))
		vectors = append(vectors, wiretest.Vector{
			Name: string(p), Seed: hex.EncodeToString(k.Seed()), ID: k.Public().ID().String(),
			Fields: map[string]string{"purpose": string(p), "payload": payload},
			Hex:    hex.EncodeToString(identity.Sign(p, []byte(payload), k)),
		})
	}
	wiretest.Golden(t, "testdata/envelopes.json", vectors)
}

// refusedEnvelopes are not of the one form. Each is made from a good envelope by
// replacing a part of it.
func refusedEnvelopes(t testing.TB) []wiretest.Vector {
	good := hex.EncodeToString(identity.Sign(identity.PurposeDelta, []byte("payload"), key(t, 1)))
	kid := hex.EncodeToString(func() []byte { id := key(t, 1).Public().KeyID(); return id[:] }())
	const payload = "477061796c6f6164"
	signature := good[len(good)-128:]
	edit := func(name string, code reason.Code, from, to string) wiretest.Vector {
		if strings.Count(good, from) != 1 {
			t.Fatalf("%s: %q is not there once", name, from)
		}
		return wiretest.Vector{Name: name, Reason: code, Hex: strings.Replace(good, from, to, 1)}
	}
	return []wiretest.Vector{
		{Name: "empty", Reason: reason.Malformed},
		{Name: "truncated", Reason: reason.Malformed, Hex: good[:len(good)-2]},
		{Name: "trailing byte", Reason: reason.Malformed, Hex: good + "00"},
		edit("no tag", reason.Malformed, "d28458", "8458"),
		edit("tag 98", reason.Malformed, "d28458", "d8628458"),
		edit("tag 18 not in its shortest form", reason.NotCanonical, "d28458", "d8128458"),
		edit("array of indefinite length", reason.Malformed, "d28458", "d29f58"),
		edit("algorithm EdDSA (-8)", reason.Malformed, "a2013204", "a2012704"),
		edit("algorithm ES256 (-7)", reason.Malformed, "a2013204", "a2012604"),
		edit("protected header: kid alone", reason.Malformed, "5826a20132045820"+kid, "5824a1045820"+kid),
		edit("protected header: algorithm alone", reason.Malformed, "5826a20132045820"+kid, "43a10132"),
		edit("protected header: a third member", reason.Malformed, "5826a20132045820"+kid, "5828a3013203000458"+"20"+kid),
		edit("protected header: other order", reason.Malformed, "5826a20132045820"+kid, "5826a2045820"+kid+"0132"),
		edit("protected header: kid of 31 bytes", reason.Malformed, "5826a20132045820"+kid, "5825a2013204581f"+kid[2:]),
		edit("protected header: length not in its shortest form", reason.NotCanonical, "d2845826", "d284590026"),
		edit("protected header: empty", reason.Malformed, "5826a20132045820"+kid, "40"),
		edit("unprotected header: algorithm", reason.Malformed, kid+"a0", kid+"a10132"),
		edit("unprotected header: kid", reason.Malformed, kid+"a0", kid+"a1044101"),
		edit("unprotected header: null", reason.Malformed, kid+"a0", kid+"f6"),
		edit("unprotected header: indefinite length", reason.NotCanonical, kid+"a0", kid+"bfff"),
		edit("payload detached", reason.Malformed, payload, "f6"),
		edit("payload is text", reason.Malformed, payload, "67"+payload[2:]),
		edit("payload: length not in its shortest form", reason.NotCanonical, payload, "5807"+payload[2:]),
		edit("payload: indefinite length", reason.NotCanonical, payload, "5f"+payload+"ff"),
		edit("payload: length beyond the end", reason.Malformed, payload, "5bffffffffffffffff"+payload[2:]),
		edit("signature of 63 bytes", reason.Malformed, "5840"+signature, "583f"+signature[2:]),
		edit("signature of 65 bytes", reason.Malformed, "5840"+signature, "5841"+signature+"00"),
		edit("a fifth element", reason.Malformed, "d28458", "d28558"),
	}
}

func TestRefusedEnvelopes(t *testing.T) {
	vectors := refusedEnvelopes(t)
	wiretest.Refused(t, vectors, func(raw []byte) error {
		_, err := identity.OpenEnvelope(raw)
		return err
	})
	wiretest.Golden(t, "testdata/envelopes-refused.json", vectors)
}

// FuzzOpenEnvelope: what opens is exactly what its parts encode to.
func FuzzOpenEnvelope(f *testing.F) {
	for _, p := range purposes {
		f.Add(identity.Sign(p, []byte("payload"), key(f, 1)))
	}
	for _, v := range refusedEnvelopes(f) {
		f.Add(v.Bytes(f))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		e, err := identity.OpenEnvelope(raw)
		if err != nil {
			if c := reason.Of(err); c != reason.Malformed && c != reason.NotCanonical {
				t.Errorf("refused with %v", err)
			}
			return
		}
		again := slices.Concat([]byte{0xd2, 0x84, 0x58, 0x26, 0xa2, 0x01, 0x32, 0x04, 0x58, 0x20}, e.KeyID[:], []byte{0xa0})
		again = append(again, wire.Marshal(e.Payload)...)
		again = append(again, wire.Marshal(e.Signature)...)
		if !bytes.Equal(again, raw) || !bytes.Equal(e.Raw, raw) {
			t.Errorf("%x opens, and encodes to %x", raw, again)
		}
	})
}
