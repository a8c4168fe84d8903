package merge

import "consilience/record"

// heard is what the echo rule looks at, of one item and one contributor. It is
// found once for each item of a delta: an item can have statements and contents
// without number, and a delta can support it as often as it has entries.
type heard struct {
	first uint64 // sequence of the contributor's first support of the item
	shown uint64 // first sequence at which its lineage was shown any content of it; 0: never
}

// echoes reports whether a support only repeats what the contributor's lineage
// was shown: any content of the item, before the contributor's first support of
// it (rulings Q21).
func (p *proposal) echoes(it *Item, content record.Content) bool {
	h, ok := p.heard[it]
	if !ok {
		h = p.hear(it)
	}
	h.add(p.shown(content)) // the delta may have brought it to the item
	if p.heard == nil {
		p.heard = map[*Item]heard{}
	}
	p.heard[it] = h
	return h.shown != 0 && h.shown < h.first
}

// hear looks at all that was said of an item and at all its contents.
func (p *proposal) hear(it *Item) heard {
	h := heard{first: p.seq}
	for _, st := range it.Statements {
		if st.Contributor == p.speaker.node && st.Side == Support {
			h.first = min(h.first, st.Seq)
		}
	}
	for _, c := range it.Contents {
		h.add(p.shown(c.Content))
	}
	return h
}

func (p *proposal) shown(c record.Content) uint64 {
	return p.exposures[ExposureKey{p.speaker.root, c}]
}

// add takes an exposure into account, if it was one.
func (h *heard) add(seq uint64) {
	if seq != 0 && (h.shown == 0 || seq < h.shown) {
		h.shown = seq
	}
}
