package apertomemory

import (
	"consilience/projection"
	"consilience/reason"
	"consilience/wire"
)

// snapshot is the trust snapshot, urn:apertomemory:trust-snapshot:v0.
type snapshot struct {
	Owner    KeyID   `cbor:"1,keyasint"`
	Accepted []KeyID `cbor:"2,keyasint"`
}

// Snapshot is the deterministic CBOR of a trust state: the owner's key id, and the
// ids of the accepted authors in ascending order of their raw bytes, each once. The
// owner's id stays among them if it is there (section 5.1 of the draft).
func Snapshot(owner KeyID, accepted []KeyID) []byte {
	return wire.Marshal(snapshot{owner, sortedIDs(accepted)})
}

// ParseSnapshot reads a trust snapshot. It returns
// [projection.TrustSnapshotInvalid] for every byte string that [Snapshot] does not
// produce.
func ParseSnapshot(data []byte) (owner KeyID, accepted []KeyID, err error) {
	var s snapshot
	if err := wire.Unmarshal(data, &s); err != nil {
		return KeyID{}, nil, reason.Wrap(projection.TrustSnapshotInvalid, err, "not a trust snapshot")
	}
	if !sorted(s.Accepted) {
		return KeyID{}, nil, reason.New(projection.TrustSnapshotInvalid, "accepted keys out of order or twice")
	}
	return s.Owner, s.Accepted, nil
}

// sorted reports whether ids ascend, none twice.
func sorted(ids []KeyID) bool {
	for i := 1; i < len(ids); i++ {
		if compareIDs(ids[i-1], ids[i]) >= 0 {
			return false
		}
	}
	return true
}

// checkSnapshot checks that the trust of every entry can follow from the snapshot:
// self only by the owner, trusted only by an accepted author, or by the owner where
// the owner's custody record attests itself.
func checkSnapshot(data []byte, delivered []projection.Entry) error {
	owner, accepted, err := ParseSnapshot(data)
	if err != nil {
		return err
	}
	allowed := map[KeyID]bool{}
	for _, id := range accepted {
		allowed[id] = true
	}
	for i, e := range delivered {
		id, ok := nativeID(e.AuthorKey)
		switch {
		case e.Trust == projection.Unverified:
			ok = true
		case e.Trust == projection.Self:
			ok = ok && id == owner
		case e.Authorship == projection.Attested:
			ok = ok && (allowed[id] || id == owner)
		default:
			ok = ok && allowed[id]
		}
		if !ok {
			return reason.New(projection.TrustSnapshotInconsistent, "the trust of entry %d does not follow from the snapshot", i)
		}
	}
	return nil
}

// nativeID is the key id of an entry; ok is false unless it has eight bytes.
func nativeID(k projection.AuthorKey) (id KeyID, ok bool) {
	b := k.Bytes()
	if len(b) != len(id) {
		return KeyID{}, false
	}
	return KeyID(b), true
}
