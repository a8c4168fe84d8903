package record

import (
	"strings"

	"consilience/wire"
)

// domain separates record ids from every other hash (docs/wire.cddl).
const domain = "NHE-MEMORY-RECORD-v1"

// The prefixes of the forms that people see.
const (
	idPrefix   = "rec:"
	itemPrefix = "item:"
)

// ID is a record id: version-specific, written once, a hash of the forward part.
// It is shown as "rec:" and 43 characters of base64url.
type ID [32]byte

func idOf(forward []byte) ID { return wire.DomainHash(domain, forward) }

// ParseID reads a record id with or without "rec:" in front. It returns
// [consilience/reason.Malformed] for anything else.
func ParseID(s string) (ID, error) {
	b, err := wire.ParseText(strings.TrimPrefix(s, idPrefix))
	return ID(b), err
}

// String is the form that people see: "rec:" and 43 characters.
func (id ID) String() string { return idPrefix + wire.Text(id) }

// MarshalText is [ID.String].
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText is [ParseID].
func (id *ID) UnmarshalText(text []byte) (err error) {
	*id, err = ParseID(string(text))
	return err
}

// ItemID is the id of an item, which is the record id of its founding record. It
// is shown as "item:" and 43 characters of base64url.
type ItemID [32]byte

// ParseItemID reads an item id with or without "item:" in front. It returns
// [consilience/reason.Malformed] for anything else.
func ParseItemID(s string) (ItemID, error) {
	b, err := wire.ParseText(strings.TrimPrefix(s, itemPrefix))
	return ItemID(b), err
}

// String is the form that people see: "item:" and 43 characters.
func (id ItemID) String() string { return itemPrefix + wire.Text(id) }

// MarshalText is [ItemID.String].
func (id ItemID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText is [ParseItemID].
func (id *ItemID) UnmarshalText(text []byte) (err error) {
	*id, err = ParseItemID(string(text))
	return err
}

// Hash is a content hash, SHA-256, 32 bytes. Its text form is 43 characters of
// base64url without a prefix.
type Hash [32]byte

// ParseHash reads the text form of a hash. It returns
// [consilience/reason.Malformed] for anything else.
func ParseHash(s string) (Hash, error) {
	b, err := wire.ParseText(s)
	return Hash(b), err
}

// String is 43 characters of base64url.
func (h Hash) String() string { return wire.Text(h) }

// MarshalText is [Hash.String].
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText is [ParseHash].
func (h *Hash) UnmarshalText(text []byte) (err error) {
	*h, err = ParseHash(string(text))
	return err
}
