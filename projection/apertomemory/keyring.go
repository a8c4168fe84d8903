package apertomemory

import (
	"bytes"
	"encoding/hex"
	"slices"

	"consilience/identity"
	"consilience/reason"
)

// KeyID is a native key id: the first eight bytes of SHA-256 over the raw 32-byte
// Ed25519 public key.
type KeyID [8]byte

// KeyIDOf is the id of a key.
func KeyIDOf(key identity.PublicKey) KeyID { return key.KeyID().Short() }

// String is the id in lower-case hex, its native text form.
func (k KeyID) String() string { return hex.EncodeToString(k[:]) }

// ObjectID is the id of a sealed object, from its envelope.
type ObjectID [16]byte

// Accepted is a third-party author's key as a vault accepted it.
type Accepted struct {
	ID  KeyID
	Key identity.PublicKey
}

// Keyring is the trust state of one vault at one instant, and the keys that open
// its objects. It never changes after [NewKeyring]; accepting or revoking an author
// is another Keyring.
type Keyring struct {
	owner      identity.PublicKey
	ownerID    KeyID
	accepted   map[KeyID]identity.PublicKey
	objectKeys map[ObjectID][32]byte
	unverified bool
}

// Config is what a [Keyring] is made of.
type Config struct {
	// Owner is the vault owner's signing key.
	Owner identity.PublicKey
	// Accepted are the authors that the vault accepts. The same key twice is one.
	Accepted []Accepted
	// ObjectKeys are the data encryption keys, AES-256, by object.
	ObjectKeys map[ObjectID][32]byte
	// AllowUnverified also returns the content of objects that nothing authenticates:
	// format version 1, and unknown signers. They are unverified, by nobody. Defaults
	// to false.
	AllowUnverified bool
}

// NewKeyring copies c into a Keyring. It returns [reason.KeyInvalid] for a key that
// is no honest Ed25519 key, for an id that is not its key's (S-17), and for two
// keys with one id: eight bytes are short, and an id decides who is believed.
func NewKeyring(c Config) (*Keyring, error) { return newKeyring(c, KeyIDOf) }

func newKeyring(c Config, idOf func(identity.PublicKey) KeyID) (*Keyring, error) {
	if err := c.Owner.Check(); err != nil {
		return nil, err
	}
	k := &Keyring{
		owner: c.Owner, ownerID: idOf(c.Owner), unverified: c.AllowUnverified,
		accepted:   make(map[KeyID]identity.PublicKey, len(c.Accepted)),
		objectKeys: make(map[ObjectID][32]byte, len(c.ObjectKeys)),
	}
	for id, key := range c.ObjectKeys {
		k.objectKeys[id] = key
	}
	for _, a := range c.Accepted {
		if err := k.accept(a, idOf); err != nil {
			return nil, err
		}
	}
	return k, nil
}

func (k *Keyring) accept(a Accepted, idOf func(identity.PublicKey) KeyID) error {
	if err := a.Key.Check(); err != nil {
		return err
	}
	if idOf(a.Key) != a.ID {
		return reason.New(reason.KeyInvalid, "an accepted key under an id that is not its own")
	}
	known, twice := k.accepted[a.ID]
	if twice && known != a.Key || a.ID == k.ownerID && a.Key != k.owner {
		return reason.New(reason.KeyInvalid, "two keys with one id")
	}
	k.accepted[a.ID] = a.Key
	return nil
}

// key finds the key of an id; the owner's own key outranks an accepted one.
func (k *Keyring) key(id KeyID) (identity.PublicKey, bool) {
	if id == k.ownerID {
		return k.owner, true
	}
	key, ok := k.accepted[id]
	return key, ok
}

// accepts reports whether id may be named as a proven author.
func (k *Keyring) accepts(id KeyID) bool {
	_, ok := k.key(id)
	return ok
}

// Snapshot is the keyring's trust snapshot.
func (k *Keyring) Snapshot() []byte {
	ids := make([]KeyID, 0, len(k.accepted))
	for id := range k.accepted {
		ids = append(ids, id)
	}
	return Snapshot(k.ownerID, ids)
}

func compareIDs(a, b KeyID) int { return bytes.Compare(a[:], b[:]) }

// sortedIDs returns ids in ascending order of their raw bytes, each once. Neither
// hex nor base64url text orders them alike (section 5.1).
func sortedIDs(ids []KeyID) []KeyID {
	ids = slices.Clone(ids)
	slices.SortFunc(ids, compareIDs)
	return slices.Compact(ids)
}
