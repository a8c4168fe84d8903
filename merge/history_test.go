package merge

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"consilience/cluster"
	"consilience/command"
	"consilience/delta"
	"consilience/identity"
	"consilience/record"
)

// scenario is a fleet and all its facts, with room on the log between them for
// the entries of spaces. Its last two facts quarantine and release one contributor.
type scenario struct {
	*world
	names  []string
	spaces []string
	plain  bool // only what the independent reference knows
}

// spacePolicies are the kinds of space that every scenario has.
var spacePolicies = map[string]func(*command.Policy){
	"granted":   func(*command.Policy) {},
	"open":      func(p *command.Policy) { p.Admission = command.AdmissionOpen },
	"distance1": func(p *command.Policy) { p.LineageDistance = 1 },
	"distance2": func(p *command.Policy) { p.LineageDistance, p.Admission = 2, command.AdmissionOpen },
}

var spaceKinds = []string{"granted", "open", "distance1", "distance2"}

func newScenario(t testing.TB, rng *rand.Rand, plain bool) *scenario {
	sc := &scenario{world: newWorld(t), spaces: spaceKinds, plain: plain}
	for _, name := range sc.spaces {
		p := command.DefaultPolicy()
		spacePolicies[name](&p)
		if rng.IntN(4) == 0 && !plain {
			p.Reputation = command.ReputationEMA
		}
		sc.must(sc.fact(command.KindSpace, command.Space{Name: name, Policy: p}))
	}
	for range 3 + rng.IntN(4) {
		sc.enrollOne(rng, 0.3)
	}
	facts := 4 + rng.IntN(5)
	if plain {
		facts *= 2 // fewer histories, and longer
	}
	for range facts {
		sc.seq += 7
		sc.someFact(rng)
	}
	sc.seq += 7
	last := sc.names[rng.IntN(len(sc.names))]
	if !sc.now().Lineage().Quarantined(sc.node(last)) {
		sc.quarantine(last, sc.since(rng), rng.IntN(4) == 0)
		sc.release(last)
	}
	return sc
}

func (sc *scenario) since(rng *rand.Rand) uint64 {
	if rng.IntN(2) == 0 {
		return 0
	}
	return rng.Uint64N(sc.seq)
}

func (sc *scenario) name() string { return fmt.Sprintf("c%d", len(sc.names)) }

func (sc *scenario) enrollOne(rng *rand.Rand, vouch float64) {
	o := enrolled{vouched: rng.Float64() < vouch, spaces: slices.Sorted(slices.Values(sc.spaces))}
	if rng.IntN(4) == 0 {
		o.origin = "O"
	}
	if rng.IntN(4) == 0 {
		o.r0 = 20_000 + rng.Uint32N(960_000)
	}
	if !sc.plain && rng.IntN(5) == 0 {
		o.spaces = o.spaces[:2]
	}
	name := sc.name()
	sc.enroll(name, o)
	sc.names = append(sc.names, name)
}

func (sc *scenario) pick(rng *rand.Rand) string { return sc.names[rng.IntN(len(sc.names))] }

// someFact tries one fact; a refused one is no fact.
func (sc *scenario) someFact(rng *rand.Rand) {
	switch k := rng.IntN(20); {
	case k < 7:
		parents := []string{sc.pick(rng)}
		if other := sc.pick(rng); rng.IntN(3) == 0 && other != parents[0] {
			parents = append(parents, other)
		}
		if name := sc.name(); sc.derive(name, parents...) == nil {
			sc.names = append(sc.names, name)
		}
	case k < 12:
		sc.quarantine(sc.pick(rng), sc.since(rng), rng.IntN(4) == 0)
	case k < 15:
		sc.fact(command.KindRelease, command.Release{Contributor: idOf(sc.pick(rng))})
	case k < 16:
		sc.fact(command.KindRetire, command.Retire{Contributor: idOf(sc.pick(rng))})
	case k < 18:
		sc.somePolicy(rng)
	default:
		sc.enrollAgain(rng)
	}
}

func (sc *scenario) somePolicy(rng *rand.Rand) {
	name := sc.spaces[rng.IntN(len(sc.spaces))]
	sp, _ := sc.now().Space(name)
	p := sp.Policy
	p.NearZero = 1 + rng.Uint32N(400_000)
	p.R0 = 20_000 + rng.Uint32N(960_000)
	p.DepthFactor = 500_000 + rng.Uint32N(500_001)
	p.LineageDistance = rng.Uint32N(3)
	p.ProvenStep = 300_000 + rng.Uint32N(700_001)
	p.UnprovenStep = 1 + rng.Uint32N(300_000)
	p.Admission = []string{command.AdmissionGranted, command.AdmissionOpen}[rng.IntN(2)]
	sc.must(sc.fact(command.KindPolicy, command.PolicyChange{Space: name, Policy: p}))
}

