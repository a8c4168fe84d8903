package postgres

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"consilience/lineage"
	"consilience/merge"
	"consilience/record"
)

// sortedNumbers are the items to load, in the order in which they lie.
func (l *loading) sortedNumbers() []int64 {
	numbers := make([]int64, 0, len(l.numbers))
	for n := range l.numbers {
		numbers = append(numbers, int64(n))
	}
	slices.Sort(numbers)
	return numbers
}

// putItems puts the items and, for every key that led to none, its absence.
func (l *loading) putItems(items map[merge.ItemNo]*merge.Item) {
	for _, it := range items {
		l.into.PutItem(it)
		for _, c := range it.Contents {
			l.into.PutContent(c.Content, c)
		}
	}
	for _, c := range l.need.Contents {
		if _, ok := l.contents[c]; !ok {
			l.into.PutContent(c, nil)
		}
	}
	for _, id := range l.need.Items {
		l.into.PutItemID(id, items[l.ids[id]])
	}
}

// loadItems loads items whole, in one round trip: statements with their record
// ids, contents and holders.
func loadItems(ctx context.Context, tx pgx.Tx, space int32, numbers []int64) (map[merge.ItemNo]*merge.Item, error) {
	a := newAssembly(len(numbers))
	if len(numbers) == 0 {
		return a.items, nil
	}
	whole := slices.Repeat([]bool{true}, len(numbers))
	var b pgx.Batch
	b.Queue(query("load_items"), space, numbers).Query(a.scanItems)
	b.Queue(query("load_statements"), space, numbers, whole).Query(a.scanStatements)
	b.Queue(query("load_holders"), space, numbers).Query(a.scanHolders)
	return a.items, tx.SendBatch(ctx, &b).Close()
}

// assembly puts items together from the rows of four tables.
type assembly struct {
	items    map[merge.ItemNo]*merge.Item
	order    []*merge.Item                 // as they came
	contents map[int64]*merge.ContentState // by number
}

func newAssembly(size int) *assembly {
	return &assembly{items: make(map[merge.ItemNo]*merge.Item, size), contents: map[int64]*merge.ContentState{}}
}

func (a *assembly) scanItems(rows pgx.Rows) error {
	var it merge.Item
	var no, head int64
	var id, hash, key, value []byte
	var kind int16
	fields := []any{&no, &id, &it.Founded, &kind, &hash, &key, &value, &it.Confidence, &it.Support, &it.Doubt, &it.Groups,
		&it.Status, &it.Verdict, &head, &it.Supporters, &it.Doubters, &it.Created, &it.Updated, &it.Revision}
	_, err := pgx.ForEachRow(rows, fields, func() error {
		found := it
		found.No, found.ID, found.Head = merge.ItemNo(no), record.ItemID(id), merge.RecordNo(head)
		found.Content = contentOf(kind, hash)
		if key != nil {
			found.Claim = &merge.ClaimHashes{Key: [32]byte(key), Value: [32]byte(value)}
		}
		a.items[found.No] = &found
		a.order = append(a.order, &found)
		return nil
	})
	return err
}

func (a *assembly) scanStatements(rows pgx.Rows) error {
	var st merge.Statement
	var item, recordNo int64
	var contributor int32
	var id []byte
	var c contentRow
	fields := append([]any{&item, &contributor, &st.Sequence, &st.Index, &st.Seq, &st.Side, &st.Value, &st.Reputation, &st.Depth,
		&st.Proven, &st.Echo, &recordNo, &st.Effective, &st.Counted, &id}, c.fields()...)
	_, err := pgx.ForEachRow(rows, fields, func() error {
		found := st
		found.Item, found.Contributor, found.Record = merge.ItemNo(item), lineage.Node(contributor), merge.RecordNo(recordNo)
		if c.kind != nil {
			found.Content = contentOf(*c.kind, c.hash)
			a.addContent(c)
		}
		it := a.items[found.Item]
		switch {
		case id != nil:
			found.RecordID = record.ID(id)
		case it != nil && recordNo == int64(it.No):
			found.RecordID = record.ID(it.ID)
		}
		if it != nil {
			it.Statements = append(it.Statements, &found)
		}
		return nil
	})
	return err
}

// contentRow is the content of a statement's record; null for a doubt, and where
// the item is not loaded whole.
type contentRow struct {
	no, item, judgedSeq *int64
	kind                *int16
	hash, judgedRecord  []byte
	first, second       *int32
	judgement           *merge.Verdict
	erased              *bool
}

func (c *contentRow) fields() []any {
	return []any{&c.no, &c.item, &c.kind, &c.hash, &c.first, &c.second, &c.judgement, &c.judgedSeq, &c.judgedRecord, &c.erased}
}

// addContent adds a content to its item unless another statement brought it.
func (a *assembly) addContent(c contentRow) {
	if a.contents[*c.no] != nil {
		return
	}
	found := &merge.ContentState{
		Content: contentOf(*c.kind, c.hash), Item: merge.ItemNo(*c.item), Judgement: *c.judgement, JudgedSeq: uint64(*c.judgedSeq),
		Erased: *c.erased, Holders: map[lineage.Node]*merge.Holder{},
	}
	found.FirstGroup, found.HasFirst = group(c.first)
	found.SecondGroup, found.HasSecond = group(c.second)
	copy(found.JudgedRecord[:], c.judgedRecord)
	a.contents[*c.no] = found
	if it := a.items[found.Item]; it != nil {
		it.Contents = append(it.Contents, found)
	}
}

func (a *assembly) scanHolders(rows pgx.Rows) error {
	var h merge.Holder
	var content int64
	var contributor, group int32
	fields := []any{&content, &contributor, &group, &h.Credit, &h.Corroborated, &h.Blamed}
	_, err := pgx.ForEachRow(rows, fields, func() error {
		found := h
		found.Contributor, found.Group = lineage.Node(contributor), lineage.Group(group)
		if c := a.contents[content]; c != nil {
			c.Holders[found.Contributor] = &found
		}
		return nil
	})
	return err
}

func group(number *int32) (lineage.Group, bool) {
	if number == nil {
		return 0, false
	}
	return lineage.Group(*number), true
}
