package merge

import (
	"maps"
	"slices"

	"consilience/lineage"
	"consilience/reputation"
)

// share is what a content counts as for one of its holders: exactly one of C, X
// or A, and with A, K if it was corroborated (merge.md "Reputation").
type share uint8

const (
	asAccepted  share = iota // A, and K if corroborated
	asConfirmed              // C
	asBlamed                 // X
	asNothing                // contradicted, and not its fault
)

func (h *Holder) share(v Verdict) share {
	switch {
	case v == Confirmed && h.Credit:
		return asConfirmed
	case v == Contradicted && h.Blamed:
		return asBlamed
	case v == Contradicted:
		return asNothing
	}
	return asAccepted
}

// evidence makes the speaker a holder of a content that it stated first-hand, and
// lets a proven one corroborate the earlier holders of other groups, once each.
func (t *step) evidence(sp speaker, c *ContentState) {
	if c.Holders[sp.node] == nil {
		t.hold(sp, c)
	}
	if !sp.proven || len(c.Holders) == 1 {
		return
	}
	for _, n := range slices.Sorted(maps.Keys(c.Holders)) {
		h := c.Holders[n]
		if n == sp.node || h.Group == sp.group || h.Corroborated {
			continue
		}
		h.Corroborated = true
		t.holderChanged(c, h)
		if h.share(c.Judgement) == asAccepted {
			t.give(n, reputation.Corroborated, 1)
		}
	}
}

// hold makes the speaker a holder. Credit is for the earliest of each of the
// first two groups, and only below the content's first judgement.
func (t *step) hold(sp speaker, c *ContentState) {
	isNew := !(c.HasFirst && c.FirstGroup == sp.group) && !c.HasSecond
	if c.Holders == nil {
		c.Holders = map[lineage.Node]*Holder{}
	}
	h := &Holder{Contributor: sp.node, Group: sp.group, Credit: isNew && c.Judgement == Unjudged}
	c.Holders[sp.node] = h
	made(&h.mark, &t.changes.plan.NewHolders, HolderRow{c.Content, h})
	switch {
	case !c.HasFirst:
		c.FirstGroup, c.HasFirst = sp.group, true
		t.contentChanged(c)
	case isNew:
		c.SecondGroup, c.HasSecond = sp.group, true
		t.contentChanged(c)
	}
	if h.share(c.Judgement) == asAccepted {
		t.give(sp.node, reputation.Accepted, 1)
	}
}

// reshare moves what a content counts as for a holder.
func (t *step) reshare(n lineage.Node, h *Holder, from, to share) {
	if from == to {
		return
	}
	t.shareOut(n, h, from, -1)
	t.shareOut(n, h, to, 1)
}

func (t *step) shareOut(n lineage.Node, h *Holder, as share, times int) {
	switch as {
	case asConfirmed:
		t.give(n, reputation.Confirmed, times)
	case asBlamed:
		t.give(n, reputation.Contradicted, times)
	case asAccepted:
		t.give(n, reputation.Accepted, times)
		if h.Corroborated {
			t.give(n, reputation.Corroborated, times)
		}
	}
}

func (t *step) contentChanged(c *ContentState) {
	marked(&c.mark, &t.changes.plan.ChangedContents, c)
}

func (t *step) holderChanged(c *ContentState, h *Holder) {
	marked(&h.mark, &t.changes.plan.ChangedHolders, HolderRow{c.Content, h})
}
