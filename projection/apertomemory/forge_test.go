package apertomemory

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ed25519"
	"strings"
	"testing"

	"github.com/fxamacker/cbor/v2"

	"consilience/identity"
	"consilience/projection"
)

// forge seals objects of any form: what a hostile or broken producer writes.
type forge struct {
	key      ed25519.PrivateKey
	version  uint64
	payload  map[uint64]any
	raw      []byte // instead of payload
	kid      []byte
	sign     func(aad, payload []byte) []byte // instead of a signature by key
	sign1    func(parts []any) any
	encrypt0 func(parts []any) any
	envelope func(parts map[uint64]any) any
	aad      []byte                      // instead of the envelope's
	plain    func(message []byte) []byte // of the encoded COSE_Sign1, before it is encrypted
	message  func(message []byte) []byte // of the encoded COSE_Encrypt0
}

func private(name string) ed25519.PrivateKey {
	seed := projection.DigestOf([]byte(name))
	return ed25519.NewKeyFromSeed(seed[:])
}

func public(t testing.TB, k ed25519.PrivateKey) identity.PublicKey {
	t.Helper()
	p, err := identity.NewPublicKey(k.Public().(ed25519.PublicKey))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

var (
	testObject = ObjectID{1, 2, 3}
	testKey    = [32]byte{9, 8, 7}
)

// forged is a good object by the named signer, to be spoilt.
func forged(t testing.TB, signer string) *forge {
	k := private(signer)
	kid := KeyIDOf(public(t, k))
	return &forge{key: k, version: 2, kid: kid[:], payload: map[uint64]any{
		1: 2, 2: "a memory", 3: 0.5, 4: map[uint64]any{1: "test", 2: kid[:]}, 5: 1, 7: map[uint64]any{1: 1750000000},
	}}
}

func encode(t testing.TB, v any) []byte {
	t.Helper()
	b, err := deterministic.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (f *forge) seal(t testing.TB) []byte {
	t.Helper()
	scope := [16]byte{5}
	aad := f.aad
	if aad == nil {
		aad = sealed{ID: testObject, Scope: scope, Version: f.version}.aad()
	}
	payload := f.raw
	if payload == nil {
		payload = encode(t, f.payload)
	}
	protected := encode(t, map[int]any{1: -8, 4: f.kid})
	signature := ed25519.Sign(f.key, sigStructure(protected, aad, payload))
	if f.sign != nil {
		signature = f.sign(aad, payload)
	}
	plain := encode(t, cbor.Tag{Number: 18, Content: apply(f.sign1, []any{protected, map[int]any{}, payload, signature})})
	if f.plain != nil {
		plain = f.plain(plain)
	}

	block, _ := aes.NewCipher(testKey[:])
	gcm, _ := cipher.NewGCM(block)
	iv := make([]byte, 12)
	ciphertext := gcm.Seal(nil, iv, plain, encStructure(encrypt0Protected, aad))
	message := encode(t, cbor.Tag{Number: 16, Content: apply(f.encrypt0, []any{encrypt0Protected, map[int]any{5: iv}, ciphertext})})
	if f.message != nil {
		message = f.message(message)
	}
	parts := map[uint64]any{1: testObject[:], 2: scope[:], 3: f.version, 4: message}
	if f.envelope != nil {
		return encode(t, f.envelope(parts))
	}
	return encode(t, parts)
}

func apply(change func([]any) any, parts []any) any {
	if change == nil {
		return parts
	}
	return change(parts)
}

// reader accepts "author", belongs to "owner" and can open the forged objects.
func reader(t testing.TB, allowUnverified bool) *Keyring {
	t.Helper()
	author := public(t, private("author"))
	k, err := NewKeyring(Config{
		Owner: public(t, private("owner")), Accepted: []Accepted{{KeyIDOf(author), author}},
		ObjectKeys: map[ObjectID][32]byte{testObject: testKey}, AllowUnverified: allowUnverified,
	})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func signOver(f *forge, aad, payload []byte) []byte {
	protected, _ := deterministic.Marshal(map[int]any{1: -8, 4: f.kid})
	return ed25519.Sign(f.key, sigStructure(protected, aad, payload))
}

// integers is each byte as an integer of CBOR, in two bytes.
func integers(bytes []byte) (b []byte) {
	for _, v := range bytes {
		if b = append(b, 0x18, v); v < 24 {
			b = append(b[:len(b)-2], v)
		}
	}
	return b
}

func repeat(b byte, n int) []byte { return []byte(strings.Repeat(string([]byte{b}), n)) }

type nothing struct{}

var absent any = nothing{}
