package merge

import (
	"bytes"
	"slices"

	"consilience/fleet"
	"consilience/record"
)

// Digest returns the digest of a complete state. v names its contributors.
func (s *State) Digest(v fleet.View) [32]byte {
	var encoded [][]byte
	for _, l := range s.Lines(v) {
		encoded = append(encoded, EncodeLine(l))
	}
	slices.SortFunc(encoded, bytes.Compare)
	var d Digester
	for _, l := range encoded {
		if err := d.add(l); err != nil {
			panic("merge: a complete state has a line twice")
		}
	}
	return d.Sum()
}

// Lines returns the digest's lines of a complete state, in no order.
func (s *State) Lines(v fleet.View) []Line {
	var lines []Line
	for _, it := range s.items {
		lines = append(lines, s.itemLine(it))
		for _, st := range it.Statements {
			lines = append(lines, statementLine(v, it.ID, st))
		}
	}
	for _, c := range s.contents {
		lines = append(lines, contentLines(v, c)...)
	}
	for n, r := range s.reps {
		lines = append(lines, ReputationLine{
			Contributor: v.ID(n), R0: r.R0, Confirmed: r.Confirmed, Contradicted: r.Contradicted,
			Corroborated: r.Corroborated, Accepted: r.Accepted, Window: r.Window,
			Locks: r.Locks, Left: r.Left, Averages: r.Averages,
		})
	}
	for k, seq := range s.exposures {
		lines = append(lines, ExposureLine{Root: v.ID(k.Root), Kind: k.Content.Kind, Hash: k.Content.Hash, Seq: seq})
	}
	for k := range s.sequences {
		lines = append(lines, SequenceLine{Contributor: v.ID(k.Contributor), Sequence: k.Sequence})
	}
	return lines
}

func (s *State) itemLine(it *Item) ItemLine {
	l := ItemLine{
		ID: it.ID, Founded: it.Founded, Kind: it.Content.Kind, Hash: it.Content.Hash,
		Confidence: it.Confidence, Support: it.Support, Doubt: it.Doubt, Groups: it.Groups,
		Status: it.Status, Verdict: it.Verdict, Head: it.recordID(it.Head),
	}
	if it.Claim != nil {
		l.ClaimKey, l.ClaimValue = it.Claim.Key[:], it.Claim.Value[:]
	}
	return l
}

// recordID returns the id of a record of the item by its number.
func (it *Item) recordID(no RecordNo) record.ID {
	for _, st := range it.Statements {
		if st.Record == no {
			return st.RecordID
		}
	}
	return record.ID(it.ID)
}

func statementLine(v fleet.View, item record.ItemID, st *Statement) StatementLine {
	l := StatementLine{
		Item: item, Contributor: v.ID(st.Contributor), Sequence: st.Sequence, Index: st.Index, Seq: st.Seq,
		Side: st.Side, Value: st.Value, Reputation: st.Reputation, Depth: st.Depth, Proven: st.Proven, Echo: st.Echo,
	}
	if st.Side == Support {
		l.Record, l.Kind, l.Hash = st.RecordID[:], st.Content.Kind, st.Content.Hash[:]
	}
	return l
}

func contentLines(v fleet.View, c *ContentState) []Line {
	var lines []Line
	for _, h := range c.Holders {
		lines = append(lines, holderLine(v, c.Content, h))
	}
	if c.Judgement != Unjudged {
		lines = append(lines, JudgementLine{
			Kind: c.Content.Kind, Hash: c.Content.Hash, Verdict: c.Judgement, Seq: c.JudgedSeq, Record: c.JudgedRecord,
		})
	}
	return lines
}

func holderLine(v fleet.View, c record.Content, h *Holder) HolderLine {
	root, origin := GroupLine(v, h.Group)
	return HolderLine{
		Kind: c.Kind, Hash: c.Hash, Contributor: v.ID(h.Contributor), Root: root, Origin: origin,
		Credit: h.Credit, Corroborated: h.Corroborated, Blamed: h.Blamed,
	}
}
