package nhe

import (
	"bytes"
	"slices"

	"consilience/identity"
	"consilience/projection"
	"consilience/reason"
	"consilience/wire"
)

// Key is a key that a contributor signs or signed with.
type Key struct {
	Key   identity.PublicKey
	Owner identity.ID // the contributor, whose id stays when keys rotate
	// Accepted says that the owner is known and under no quarantine mask.
	Accepted bool
}

// Keys are the keys of a fleet. It never changes after [NewKeys].
type Keys struct {
	byID     map[identity.KeyID]Key
	accepted []identity.KeyID // ascending
}

// NewKeys takes keys in. Of keys with one short id none is accepted: the short id is
// what a record shows. They are no error, because contributors choose their keys, and
// a pair that one of them made must not end the recalls of all. It returns
// [reason.KeyInvalid] for a key that is no honest Ed25519 key and for one key with two
// owners.
func NewKeys(keys []Key) (*Keys, error) { return newKeys(keys, identity.PublicKey.KeyID) }

func newKeys(keys []Key, idOf func(identity.PublicKey) identity.KeyID) (*Keys, error) {
	all := &Keys{byID: make(map[identity.KeyID]Key, len(keys))}
	holders := make(map[[8]byte]int, len(keys)) // of a short id
	for _, k := range keys {
		if err := k.Key.Check(); err != nil {
			return nil, err
		}
		id := idOf(k.Key)
		known, twice := all.byID[id]
		if twice && known != k {
			return nil, reason.New(reason.KeyInvalid, "one key with two owners")
		}
		if !twice {
			all.byID[id] = k
			holders[id.Short()]++
		}
	}
	for id, k := range all.byID {
		if k.Accepted = k.Accepted && holders[id.Short()] == 1; k.Accepted {
			all.accepted = append(all.accepted, id)
		}
		all.byID[id] = k
	}
	slices.SortFunc(all.accepted, compareIDs)
	return all, nil
}

func compareIDs(a, b identity.KeyID) int { return bytes.Compare(a[:], b[:]) }

// State says which state of which space trust is derived under.
type State struct {
	Store        [32]byte // store id
	Space        string
	Revision     uint64
	PolicyDigest [32]byte // SHA-256 of the space's policy as it stands on the log
}

// Trust is a frozen trust state.
type Trust struct {
	state    State
	keys     *Keys
	snapshot []byte
}

// NewTrust freezes state with the keys in force at its revision. It returns
// [reason.NameInvalid] and [reason.OutOfRange].
func NewTrust(state State, keys *Keys) (*Trust, error) {
	if err := wire.SpaceName(state.Space); err != nil {
		return nil, err
	}
	if err := wire.CheckRange("revision", state.Revision, 0, wire.MaxUint); err != nil {
		return nil, err
	}
	return &Trust{state, keys, Snapshot(state, keys.accepted)}, nil
}

// snapshot is the trust snapshot as it is encoded.
type snapshot struct {
	Store        [32]byte         `cbor:"1,keyasint"`
	Space        string           `cbor:"2,keyasint"`
	Revision     uint64           `cbor:"3,keyasint"`
	PolicyDigest [32]byte         `cbor:"4,keyasint"`
	Accepted     []identity.KeyID `cbor:"5,keyasint"`
}

// Snapshot is the deterministic CBOR of a trust state. Accepted key ids are written
// in ascending order of their bytes, each once.
func Snapshot(s State, accepted []identity.KeyID) []byte {
	accepted = slices.Clone(accepted)
	slices.SortFunc(accepted, compareIDs)
	return wire.Marshal(snapshot{s.Store, s.Space, s.Revision, s.PolicyDigest, slices.Compact(accepted)})
}

// ParseSnapshot reads a trust snapshot. It returns
// [projection.TrustSnapshotInvalid] for every byte string that [Snapshot] does not
// produce, and for accepted keys that share a short id.
func ParseSnapshot(data []byte) (State, []identity.KeyID, error) {
	var s snapshot
	if err := wire.Unmarshal(data, &s); err != nil {
		return State{}, nil, reason.Wrap(projection.TrustSnapshotInvalid, err, "not a trust snapshot")
	}
	if wire.SpaceName(s.Space) != nil || s.Revision > wire.MaxUint || !distinct(s.Accepted) {
		return State{}, nil, reason.New(projection.TrustSnapshotInvalid, "a space, revision or list of keys that no store has")
	}
	return State{s.Store, s.Space, s.Revision, s.PolicyDigest}, s.Accepted, nil
}

// distinct reports whether ids ascend and no two begin alike.
func distinct(ids []identity.KeyID) bool {
	for i := 1; i < len(ids); i++ {
		a, b := ids[i-1].Short(), ids[i].Short()
		if bytes.Compare(a[:], b[:]) >= 0 {
			return false
		}
	}
	return true
}

// checkSnapshot checks that every entry's labels are ones that this profile gives
// and that a trusted author is an accepted key.
func checkSnapshot(data []byte, delivered []projection.Entry) error {
	_, accepted, err := ParseSnapshot(data)
	if err != nil {
		return err
	}
	authors := make(map[projection.AuthorKey]bool, len(accepted))
	for _, id := range accepted {
		short := id.Short()
		authors[projection.KeyOf(short[:])] = true
	}
	for i, e := range delivered {
		trusted := trustedBy(e.AuthorKey)
		if e.Labels != unverified && (e.Labels != trusted || !authors[e.AuthorKey]) {
			return reason.New(projection.TrustSnapshotInconsistent, "the trust of entry %d does not follow from the snapshot", i)
		}
	}
	return nil
}

// unverified and trustedBy are the only labels of this profile.
var unverified = projection.Labels{Trust: projection.Unverified, Authorship: projection.Unknown}

func trustedBy(author projection.AuthorKey) projection.Labels {
	return projection.Labels{Trust: projection.Trusted, Authorship: projection.Signed, AuthorKey: author}
}
