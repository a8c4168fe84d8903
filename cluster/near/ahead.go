package near

import (
	"slices"

	"consilience/cluster"
)

const (
	// maxAhead is how many texts are searched for ahead at most: each keeps its reading.
	maxAhead = 4096
	// early is the number of places below which searching ahead is not worth it.
	early = 4096
)

// Ahead searches for texts that a later transaction will ask about among the items that
// are marked, while another one uses the index. It changes no answer, and is the only
// method that is safe beside the others; no two of it run at once.
func (x *Index) Ahead(texts []Text) {
	if v, removals := x.marked(); v != nil {
		x.leave(v.ahead(texts), removals)
	}
}

// ahead are texts with what the view has for them. One that founded an item word for
// word will not be asked about.
func (v *view) ahead(texts []Text) (found []*question) {
	seen := make(map[string]bool, len(texts))
	for _, t := range texts[:min(len(texts), maxAhead)] {
		q := &question{text: t.Text, vector: t.Vector}
		if t.Vector.Valid(v.vectors.Dims()) && !seen[t.Text] && !v.founded(q) {
			found = append(found, q)
		}
		seen[t.Text] = true
	}
	for some := range slices.Chunk(found, window) {
		v.searchAtOnce(some, 0)
	}
	return found
}

// founded reports a text that founded an item, where a look at the row of its signature
// tells.
func (v *view) founded(q *question) bool {
	r, known := v.row(q.signature())
	if !known || !r.few(len(v.entries)) {
		return false
	}
	for place := r.last; place >= 0; place = v.entries[place].before {
		if v.entries[place].text == q.text {
			return true
		}
	}
	return false
}

// leave keeps what was found for whoever asks, unless some of it may have been removed
// meanwhile.
func (x *Index) leave(found []*question, removals int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.removals != removals {
		return
	}
	if x.ahead == nil || len(x.ahead)+len(found) > 2*maxAhead {
		x.ahead = make(map[string]*question, len(found))
	}
	for _, q := range found {
		x.ahead[q.text] = q
	}
}

// marked is a view of the items that are marked, in whole words of bits: nothing in it
// changes. It is nil for too few of them.
func (x *Index) marked() (v *view, removals int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	n := x.mark / 64 * 64
	if n < early {
		return nil, 0
	}
	return &view{
		vectors: x.vectors.Snapshot(n), entries: x.entries[:n:n], row: func(hard [16]byte) (row, bool) { return x.rowBelow(hard, n) },
		readings: &readings{byPlace: map[int]*cluster.Reading{}}, threshold: x.threshold,
	}, x.removals
}

// rowBelow is the row of a signature without the places from n on.
func (x *Index) rowBelow(hard [16]byte, n int) (r row, known bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	r, known = x.alike[hard]
	for known && int(r.last) >= n {
		r.last = x.entries[r.last].before
		known = r.last >= 0
	}
	return r, known
}

// takeAhead is what was found ahead for a text, nil for nothing.
func (x *Index) takeAhead(t Text) *question {
	q := x.ahead[t.Text]
	if q == nil || !slices.Equal(q.vector, t.Vector) {
		return nil
	}
	delete(x.ahead, t.Text)
	return q
}
