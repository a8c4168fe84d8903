package merge

import (
	"consilience/cluster"
	"consilience/command"
	"consilience/lineage"
	"consilience/record"
)

// place finds or founds the item that a record joins (merge.md): the item that
// holds its content; for a text the most similar that the gate lets it into;
// else one of its own. A modification skips its old item in the second rule.
func (p *proposal) place(r record.Record, old *Item) (*Item, command.Action) {
	if c := p.contents[r.Is()]; c != nil {
		return p.items[c.Item], command.ActionJoined
	}
	if e, ok := p.body.Elided[r.ID]; ok {
		return p.placeElided(r, e)
	}
	candidates := p.candidates(r, old)
	for _, c := range candidates {
		if c.Verdict == cluster.Join {
			return p.join(p.itemIDs[c.Item], r), command.ActionJoined
		}
	}
	it := p.found(r, p.claim(r))
	p.relate(it, candidates)
	if p.similar.finder != nil && r.Kind == record.Text {
		p.similar.finder.Founded(p.Space.Name, it.ID, r.Content, r.Is())
		p.similar.stale = true
	}
	return it, command.ActionCreated
}

// placeElided puts a record whose content was erased where it went when its
// content was there.
func (p *proposal) placeElided(r record.Record, e Elided) (*Item, command.Action) {
	if it := p.itemIDs[e.Item]; it != nil {
		return p.join(it, r), command.ActionJoined
	}
	return p.found(r, e.Claim), command.ActionCreated
}

// join adds a content to an item.
func (p *proposal) join(it *Item, r record.Record) *Item {
	p.addContent(it, r.Is())
	return it
}

// found makes an item for a record. It has the number that the record's
// statement, the next one, will have.
func (p *proposal) found(r record.Record, claim *ClaimHashes) *Item {
	return p.newItem(record.ItemID(r.ID), ItemNo(number(p.seq, p.index+1)), r.Is(), claim)
}

// newItem makes an item of one content.
func (t *step) newItem(id record.ItemID, no ItemNo, content record.Content, claim *ClaimHashes) *Item {
	it := &Item{
		No: no, ID: id, Founded: t.seq, Content: content, Claim: claim,
		Head: RecordNo(no), Created: t.Space.Time, Updated: t.Space.Time, Revision: t.seq,
	}
	t.items[it.No], t.itemIDs[it.ID] = it, it
	made(&it.mark, &t.changes.plan.NewItems, it)
	if t.contents[content] == nil {
		t.addContent(it, content)
	}
	return it
}

func (t *step) addContent(it *Item, content record.Content) {
	c := &ContentState{Content: content, Item: it.No, Holders: map[lineage.Node]*Holder{}}
	it.Contents = append(it.Contents, c)
	t.contents[content] = c
	made(&c.mark, &t.changes.plan.NewContents, c)
}

// claim returns the claim that a record states, nil if it states none or its
// predicate may have several values.
func (p *proposal) claim(r record.Record) *ClaimHashes {
	c, ok := cluster.ClaimOf(r.Kind, r.Content)
	if !ok || p.manyValued.has(p.policy.ManyValued, c.Predicate) {
		return nil
	}
	return &ClaimHashes{Key: c.KeyHash, Value: c.ValueHash}
}

// relate keeps what a new item looks like and did not join.
func (p *proposal) relate(it *Item, candidates []cluster.Candidate) {
	for _, c := range candidates[:min(len(candidates), MaxRelated)] {
		why := c.Verdict
		if why == cluster.Rival {
			why = WhyPolarity
		}
		p.changes.plan.Related = append(p.changes.plan.Related, RelatedRow{it.No, p.itemIDs[c.Item].No, why})
	}
}

// similar is what rule 3 of joining found for a delta's texts.
type similar struct {
	finder cluster.Finder
	found  map[record.Content][]cluster.Candidate
	stale  bool // the delta founded a text since: ask again
}

// findSimilar asks the finder about the texts that no item holds, before anything
// changes, so that the items it names can be loaded.
func (s *State) findSimilar(b *DeltaBody, root lineage.Node, finder cluster.Finder) (similar, error) {
	found := similar{finder: finder}
	if finder == nil {
		return found, nil
	}
	found.found = map[record.Content][]cluster.Candidate{}
	needed := &round{s: s}
	for _, id := range b.Order {
		r := b.Records[id]
		if r.Kind != record.Text || r.Erased || s.contents[r.Is()] != nil {
			continue
		}
		found.found[r.Is()] = finder.Similar(s.Space.Name, r.Content, r.Is())
		for _, c := range found.found[r.Is()] {
			needed.candidate(c, root)
		}
	}
	if need := Union(needed.need, Need{}); !need.Empty() && !s.Complete {
		return found, &Missing{need}
	}
	return found, nil
}

// candidates returns the items similar to a text, best first, without the item
// that it modifies and without any that the space does not know.
func (p *proposal) candidates(r record.Record, old *Item) []cluster.Candidate {
	if p.similar.finder == nil || r.Kind != record.Text {
		return nil
	}
	all, ok := p.similar.found[r.Is()]
	if !ok || p.similar.stale {
		all = p.similar.finder.Similar(p.Space.Name, r.Content, r.Is())
	}
	var known []cluster.Candidate
	for _, c := range all {
		if it := p.itemIDs[c.Item]; it != nil && it != old {
			known = append(known, c)
		}
	}
	return known
}
