package delta

import (
	"strings"

	"consilience/wire"
)

// idPrefix marks a delta's id in the form that people see.
const idPrefix = "delta:"

// ID is the hash of a signed delta, shown as "delta:" and 43 characters of
// base64url.
type ID [32]byte

// IDOf is the id of an encoded delta, the payload of its envelope.
func IDOf(payload []byte) ID { return ID(wire.DomainHash(idDomain, payload)) }

// idDomain separates the hash of a delta from other hashes.
const idDomain = "NHE-MEMORY-DELTA-v1"

// ParseID reads an id with or without "delta:" in front. It returns
// [consilience/reason.Malformed] for anything else.
func ParseID(s string) (ID, error) {
	b, err := wire.ParseText(strings.TrimPrefix(s, idPrefix))
	return ID(b), err
}

// String is the form that people see: "delta:" and 43 characters.
func (id ID) String() string { return idPrefix + wire.Text(id) }

// MarshalText is [ID.String].
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText is [ParseID].
func (id *ID) UnmarshalText(text []byte) (err error) {
	*id, err = ParseID(string(text))
	return err
}
