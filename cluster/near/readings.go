package near

import (
	"sync"

	"consilience/cluster"
)

// readings are those of founding texts that the gate asked for. They are safe for
// concurrent use.
type readings struct {
	mu      sync.Mutex
	byPlace map[int]*cluster.Reading // nil: nobody asks, the index is being filled
}

// maxReadings bounds the readings that are kept: one takes some ten kilobytes.
const maxReadings = 2048

// of is the reading of the founding text at a place.
func (r *readings) of(place int, text string) *cluster.Reading {
	r.mu.Lock()
	reading := r.byPlace[place]
	r.mu.Unlock()
	if reading == nil {
		reading = cluster.Read(text)
		reading.Ready()
		r.keep(place, reading)
	}
	return reading
}

// keep keeps the reading of the founding text at a place.
func (r *readings) keep(place int, reading *cluster.Reading) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.byPlace == nil {
		return
	}
	reading.Ready()
	if len(r.byPlace) >= maxReadings {
		clear(r.byPlace)
	}
	r.byPlace[place] = reading
}