func (sc *scenario) enrollAgain(rng *rand.Rand) {
	c, _ := sc.now().Contributor(idOf(sc.pick(rng)))
	if sc.plain || len(c.Parents) > 0 {
		return
	}
	sc.fact(command.KindEnroll, command.Enroll{
		Key: c.Key, Name: c.Name, Spaces: c.Spaces, Vouched: rng.IntN(2) == 0, Origin: []string{"", "O", "P"}[rng.IntN(3)],
	})
}

// history is one space's entries, the fleet's facts among them.
type history struct {
	sc      *scenario
	space   string
	entries []Entry
	find    finder // of the state
	state   *State // after all of it
	plan    *Plan  // of all of it
}

// writer writes a history against a live state, so that few entries are refused.
type writer struct {
	*history
	rng     *rand.Rand
	own     map[string]uint64
	records []record.Record
	judgy   float64
	nonce   uint64
	seq     uint64
}

var contents = func() [][]byte {
	var all [][]byte
	for s := range 4 {
		for v := range 3 {
			all = append(all, claim(fmt.Sprintf("s%d", s), v))
		}
	}
	return all
}()

var texts = [][]byte{[]byte("a1"), []byte("a2"), []byte("a3"), []byte("a4"), []byte("b1"), []byte("b3")}

// letters is a Finder to which texts of one letter are similar; those of one
// parity join. It needs no memory of its own but what it is told.
type letters map[record.ItemID]string

// newFinder returns what a fold of the history takes for rule 3; the reference
// knows no such rule.
func (h *history) newFinder() finder {
	if h.sc.plain {
		return nil
	}
	return letters{}
}

func (l letters) Similar(_ string, text []byte, _ record.Content) []cluster.Candidate {
	var found []cluster.Candidate
	for id, other := range l {
		if other[0] != text[0] || other == string(text) {
			continue
		}
		c := cluster.Candidate{Item: id, Similarity: 900_000, Verdict: "number"}
		if (other[1]-text[1])%2 == 0 {
			c.Verdict = cluster.Join
		}
		found = append(found, c)
	}
	slices.SortFunc(found, func(a, b cluster.Candidate) int { return slices.Compare(a.Item[:], b.Item[:]) })
	return found
}

func (l letters) Founded(_ string, item record.ItemID, text []byte, _ record.Content) {
	l[item] = string(text)
}

func (sc *scenario) history(t testing.TB, rng *rand.Rand, space string) *history {
	sp, _ := sc.now().Space(space)
	h := &history{sc: sc, space: space, state: NewState(SpaceState{Num: sp.Num, Name: space})}
	h.state.Complete = true
	h.find = h.newFinder()
	w := &writer{history: h, rng: rng, own: map[string]uint64{}, judgy: []float64{0.12, 0.35}[rng.IntN(2)]}
	for i, f := range sc.log {
		for w.seq = max(w.seq, seqBefore(sc.log, i)); len(sc.log) > i; {
			w.seq += 1 + rng.Uint64N(2)
			if w.seq+1 >= f.Seq { // an entry may take two
				break
			}
			w.someEntry(t)
		}
		w.add(t, f)
	}
	h.plan = h.state.Drain()
	return h
}

func seqBefore(log []Entry, i int) uint64 {
	if i == 0 {
		return log[0].Seq - 1
	}
	return log[i-1].Seq
}

func (w *writer) add(t testing.TB, e Entry) {
	w.entries = append(w.entries, e)
	apply(t, w.state, w.sc.fleet, e, w.find)
}

func (w *writer) entry(t testing.TB, b Body) {
	w.add(t, Entry{Seq: w.seq, Time: w.seq*1000 + w.rng.Uint64N(5000), Body: b})
}

func (w *writer) someEntry(t testing.TB) {
	k := w.rng.Float64()
	switch {
	case k < w.judgy && len(w.records) > 0:
		w.judge(t)
	case k < w.judgy+0.06:
		c := record.Content{Kind: record.Structured, Hash: record.HashOf(contents[w.rng.IntN(len(contents))])}
		if w.find != nil && w.rng.IntN(3) == 0 {
			c = record.Content{Kind: record.Text, Hash: record.HashOf(texts[w.rng.IntN(len(texts))])}
		}
		w.entry(t, &ServedBody{command.Served{
			Space: w.space, Contributor: idOf(w.pick()), How: command.HowRecord, Contents: []record.Content{c},
		}})
	default:
		w.delta(t)
	}
}

func (w *writer) judge(t testing.TB) {
	r := w.records[w.rng.IntN(len(w.records))]
	kind := []command.Kind{command.KindConfirm, command.KindContradict}[w.rng.IntN(2)]
	if !w.sc.plain && w.rng.IntN(12) == 0 {
		kind = []command.Kind{command.KindSplit, command.KindErase}[w.rng.IntN(2)]
	}
	if joined := w.joined(); kind == command.KindSplit && len(joined) > 0 {
		r = joined[w.rng.IntN(len(joined))]
	}
	w.nonce++
	b := &JudgementBody{Signer: idOf("op")}
	b.Command = command.Command{Kind: kind, Body: command.Judgement{Space: w.space, Record: r.ID}}
	binary.BigEndian.PutUint64(b.ID[:], w.nonce)
	w.entry(t, b)
}

