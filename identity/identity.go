// Package identity names who signs, and checks that they did.
//
// A [PrivateKey] signs a payload for one [Purpose] into an envelope ([Sign]);
// [OpenEnvelope] reads the envelope back and [Envelope.Verify] checks it against
// a [PublicKey]. A key has a [KeyID], the hash of its raw bytes. Whoever owns the
// key is known by an [ID], the key id of the first key it ever had: the id stays
// when keys rotate. Which key belongs to whom at which place of the log is not
// decided here.
//
// Keys are Ed25519 (RFC 8032, pure), envelopes COSE_Sign1 (RFC 9052) in the one
// form that docs/wire.cddl gives.
package identity

import (
	"strings"

	"consilience/wire"
)

// prefix marks an identity in the form that people see.
const prefix = "nhe:"

// ID is the identity of a contributor, an operator or a service: the key id of
// its first key. It is shown as "nhe:" and 43 characters of base64url.
type ID [32]byte

// ParseID reads an id with or without "nhe:" in front. It returns
// [consilience/reason.Malformed] for anything else.
func ParseID(s string) (ID, error) {
	b, err := wire.ParseText(strings.TrimPrefix(s, prefix))
	return ID(b), err
}

// String is the form that people see: "nhe:" and 43 characters.
func (id ID) String() string { return prefix + wire.Text(id) }

// Token is the bare 43 characters, a token of a subject.
func (id ID) Token() string { return wire.Text(id) }

// MarshalText is [ID.String].
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText is [ParseID].
func (id *ID) UnmarshalText(text []byte) (err error) {
	*id, err = ParseID(string(text))
	return err
}

// KeyID is the hash of a raw public key. It belongs to one identity for ever.
type KeyID [32]byte

// String is 43 characters of base64url.
func (k KeyID) String() string { return wire.Text(k) }

// Short is the first 8 bytes, the form in which projection records name a key.
func (k KeyID) Short() [8]byte { return [8]byte(k[:8]) }
