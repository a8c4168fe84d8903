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
	order    []*question // as they will be asked about
	readings readings
}

// question is a text that is, or will be, asked about.
type question struct {
	text    string
	vector  vector.Vector
	number  int // in the order
	reading *cluster.Reading
	hard    *[16]byte // its signature, once it was read
	same    struct {  // of all places below until, those of its signature that are similar
		hits  []vector.Hit
		alone bool // the scan need not look for them
	}
	others []vector.Hit   // and the best of the others, best first
	until  int            // 0 before the first search
	judged map[int]string // verdicts by place
}

// window is how many texts are searched for at once. A search shares what it reads
// among them.
const window = 256

// read is the reading of the text, made when it is first needed.
func (q *question) read() *cluster.Reading {
	if q.reading == nil {
		q.reading = cluster.Read(q.text)
	}
	return q.reading
}

func (q *question) signature() [16]byte {
	if q.hard == nil {
		hard := short(q.read())
		q.hard = &hard
	}
	return *q.hard
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

// Text is a text with its vector.
type Text struct {
	Text   string
	Vector vector.Vector
}

// Prepare names texts that will be asked about, in about this order. Searching for
// some of them at once costs less than searching for each. It changes no answer.
func (x *Index) Prepare(texts []Text) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.asked = asking{texts: make(map[string]*question, len(texts))}
	x.asked.readings.byPlace = map[int]*cluster.Reading{}
	for _, t := range texts {
		if !t.Vector.Valid(x.vectors.Dims()) || x.asked.texts[t.Text] != nil {
			continue
		}
		q := x.takeAhead(t)
		if q == nil {
			q = &question{text: t.Text, vector: t.Vector}
		}
		q.number = len(x.asked.order)
		x.asked.texts[t.Text] = q
		x.asked.order = append(x.asked.order, q)
	}
}

// question is what is known of a text of a valid vector.
func (x *Index) question(text string, v vector.Vector) *question {
	if q := x.asked.texts[text]; q != nil && slices.Equal(q.vector, v) {
		return q
	}
	return &question{text: text, vector: v, number: len(x.asked.order)}
}

// bring finds what was added since the text was looked for last; where that is much, as
// it is the first time, for those that are asked about after it as well.
func (v *view) bring(q *question, order []*question) {
	from, to := q.until, v.vectors.Len()
	if from == to {
		return
	}
	together := []*question{q}
	if to-from >= window && q.number < len(order) {
		for _, next := range order[q.number+1 : min(q.number+window, len(order))] {
			if next.until == from {
				together = append(together, next)
			}
		}
	}
	v.searchAtOnce(together, from)
}

// searchAtOnce is search by as many goroutines as there are processors, where there is
// work for them. What one of them panics with, it panics with: the caller stops at the
// entry that broke it, and the process goes on.
func (v *view) searchAtOnce(texts []*question, from int) {
	share := max(minShare, (len(texts)+runtime.GOMAXPROCS(0)-1)/runtime.GOMAXPROCS(0))
	if len(texts) <= share {
		v.search(texts, from)
		return
	}
	var wg sync.WaitGroup
	broken := make(chan any, len(texts))
	for some := range slices.Chunk(texts, share) {
		wg.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					broken <- p
				}
			}()
			v.search(some, from)
		})
	}
	wg.Wait()
	if len(broken) > 0 {
		panic(<-broken)
	}
}

// minShare is the fewest texts that are worth a processor of their own.
const minShare = 8
