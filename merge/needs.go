package merge

import (
	"consilience/cluster"
	"consilience/fleet"
	"consilience/lineage"
	"consilience/record"
)

// Needs names what Apply(e) looks at and is not loaded. Loading what one round
// names can make the next name more; callers unite the needs of a batch, load, and
// repeat until nothing is needed, which takes two or three rounds.
func (s *State) Needs(e Entry, v fleet.View) Need {
	if s.Complete || e.Seq <= s.Space.LastSeq {
		return Need{}
	}
	r := &round{s: s, v: v}
	b, isDelta := e.Body.(*DeltaBody)
	switch {
	case e.Refused == nil:
		r.body(e.Body)
	case isDelta:
		r.sequence(b)
	}
	return Union(r.need, Need{})
}

// body needs what a body that was not refused looks at.
func (r *round) body(b Body) {
	switch b := b.(type) {
	case *DeltaBody:
		r.delta(b)
	case *JudgementBody:
		r.judgement(b)
	case *ServedBody:
		r.served(b)
	case *SliceBody:
		want(r.s.slices, &r.need.Slices, SliceKey(b.Digest))
	case *FactBody:
		if b.Vouched != 0 {
			want(r.s.reps, &r.need.Reputations, b.Node)
		}
	}
}

// round collects one round of needs. What an item leads to is collected once,
// however many records join it: an item can have statements without number.
type round struct {
	s     *State
	v     fleet.View
	need  Need
	heard map[*Item]bool // whose contributors are collected
	seen  map[*Item]bool // whose contents' exposures are collected
}

// once reports whether it is asked about an item for the first time.
func once(of *map[*Item]bool, it *Item) bool {
	if (*of)[it] {
		return false
	}
	if *of == nil {
		*of = map[*Item]bool{}
	}
	(*of)[it] = true
	return true
}

// want adds a key that is not loaded.
func want[K comparable, V any](loaded map[K]V, list *[]K, k K) {
	if _, ok := loaded[k]; !ok {
		*list = append(*list, k)
	}
}

func (r *round) delta(b *DeltaBody) {
	n, ok := r.sequence(b)
	if !ok {
		return
	}
	if b.Delta.Base != nil {
		want(r.s.slices, &r.need.Slices, b.Delta.Base.Digest)
	}
	r.standing(n)
	root := r.v.Lineage().Root(n)
	for _, id := range b.Order {
		r.record(b, id, root)
	}
	for _, id := range b.items() {
		r.itemID(id)
	}
}

// sequence needs to know which delta used the number of this one.
func (r *round) sequence(b *DeltaBody) (n lineage.Node, known bool) {
	if n, known = r.v.Node(b.Delta.Contributor); known {
		want(r.s.sequences, &r.need.Sequences, SequenceKey{n, b.Delta.Sequence})
	}
	return n, known
}

// standing needs the reputations of a contributor and of all it derives from.
func (r *round) standing(n lineage.Node) {
	want(r.s.reps, &r.need.Reputations, n)
	for _, a := range r.v.Lineage().Ancestors(n) {
		want(r.s.reps, &r.need.Reputations, a.Node)
	}
}

// record needs a proposed record, what it refers to, where it joins, and whether
// any content there was shown to the lineage.
func (r *round) record(b *DeltaBody, id record.ID, root lineage.Node) {
	rec := b.Records[id]
	want(r.s.records, &r.need.Records, id)
	for _, p := range rec.Pairs {
		want(r.s.records, &r.need.Records, p.Record)
	}
	want(r.s.exposures, &r.need.Exposures, ExposureKey{root, rec.Is()})
	it := r.content(rec.Is())
	if e, ok := b.Elided[id]; ok {
		it = r.itemID(e.Item)
	}
	if it != nil {
		r.shown(it, root)
	}
}

// shown needs to know whether any content of an item was shown to a lineage.
func (r *round) shown(it *Item, root lineage.Node) {
	if !once(&r.seen, it) {
		return
	}
	for _, c := range it.Contents {
		want(r.s.exposures, &r.need.Exposures, ExposureKey{root, c.Content})
	}
}

// candidate needs an item that the finder named, and what is looked at if a
// record joins it.
func (r *round) candidate(c cluster.Candidate, root lineage.Node) {
	it := r.itemID(c.Item)
	if it != nil && c.Verdict == cluster.Join {
		r.shown(it, root)
	}
}

// content needs a content with its item, and returns the item if it is loaded.
func (r *round) content(c record.Content) *Item {
	want(r.s.contents, &r.need.Contents, c)
	cs := r.s.contents[c]
	if cs == nil {
		return nil
	}
	it := r.s.items[cs.Item]
	if it == nil {
		r.need.ItemNos = append(r.need.ItemNos, cs.Item)
		return nil
	}
	r.contributors(it)
	return it
}

func (r *round) itemID(id record.ItemID) *Item {
	want(r.s.itemIDs, &r.need.Items, id)
	it := r.s.itemIDs[id]
	if it != nil {
		r.contributors(it)
	}
	return it
}

// contributors needs to know of everybody who spoke on an item whether it is locked.
func (r *round) contributors(it *Item) {
	if !once(&r.heard, it) {
		return
	}
	for _, st := range it.Statements {
		want(r.s.reps, &r.need.Reputations, st.Contributor)
	}
}

func (r *round) judgement(b *JudgementBody) {
	want(r.s.commands, &r.need.Commands, b.ID)
	for _, id := range judgedRecords(b) {
		want(r.s.records, &r.need.Records, id)
		if rec := r.s.records[id]; rec != nil {
			r.content(rec.Content)
		}
	}
	for _, id := range rivals(b) {
		r.itemID(id)
	}
}

func (r *round) served(b *ServedBody) {
	n, ok := r.v.Node(b.Contributor)
	if !ok {
		return
	}
	root := r.v.Lineage().Root(n)
	for _, c := range b.Contents {
		want(r.s.exposures, &r.need.Exposures, ExposureKey{root, c})
	}
}
