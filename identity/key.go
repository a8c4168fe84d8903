package identity

import (
	"crypto/ed25519"
	"fmt"
	"io"

	"filippo.io/edwards25519"

	"consilience/reason"
	"consilience/wire"
)

// PublicKey is a raw Ed25519 public key of 32 bytes that [NewPublicKey] has
// accepted. A PublicKey from elsewhere must pass [PublicKey.Check] before use.
type PublicKey [32]byte

// NewPublicKey accepts raw, 32 bytes, as a public key. See [PublicKey.Check].
func NewPublicKey(raw []byte) (PublicKey, error) {
	if len(raw) != len(PublicKey{}) {
		return PublicKey{}, reason.New(reason.KeyInvalid, "a public key has 32 bytes, not %d", len(raw))
	}
	k := PublicKey(raw)
	return k, k.Check()
}

// Check returns [reason.KeyInvalid] unless k is the canonical encoding of a point
// that is not of small order: under a small-order key anybody can sign anything,
// and the standard library verifies it (RFC 8032 section 5.1.3 leaves it open).
func (k PublicKey) Check() error {
	p, err := new(edwards25519.Point).SetBytes(k[:])
	if err != nil {
		return reason.New(reason.KeyInvalid, "public key is no point of the curve")
	}
	if [32]byte(p.Bytes()) != k {
		return reason.New(reason.KeyInvalid, "public key is not in its canonical encoding")
	}
	if p.MultByCofactor(p).Equal(edwards25519.NewIdentityPoint()) == 1 {
		return reason.New(reason.KeyInvalid, "public key is of small order")
	}
	return nil
}

// String is the raw key as a key file holds it: 43 characters of base64url.
func (k PublicKey) String() string { return wire.Text(k) }

// MarshalText is [PublicKey.String].
func (k PublicKey) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// KeyID is the hash of the raw key.
func (k PublicKey) KeyID() KeyID { return KeyID(wire.Hash(k[:])) }

// ID is the identity that has k as its first key.
func (k PublicKey) ID() ID { return ID(k.KeyID()) }

// PrivateKey signs. It prints as "[key]" under every verb; the zero value holds
// no key and must not be used.
type PrivateKey struct {
	key    ed25519.PrivateKey
	public PublicKey
	id     KeyID
}

// NewPrivateKey is the key of a 32-byte seed (RFC 8032 section 5.1.5). It returns
// [reason.KeyInvalid] for a seed of another length.
func NewPrivateKey(seed []byte) (PrivateKey, error) {
	if len(seed) != ed25519.SeedSize {
		return PrivateKey{}, reason.New(reason.KeyInvalid, "a private key has 32 bytes, not %d", len(seed))
	}
	k := ed25519.NewKeyFromSeed(seed)
	public := PublicKey(k.Public().(ed25519.PublicKey))
	return PrivateKey{key: k, public: public, id: public.KeyID()}, nil
}

// GenerateKey makes a key from 32 bytes of rand, which is crypto/rand.Reader
// outside of tests.
func GenerateKey(rand io.Reader) (PrivateKey, error) {
	var seed [ed25519.SeedSize]byte
	if _, err := io.ReadFull(rand, seed[:]); err != nil {
		return PrivateKey{}, reason.Wrap(reason.KeyInvalid, err, "no randomness for a key")
	}
	return NewPrivateKey(seed[:])
}

// Public is the key's public half.
func (k PrivateKey) Public() PublicKey { return k.public }

// Seed is the 32-byte seed, for a key file.
func (k PrivateKey) Seed() []byte { return k.key.Seed() }

// hidden stands for a private key wherever one is printed.
const hidden = "[key]"

// String is "[key]".
func (k PrivateKey) String() string { return hidden }

// Format prints "[key]" whatever the verb, so that neither %#v nor a structured
// logger reaches the fields.
func (k PrivateKey) Format(f fmt.State, _ rune) { io.WriteString(f, hidden) }

// MarshalText is "[key]": encoders of JSON and of log lines ask for it first.
func (k PrivateKey) MarshalText() ([]byte, error) { return []byte(hidden), nil }
