package near

import (
	"runtime"
	"slices"
	"sync"

	"consilience/cluster"
	"consilience/cluster/vector"
)

// asking is what is known of the texts of one transaction. Merging asks about each
// text once or twice, the second time after others of its delta have founded items.
type asking struct {
	texts    map[string]*question
	order    []*question              // as they will be asked about
	readings map[int]*cluster.Reading // of founding texts, by place
}

// question is a text that is, or will be, asked about.
type question struct {
	text    string
	vector  vector.Vector
	number  int // in the order
	reading *cluster.Reading
	hits    []vector.Hit   // those worth judging of all places below until
	until   int            // 0 before the first search
	judged  map[int]string // verdicts by place
}

// maxReadings bounds the founding texts whose reading is kept: a reading takes some
// kilobytes.
const maxReadings = 2048

// window is how many texts are searched for at once. A search shares what it reads
// among them, and holds all their hits, which in a space of near-identical texts are
// tens of thousands each.
const window = 64

// read is the reading of the text, made when it is first needed.
func (q *question) read() *cluster.Reading {
	if q.reading == nil {
		q.reading = cluster.Read(q.text)
	}
	return q.reading
}

// takeReading is the reading of a text that founds an item: it is not asked about
// again.
func (a *asking) takeReading(text string) *cluster.Reading {
	q := a.texts[text]
	if q == nil {
		return cluster.Read(text)
	}
	r := q.read()
	q.reading = nil
	return r
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

// Prepare names texts that will be asked about, in about this order. Searching for
// some of them at once costs less than searching for each. It changes no answer.
func (x *Index) Prepare(texts []Text) {
	x.asked = asking{texts: make(map[string]*question, len(texts))}
	for _, t := range texts {
		if t.Vector.Valid(x.vectors.Dims()) && x.asked.texts[t.Text] == nil {
			q := &question{text: t.Text, vector: t.Vector, number: len(x.asked.order)}
			x.asked.texts[t.Text] = q
			x.asked.order = append(x.asked.order, q)
		}
	}
}

// question is what is known of a text of a valid vector.
func (x *Index) question(text string, v vector.Vector) *question {
	if q := x.asked.texts[text]; q != nil && slices.Equal(q.vector, v) {
		return q
	}
	return &question{text: text, vector: v, number: len(x.asked.order)}
}

// bring finds what was added since the text was looked for last; the first time, for
// those that are asked about after it as well.
func (x *Index) bring(q *question) {
	if q.until == x.vectors.Len() {
		return
	}
	from := q.until
	together := []*question{q}
	if q.until == 0 && q.number < len(x.asked.order) {
		for _, next := range x.asked.order[q.number+1 : min(q.number+window, len(x.asked.order))] {
			if next.until == 0 {
				together = append(together, next)
			}
		}
	}
	share := max(minShare, (len(together)+runtime.GOMAXPROCS(0)-1)/runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for some := range slices.Chunk(together, share) {
		if len(some) == len(together) {
			x.search(some, from)
			return
		}
		wg.Go(func() { x.search(some, from) })
	}
	wg.Wait()
}

// minShare is the fewest texts that are worth a processor of their own.
const minShare = 8

// search finds what is similar to texts from a place on. It changes nothing but them.
func (x *Index) search(texts []*question, from int) {
	vectors := make([]vector.Vector, len(texts))
	for i, q := range texts {
		vectors[i] = q.vector
	}
	for i, hits := range x.vectors.Search(vectors, x.threshold, from) {
		q := texts[i]
		if len(hits) > 0 {
			q.hits = x.worthJudging(append(q.hits, hits...), short(q.read()))
		}
		q.until = x.vectors.Len()
	}
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
