package merge

import (
	"maps"
	"slices"

	"consilience/command"
	"consilience/fleet"
	"consilience/lineage"
	"consilience/reason"
	"consilience/record"
)

// What a judgement did ([JudgementRow.Effect]).
const (
	EffectApplied = "applied"
	EffectInForce = "in_force" // equal to what was in force; changed nothing
)

// operator is a judgement being merged.
type operator struct {
	*step
	row JudgementRow
}

// judgements applies each kind of judgement. They change nothing if they return
// an error.
var judgements = map[command.Kind]func(*operator, any) error{
	command.KindConfirm:    func(o *operator, b any) error { return o.judge(b.(command.Judgement), Confirmed) },
	command.KindContradict: func(o *operator, b any) error { return o.judge(b.(command.Judgement), Contradicted) },
	command.KindSplit:      func(o *operator, b any) error { return o.split(b.(command.Judgement)) },
	command.KindErase:      func(o *operator, b any) error { return o.erase(b.(command.Judgement)) },
	command.KindRival:      func(o *operator, b any) error { return o.declareRivals(b.(command.Rival)) },
}

func (s *State) applyJudgement(e Entry, b *JudgementBody, v fleet.View) (Sweep, error) {
	c := b.Command
	apply, ok := judgements[c.Kind]
	switch {
	case !ok:
		return Sweep{}, reason.New(reason.CommandUnknown, "no judgement about one space")
	case c.Space() != s.Space.Name:
		return Sweep{}, reason.New(reason.SpaceMismatch, "the judgement is for another space")
	case s.commands[b.ID]:
		return Sweep{}, reason.New(reason.Duplicate, "the same judgement was applied before")
	}
	o := &operator{step: s.step(e.Seq, v, string(c.Kind), b.ID.String()), row: JudgementRow{
		ID: b.ID, Kind: c.Kind, Signer: b.Signer, Seq: e.Seq, Time: s.Space.Time, Effect: EffectApplied,
		Envelope: b.signed(),
	}}
	if err := apply(o, c.Body); err != nil {
		return Sweep{}, err
	}
	s.commands[b.ID] = true
	s.changes.plan.Judgements = append(s.changes.plan.Judgements, o.row)
	return o.finish(), nil
}

// content returns the content of a judged record.
func (o *operator) content(j command.Judgement) (*ContentState, error) {
	o.row.Record, o.row.Reason = j.Record, j.Reason
	r := o.records[j.Record]
	if r == nil {
		return nil, reason.New(reason.RecordUnknown, "no such record in the space")
	}
	return o.contents[r.Content], nil
}

// judge confirms or contradicts a content. A judgement equal to the one in force
// is ignored; a reversing one takes back what the other gave (rulings Q13).
func (o *operator) judge(j command.Judgement, v Verdict) error {
	c, err := o.content(j)
	if err != nil {
		return err
	}
	if c.Judgement == v {
		o.row.Effect = EffectInForce
		return nil
	}
	old, it := c.Judgement, o.items[c.Item]
	c.Judgement, c.JudgedSeq, c.JudgedRecord = v, o.seq, j.Record
	o.contentChanged(c)
	o.touch(it)
	supporting := o.supporting(it)
	for _, n := range slices.Sorted(maps.Keys(c.Holders)) {
		o.judgeHolder(c, c.Holders[n], old, supporting[n])
	}
	return nil
}

// supporting returns who stands on an item with a first-hand support.
func (o *operator) supporting(it *Item) map[lineage.Node]bool {
	of := map[lineage.Node]bool{}
	for _, st := range o.stances(it) {
		if st.Side == Support && !st.Echo {
			of[st.Contributor] = true
		}
	}
	return of
}

// judgeHolder moves a holder's share to what the judgement makes of it. Under a
// mask nobody gives or earns evidence (rulings Q14).
func (o *operator) judgeHolder(c *ContentState, h *Holder, old Verdict, supports bool) {
	before, from := *h, h.share(old)
	live := !o.lineage.Masked(h.Contributor, o.seq)
	h.Blamed = c.Judgement == Contradicted && live && supports
	h.Credit = h.Credit && live
	if *h != before {
		o.holderChanged(c, h)
	}
	to := h.share(c.Judgement)
	o.reshare(h.Contributor, h, from, to)
	if to == asConfirmed || to == asBlamed {
		o.judged(h.Contributor, to == asConfirmed)
	}
}

// declareRivals makes two items speak against each other.
func (o *operator) declareRivals(r command.Rival) error {
	o.row.Items, o.row.Reason = [2]record.ItemID{r.Item, r.Other}, r.Reason
	a, b := o.itemIDs[r.Item], o.itemIDs[r.Other]
	if a == nil || b == nil {
		return reason.New(reason.ItemUnknown, "no such item in the space")
	}
	o.changes.plan.Related = append(o.changes.plan.Related, RelatedRow{a.No, b.No, WhyDeclared})
	return nil
}

// erase marks a content as gone: its bytes go wherever they are kept, its hash,
// its numbers and all that was said by it stay.
func (o *operator) erase(j command.Judgement) error {
	c, err := o.content(j)
	if err != nil {
		return err
	}
	if c.Erased {
		o.row.Effect = EffectInForce
		return nil
	}
	c.Erased = true
	o.contentChanged(c)
	for _, r := range o.records {
		if r != nil && r.Content == c.Content {
			r.Erased = true
		}
	}
	o.changes.plan.Erasures = append(o.changes.plan.Erasures, Erasure{c.Content, o.seq})
	return nil
}

// split moves a content and the supports by it to an item of its own, whose id is
// the judged record's. Doubts stay with the item that they were about.
func (o *operator) split(j command.Judgement) error {
	c, err := o.content(j)
	if err != nil {
		return err
	}
	from := o.items[c.Item]
	if from.Content == c.Content {
		return reason.New(reason.AlreadyKnown, "the item is this content's own")
	}
	to := o.newItem(record.ItemID(j.Record), ItemNo(number(o.seq, 1)), c.Content, nil)
	from.Contents = slices.DeleteFunc(from.Contents, func(x *ContentState) bool { return x == c })
	to.Contents = append(to.Contents, c)
	c.Item = to.No
	o.contentChanged(c)
	o.moveSupports(from, to, c.Content)
	for _, r := range o.records {
		if r != nil && r.Content == c.Content {
			r.Item = to.No
		}
	}
	o.changes.plan.Moves = append(o.changes.plan.Moves, Move{c.Content, from.No, to.No})
	o.changes.plan.Related = append(o.changes.plan.Related, RelatedRow{to.No, from.No, WhySplit})
	o.touch(from)
	o.touch(to)
	return nil
}

func (o *operator) moveSupports(from, to *Item, content record.Content) {
	stays := from.Statements[:0:0]
	for _, st := range from.Statements {
		if st.Side != Support || st.Content != content {
			stays = append(stays, st)
			continue
		}
		st.Item = to.No
		marked(&st.mark, &o.changes.plan.ChangedStatements, st)
		to.Statements = append(to.Statements, st)
	}
	from.Statements = stays
}

// judgedRecords are the records that a judgement names.
func judgedRecords(b *JudgementBody) []record.ID {
	if j, ok := b.Command.Body.(command.Judgement); ok {
		return []record.ID{j.Record}
	}
	return nil
}

// rivals are the items that a judgement names.
func rivals(b *JudgementBody) []record.ItemID {
	if r, ok := b.Command.Body.(command.Rival); ok {
		return []record.ItemID{r.Item, r.Other}
	}
	return nil
}
