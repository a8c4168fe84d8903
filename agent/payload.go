package agent

import (
	"consilience/delta"
	"consilience/wire"
)

// decodeDelta reads the payload of a delta's envelope without its records.
func decodeDelta(payload []byte) (delta.Delta, error) {
	var p struct {
		Version uint64 `cbor:"1,keyasint"`
		delta.Delta
	}
	err := wire.Unmarshal(payload, &p)
	return p.Delta, err
}
