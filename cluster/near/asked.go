package near

import (
	"slices"

	"consilience/cluster"
	"consilience/cluster/vector"
)

// asking is what is known of the texts of one transaction. Merging asks about each
// text once or twice, the second time after others of its delta have founded items.
type asking struct {
	texts    map[string]*question
	fresh    []*question              // prepared, not asked yet; all of them until one place
	until    int                      // of fresh
	readings map[int]*cluster.Reading // of founding texts, by place
}

// question is a text that is, or will be, asked about.
type question struct {
	text    string
	vector  vector.Vector
	reading *cluster.Reading
	hits    []vector.Hit   // all below until
	until   int            //
	judged  map[int]string // verdicts by place
	asked   bool
}

// maxReadings bounds the founding texts whose reading is kept: a reading takes some
// kilobytes.
const maxReadings = 2048

// gap is how many items are added before a search for all texts that are still to be
// asked about, by their number. Up to there each searches the few for itself: the
// first costs something for each text that waits, the second for each item.
func gap(waiting int) int { return max(64, waiting/4) }

// read is the reading of the text, made when it is first needed.
func (q *question) read() *cluster.Reading {
	if q.reading == nil {
		q.reading = cluster.Read(q.text)
	}
	return q.reading
}

// readingOf is the reading of a text.
func (a *asking) readingOf(text string) *cluster.Reading {
	if q := a.texts[text]; q != nil {
		return q.read()
	}
	return cluster.Read(text)
}

// keep keeps the reading of the founding text at a place.
func (a *asking) keep(place int, r *cluster.Reading) {
	if a.texts == nil {
		return // nobody asks: the index is being filled
	}
	if len(a.readings) >= maxReadings || a.readings == nil {
		a.readings = map[int]*cluster.Reading{}
	}
	a.readings[place] = r
}

// Text is a text with its vector.
type Text struct {
	Text   string
	Vector vector.Vector
}

// Prepare searches for many texts at once, which costs less than searching for
// each. It changes no answer.
func (x *Index) Prepare(texts []Text) {
	x.asked = asking{texts: make(map[string]*question, len(texts))}
	for _, t := range texts {
		if t.Vector.Valid(x.vectors.Dims()) {
			q := &question{text: t.Text, vector: t.Vector}
			x.asked.texts[t.Text] = q
			x.asked.fresh = append(x.asked.fresh, q)
		}
	}
	x.bringFresh()
}

// question is what is known of a text of a valid vector.
func (x *Index) question(text string, v vector.Vector) *question {
	if q := x.asked.texts[text]; q != nil && slices.Equal(q.vector, v) {
		return q
	}
	return &question{text: text, vector: v, asked: true}
}

// bring finds what was added since the text was looked for.
func (x *Index) bring(q *question) {
	if !q.asked {
		if x.vectors.Len()-x.asked.until >= gap(len(x.asked.fresh)) {
			x.bringFresh()
		}
		q.asked, q.until = true, x.asked.until
	}
	if q.until < x.vectors.Len() {
		q.hits = append(q.hits, x.vectors.Search([]vector.Vector{q.vector}, x.threshold, q.until)[0]...)
		q.until = x.vectors.Len()
	}
}

// bringFresh finds what was added since for all texts that are still to be asked
// about.
func (x *Index) bringFresh() {
	a := &x.asked
	a.fresh = slices.DeleteFunc(a.fresh, func(q *question) bool { return q.asked })
	vectors := make([]vector.Vector, len(a.fresh))
	for i, q := range a.fresh {
		vectors[i] = q.vector
	}
	for i, hits := range x.vectors.Search(vectors, x.threshold, a.until) {
		a.fresh[i].hits = append(a.fresh[i].hits, hits...)
	}
	a.until = x.vectors.Len()
}

// verdict is the gate's about a text and the founding text at a place.
func (x *Index) verdict(q *question, place int) string {
	if v, ok := q.judged[place]; ok {
		return v
	}
	founding := x.asked.readings[place]
	if founding == nil {
		founding = cluster.Read(x.entries[place].text)
		x.asked.keep(place, founding)
	}
	v := cluster.Judge(q.read(), founding)
	if q.judged == nil {
		q.judged = map[int]string{}
	}
	q.judged[place] = v
	return v
}
