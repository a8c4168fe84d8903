package near

// row is the places of one signature: the gate lets only such texts join each other.
type row struct {
	last, count int32 // the others follow by entry.before
}

// line puts the newest place at the end of its row.
func (x *Index) line(place int) {
	e := &x.entries[place]
	r, known := x.alike[e.hard]
	if known {
		e.before = r.last
	}
	x.alike[e.hard] = row{int32(place), r.count + 1}
}

// unline takes the newest place out of its row.
func (x *Index) unline(place int) {
	e := x.entries[place]
	if e.before < 0 {
		delete(x.alike, e.hard)
		return
	}
	x.alike[e.hard] = row{e.before, x.alike[e.hard].count - 1}
}

// few reports a row that is looked through faster than the vectors of all items are
// scanned.
func (r row) few(items int) bool { return int(r.count) <= max(64, items/256) }
