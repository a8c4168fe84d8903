package postgres

import (
	"consilience/merge"
)

func (w *writing) contents() {
	queue(w, "insert_contents", judged(columnsOf(w.plan.NewContents, w.space)).
		bigs(func(c *merge.ContentState) int64 { return int64(w.numbers[c.Content]) }))
	queue(w, "update_contents", judged(columnsOf(w.plan.ChangedContents, w.space)))
}

// judged are the columns of a content: its key, and what later entries change.
func judged(t *table[*merge.ContentState]) *table[*merge.ContentState] {
	return t.
		smalls(func(c *merge.ContentState) int16 { return int16(c.Content.Kind) }).
		bytes(func(c *merge.ContentState) []byte { return c.Content.Hash[:] }).
		bigs(func(c *merge.ContentState) int64 { return int64(c.Item) }).
		bools(func(c *merge.ContentState) bool { return c.HasFirst }).
		ints(func(c *merge.ContentState) int32 { return int32(c.FirstGroup) }).
		bools(func(c *merge.ContentState) bool { return c.HasSecond }).
		ints(func(c *merge.ContentState) int32 { return int32(c.SecondGroup) }).
		smalls(func(c *merge.ContentState) int16 { return int16(c.Judgement) }).
		bigs(func(c *merge.ContentState) int64 { return int64(c.JudgedSeq) }).
		bytes(func(c *merge.ContentState) []byte { return orNull(c.JudgedRecord) }).
		bools(func(c *merge.ContentState) bool { return c.Erased })
}

// orNull is an id as bytes, nil for the zero id.
func orNull[ID ~[32]byte](id ID) []byte {
	if id == (ID{}) {
		return nil
	}
	return id[:]
}

func (w *writing) holders() {
	var fresh, known []merge.HolderRow // of contents that the plan makes, and of others
	for _, h := range w.plan.NewHolders {
		if _, ok := w.numbers[h.Content]; ok {
			fresh = append(fresh, h)
		} else {
			known = append(known, h)
		}
	}
	queue(w, "insert_first_holders", flags(columnsOf(fresh, w.space).
		bigs(func(h merge.HolderRow) int64 { return int64(w.numbers[h.Content]) })))
	queue(w, "insert_holders", flags(byContent(known, w.space)))
	queue(w, "update_holders", flags(byContent(w.plan.ChangedHolders, w.space)))
}

// byContent are the columns by which a holder's content is found.
func byContent(rows []merge.HolderRow, space int32) *table[merge.HolderRow] {
	return columnsOf(rows, space).
		smalls(func(h merge.HolderRow) int16 { return int16(h.Content.Kind) }).
		bytes(func(h merge.HolderRow) []byte { return h.Content.Hash[:] })
}

// flags are the columns of a holder after its content.
func flags(t *table[merge.HolderRow]) *table[merge.HolderRow] {
	return t.
		ints(func(h merge.HolderRow) int32 { return int32(h.Contributor) }).
		ints(func(h merge.HolderRow) int32 { return int32(h.Group) }).
		bools(func(h merge.HolderRow) bool { return h.Credit }).
		bools(func(h merge.HolderRow) bool { return h.Corroborated }).
		bools(func(h merge.HolderRow) bool { return h.Blamed })
}

func (w *writing) statements() {
	queue(w, "insert_statements", derived(columnsOf(w.plan.NewStatements, w.space)).
		bigs(func(s *merge.Statement) int64 { return int64(s.Seq) }).
		smalls(func(s *merge.Statement) int16 { return int16(s.Side) }).
		ints(func(s *merge.Statement) int32 { return int32(s.Value) }).
		ints(func(s *merge.Statement) int32 { return int32(s.Reputation) }).
		smalls(func(s *merge.Statement) int16 { return int16(s.Depth) }).
		bools(func(s *merge.Statement) bool { return s.Proven }).
		bools(func(s *merge.Statement) bool { return s.Echo }).
		bigs(func(s *merge.Statement) int64 { return int64(s.Record) }))
	var changed []*merge.Statement
	for _, s := range w.plan.ChangedStatements {
		// That a quarantine masks a statement follows from the quarantine and is
		// not kept with it: masking a contributor must not cost a row for each of
		// its statements.
		if s.Counted != merge.Masked {
			changed = append(changed, s)
		}
	}
	queue(w, "update_statements", derived(columnsOf(changed, w.space)))
}

// derived are the key of a statement and the columns that a recomputation changes.
func derived(t *table[*merge.Statement]) *table[*merge.Statement] {
	return t.
		bigs(func(s *merge.Statement) int64 { return int64(s.Item) }).
		ints(func(s *merge.Statement) int32 { return int32(s.Contributor) }).
		bigs(func(s *merge.Statement) int64 { return int64(s.Sequence) }).
		smalls(func(s *merge.Statement) int16 { return int16(s.Index) }).
		ints(func(s *merge.Statement) int32 { return int32(s.Effective) }).
		smalls(func(s *merge.Statement) int16 { return int16(s.Counted) })
}

// moves takes the records and statements of split contents to their new item. It
// comes before nothing that reads them and after all that inserts them.
func (w *writing) moves() {
	moves := columnsOf(w.plan.Moves, w.space).
		smalls(func(m merge.Move) int16 { return int16(m.Content.Kind) }).
		bytes(func(m merge.Move) []byte { return m.Content.Hash[:] }).
		bigs(func(m merge.Move) int64 { return int64(m.From) }).
		bigs(func(m merge.Move) int64 { return int64(m.To) })
	queue(w, "move_statements", moves)
	queue(w, "move_records", moves)
}

func (w *writing) reputations() {
	queue(w, "write_reputations", columnsOf(w.plan.Reputations, w.space).
		ints(func(r merge.ReputationRow) int32 { return nodeNumber(r.Contributor) }).
		ints(func(r merge.ReputationRow) int32 { return int32(r.Record.R0) }).
		ints(func(r merge.ReputationRow) int32 { return int32(r.Record.Confirmed) }).
		ints(func(r merge.ReputationRow) int32 { return int32(r.Record.Contradicted) }).
		ints(func(r merge.ReputationRow) int32 { return int32(r.Record.Corroborated) }).
		ints(func(r merge.ReputationRow) int32 { return int32(r.Record.Accepted) }).
		texts(func(r merge.ReputationRow) string { return windowText(r.Record.Window) }).
		ints(func(r merge.ReputationRow) int32 { return int32(r.Record.Locks) }).
		ints(func(r merge.ReputationRow) int32 { return int32(r.Record.Left) }).
		ints(func(r merge.ReputationRow) int32 { return int32(r.Record.Averages[0]) }).
		ints(func(r merge.ReputationRow) int32 { return int32(r.Record.Averages[1]) }).
		ints(func(r merge.ReputationRow) int32 { return int32(r.Record.Averages[2]) }).
		ints(func(r merge.ReputationRow) int32 { return int32(r.Own) }).
		bools(func(r merge.ReputationRow) bool { return r.Proven }))
}

// windowText is a row's window as an array literal: arrays of arrays have to be
// rectangular, and windows differ in length.
func windowText(window []bool) string {
	text := []byte("{")
	for i, confirmed := range window {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, "ft"[b2i(confirmed)])
	}
	return string(append(text, '}'))
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
