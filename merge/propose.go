package merge

import (
	"consilience/cluster"
	"consilience/command"
	"consilience/delta"
	"consilience/fleet"
	"consilience/lineage"
	"consilience/record"
	"consilience/reputation"
)

// proposal is a delta being merged.
type proposal struct {
	*step
	body    *DeltaBody
	speaker speaker
	similar similar
	index   int                 // of the last statement made
	said    []record.Content    // stated first-hand and unmasked, in order
	kept    map[record.ID]*Item // records made known, and the item each corrects
	heard   map[*Item]heard     // of the items that it supports
	done    []act
}

// act is one line of the outcome.
type act struct {
	statement *Statement
	item      *Item
	action    command.Action
}

func (s *State) applyDelta(e Entry, b *DeltaBody, v fleet.View, finder cluster.Finder) (Sweep, error) {
	n, err := s.checkDelta(b, v)
	if err != nil {
		return Sweep{}, err
	}
	found, err := s.findSimilar(b, v.Lineage().Root(n), finder)
	if err != nil {
		return Sweep{}, err
	}
	t := s.step(e.Seq, v, command.SubjectDelta, b.ID.String())
	if err := s.begin(t.policy); err != nil {
		return Sweep{}, err
	}
	p := &proposal{step: t, body: b, speaker: t.speaker(n), similar: found}
	p.done = make([]act, 0, len(b.Delta.New)+2*len(b.Delta.Modified)+len(b.Delta.Absent))
	s.use(n, e.Seq, b)
	p.state()
	p.refer()
	for _, c := range p.said {
		t.evidence(p.speaker, s.contents[c])
	}
	w := t.finish()
	p.report(e)
	return w, nil
}

// begin fixes the space's reputation policy at its first delta.
func (s *State) begin(p command.Policy) error {
	if s.Space.FirstDelta {
		return nil
	}
	policy, err := reputation.ByName(p.Reputation)
	if err != nil {
		return err
	}
	s.Space.FirstDelta, s.Space.ReputationPolicy, s.policy = true, p.Reputation, policy
	return nil
}

// use marks the delta's sequence number as used.
func (s *State) use(n lineage.Node, seq uint64, b *DeltaBody) {
	id := b.ID
	s.sequences[SequenceKey{n, b.Delta.Sequence}] = &id
	s.highest[n] = max(s.highest[n], b.Delta.Sequence)
	s.changes.plan.Deltas = append(s.changes.plan.Deltas, AppliedDelta{
		Contributor: n, Sequence: b.Delta.Sequence, ID: id, Seq: seq, Envelope: b.Envelope.Raw,
	})
}

// state makes the delta's statements, in the order of its groups.
func (p *proposal) state() {
	for _, n := range p.body.Delta.New {
		p.propose(n)
	}
	for _, m := range p.body.Delta.Modified {
		p.modify(m)
	}
	for _, a := range p.body.Delta.Absent {
		it := p.itemIDs[a.Item]
		p.doubt(it, a.Strength)
	}
}

func (p *proposal) propose(n delta.New) {
	it, action := p.place(p.body.Records[n.Record], nil)
	st := p.support(it, p.body.Records[n.Record], n.Base, nil)
	if st.Echo {
		action = command.ActionEchoed
	}
	p.done = append(p.done, act{st, it, action})
}

// modify is three effects: a record with a pair to the old one, a support on the
// item of the new content, a doubt on the old item; both items stay. The old
// item's own content again is a support and nothing else (rulings Q22).
func (p *proposal) modify(m delta.Modified) {
	old := p.itemIDs[m.Item]
	r := p.body.Records[m.Record]
	it, _ := p.place(r, old)
	st := p.support(it, r, m.Base, old)
	if it == old {
		p.done = append(p.done, act{st, it, command.ActionUnchanged})
		return
	}
	p.done = append(p.done, act{st, it, command.ActionRevised})
	p.doubt(old, m.Base)
}

// support states a record's content for an item; corrects is the item that the
// record modifies, nil for none.
func (p *proposal) support(it *Item, r record.Record, base uint32, corrects *Item) *Statement {
	content := r.Is()
	echo := p.echoes(it, content)
	st := p.say(it, Support, base)
	st.Echo, st.Content, st.RecordID = echo, content, r.ID
	st.Record = p.keep(it, r, corrects)
	if !echo && !p.speaker.hidden {
		p.said = append(p.said, content)
	}
	return st
}

// doubt speaks against an item: it lowers, and never deletes.
func (p *proposal) doubt(it *Item, strength uint32) {
	st := p.say(it, Doubt, strength)
	p.done = append(p.done, act{st, it, command.ActionDoubted})
}

// say makes a statement on an item, with its contributor's standing as it is now.
func (p *proposal) say(it *Item, side Side, value uint32) *Statement {
	p.index++
	st := &Statement{
		Item: it.No, Contributor: p.speaker.node, Sequence: p.body.Delta.Sequence, Index: uint16(p.index),
		Seq: p.seq, Side: side, Value: value, Reputation: p.speaker.value,
		Depth: uint8(p.speaker.depth), Proven: p.speaker.proven,
	}
	it.Statements = append(it.Statements, st)
	made(&st.mark, &p.changes.plan.NewStatements, st)
	p.touch(it)
	return st
}

// report tells the contributor what became of its delta.
func (p *proposal) report(e Entry) {
	o, _ := p.outcome(e, command.StatusMerged)
	o.Outcome.Items = make([]command.OutcomeItem, 0, len(p.done))
	for _, a := range p.done {
		o.Outcome.Items = append(o.Outcome.Items, command.OutcomeItem{
			RecordID: a.statement.RecordID, ItemID: a.item.ID, Action: a.action,
			Confidence: a.item.Confidence, Counted: a.statement.Counted == Counts,
		})
	}
	p.changes.plan.Outcomes = append(p.changes.plan.Outcomes, o)
}
