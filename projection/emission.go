package projection

import "bytes"

// Emission is a projection and its record as one result. It cannot be changed, and
// it says nothing about what becomes of the bytes: a delivery that fails afterwards
// is a failed delivery.
type Emission struct {
	record    Record
	encoded   []byte
	emitted   []byte
	fragments [][]byte
	objects   [][]byte
	snapshot  []byte
}

// Bytes is a copy of the projection: what goes to the recipient, and to nobody else.
func (e *Emission) Bytes() []byte { return bytes.Clone(e.emitted) }

// Record is a copy of the signed record in canonical JSON.
func (e *Emission) Record() []byte { return bytes.Clone(e.encoded) }

// Statement is what the record states.
func (e *Emission) Statement() Statement { return e.record.statement() }

// Snapshot is a copy of the trust snapshot that the record commits to.
func (e *Emission) Snapshot() []byte { return bytes.Clone(e.snapshot) }

// Objects are copies of the delivered source objects, by position.
func (e *Emission) Objects() [][]byte { return cloneAll(e.objects) }

// Fragments are copies of the framed fragments, by position.
func (e *Emission) Fragments() [][]byte { return cloneAll(e.fragments) }

func cloneAll(all [][]byte) [][]byte {
	c := make([][]byte, len(all))
	for i, b := range all {
		c[i] = bytes.Clone(b)
	}
	return c
}
