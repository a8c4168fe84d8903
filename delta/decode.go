package delta

import (
	"consilience/record"
	"consilience/wire"
)

// Decode reads the payload of a delta's envelope, without its records. It returns
// the reasons of [Open] that the payload alone shows.
func Decode(payload []byte) (Delta, error) {
	d, err := decode(payload)
	if err != nil {
		return Delta{}, err
	}
	return d, d.check()
}

// decode reads a payload strictly; the rules of the fields are [Delta.check].
func decode(encoded []byte) (Delta, error) {
	if err := wire.CheckVersion(encoded, version); err != nil {
		return Delta{}, err
	}
	var d Delta
	r := wire.NewReader(encoded)
	r.Map(10)
	r.Key(1).Uint()
	d.Store = r.Key(2).Bytes32()
	d.Space = r.Key(3).Text()
	d.Contributor = r.Key(4).Bytes32()
	d.Sequence = r.Key(5).Uint()
	d.CreatedAt = r.Key(6).Uint()
	d.Base = decodeBase(r.Key(7))
	d.New = decodeList(r.Key(8), func(n *New) {
		r.Tuple(2)
		n.Record, n.Base = r.Bytes32(), r.Uint32()
	})
	d.Modified = decodeList(r.Key(9), func(m *Modified) {
		r.Tuple(3)
		m.Item, m.Record, m.Base = r.Bytes32(), r.Bytes32(), r.Uint32()
	})
	d.Absent = decodeList(r.Key(10), func(a *Absent) {
		r.Tuple(2)
		a.Item, a.Strength = r.Bytes32(), r.Uint32()
	})
	return d, r.Done()
}

func decodeBase(r *wire.Reader) *Base {
	if r.Null() {
		return nil
	}
	r.Tuple(2)
	return &Base{Digest: r.Bytes32(), Revision: r.Uint()}
}

// decodeRecords reads the records of a message.
func decodeRecords(encoded []byte) ([]record.Wire, error) {
	r := wire.NewReader(encoded)
	records := decodeList(r, func(w *record.Wire) {
		r.Tuple(2)
		w.Forward = r.Bytes()
		if !r.Null() {
			w.Content = r.Bytes()
		}
	})
	return records, r.Done()
}

// decodeList reads an array, each element with read.
func decodeList[T any](r *wire.Reader, read func(*T)) []T {
	list := make([]T, r.Array())
	for i := range list {
		if r.Failed() {
			return nil
		}
		read(&list[i])
	}
	return list
}