// joined returns the records that can be split off.
func (w *writer) joined() []record.Record {
	return slices.DeleteFunc(slices.Clone(w.records), func(r record.Record) bool {
		known := w.state.records[r.ID]
		return known == nil || w.state.items[known.Item].Content == known.Content
	})
}

// delta writes a delta of one to three statements, and before it now and then the
// slice that it needs.
func (w *writer) delta(t testing.TB) {
	who := w.pick()
	w.own[who] += uint64([]int{1, 1, 1, 2}[w.rng.IntN(4)])
	sequence := w.own[who]
	if w.rng.IntN(10) == 0 && sequence > 2 {
		sequence = 1 + w.rng.Uint64N(sequence) // a late one, often used already
	}
	b := &DeltaBody{}
	b.Records = map[record.ID]record.Record{}
	b.Delta = delta.Delta{Space: w.space, Contributor: idOf(who), Sequence: sequence}
	w.nonce++
	binary.BigEndian.PutUint64(b.ID[:], w.nonce)
	items := w.items()
	for range 1 + w.rng.IntN(3) {
		if len(items) > 0 && w.rng.IntN(10) < 3 {
			w.modify(b, who, items[0])
			items = items[1:]
			continue
		}
		w.propose(b, who)
	}
	if len(items) > 0 && w.rng.IntN(10) < 4 {
		b.Delta.Absent = append(b.Delta.Absent, delta.Absent{Item: items[0].ID, Strength: []uint32{300_000, 1_000_000}[w.rng.IntN(2)]})
	}
	if len(b.Delta.Modified)+len(b.Delta.Absent) > 0 {
		w.slice(t, b)
	}
	w.entry(t, b)
}

// slice issues the slice of a delta, of now or of an earlier revision.
func (w *writer) slice(t testing.TB, b *DeltaBody) {
	base := &delta.Base{Revision: w.state.Space.LastSeq}
	if w.rng.IntN(8) == 0 {
		base.Revision -= w.rng.Uint64N(base.Revision)
	}
	binary.BigEndian.PutUint64(base.Digest[:], w.seq)
	w.entry(t, &SliceBody{delta.SliceIssued{
		Space: w.space, Contributor: b.Delta.Contributor, Revision: base.Revision, Digest: base.Digest,
	}})
	w.seq++
	b.Delta.Base = base
}

// pick picks a contributor, nearly always one that is known by now.
func (w *writer) pick() string {
	for {
		name := w.sc.pick(w.rng)
		if _, known := w.sc.fleet.At(w.seq).Node(idOf(name)); known || w.rng.IntN(20) == 0 {
			return name
		}
	}
}

// items returns the space's items in a random order that the seed decides.
func (w *writer) items() []*Item {
	var items []*Item
	for _, it := range w.state.items {
		items = append(items, it)
	}
	slices.SortFunc(items, byNumber)
	w.rng.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
	return items
}

func (w *writer) record(b *DeltaBody, who string, pairs ...record.Pair) record.Record {
	w.nonce++
	kind, content := record.Structured, contents[w.rng.IntN(len(contents))]
	if w.find != nil && w.rng.IntN(4) == 0 {
		kind, content = record.Text, texts[w.rng.IntN(len(texts))]
	}
	r, err := record.New(kind, content, pairs, idOf(who), w.nonce)
	if err != nil {
		panic(err)
	}
	b.Records[r.ID] = r
	b.Order = append(b.Order, r.ID)
	w.records = append(w.records, r)
	return r
}

func (w *writer) base() uint32 {
	return []uint32{1, 100_000, 500_000, 900_000, 1_000_000}[w.rng.IntN(5)]
}

// propose states a new record, or now and then one of its own again.
func (w *writer) propose(b *DeltaBody, who string) {
	if !w.sc.plain && len(w.records) > 0 && w.rng.IntN(12) == 0 {
		r := w.records[w.rng.IntN(len(w.records))]
		known := w.state.records[r.ID]
		if _, named := b.Records[r.ID]; !named && known != nil && r.Contributor == identity.ID(idOf(who)) {
			b.Records[r.ID] = r
			b.Order = append(b.Order, r.ID)
			b.Delta.New = append(b.Delta.New, delta.New{Record: r.ID, Base: w.base()})
			return
		}
	}
	var pairs []record.Pair
	if !w.sc.plain && len(w.records) > 0 && w.rng.IntN(4) == 0 {
		if r := w.records[w.rng.IntN(len(w.records))]; w.state.records[r.ID] != nil {
			pairs = append(pairs, pairTo(r))
		}
	}
	r := w.record(b, who, pairs...)
	b.Delta.New = append(b.Delta.New, delta.New{Record: r.ID, Base: w.base()})
}

func (w *writer) modify(b *DeltaBody, who string, it *Item) {
	r := w.record(b, who, record.Pair{Record: record.ID(it.ID), Hash: it.Content.Hash})
	b.Delta.Modified = append(b.Delta.Modified, delta.Modified{Item: it.ID, Record: r.ID, Base: w.base()})
}
