package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"consilience/command"
	"consilience/delta"
	"consilience/lineage"
	"consilience/merge"
	"consilience/record"
	"consilience/reputation"
)

// Space returns the state of a space, made new if the store has none yet.
func (t *Tx) Space(ctx context.Context, num int32, name string) (merge.SpaceState, error) {
	s := merge.SpaceState{Num: num, Name: name}
	rows, err := t.tx.Query(ctx, query("space_state"), num)
	if err != nil {
		return s, err
	}
	_, err = pgx.ForEachRow(rows, []any{&s.LastSeq, &s.Time, &s.FirstDelta, &s.ReputationPolicy}, func() error { return nil })
	return s, err
}

// Load puts what is needed into the working set: what the store has, and the mark
// of absence for what it has not. It takes one round trip for what is looked up
// by key, and one more if that led to items.
func (t *Tx) Load(ctx context.Context, space int32, need merge.Need, into *merge.State) error {
	l := &loading{space: space, need: need, into: into, numbers: map[merge.ItemNo]bool{}}
	if err := l.lookUp(ctx, t.tx); err != nil {
		return err
	}
	items, err := loadItems(ctx, t.tx, space, l.sortedNumbers())
	if err != nil {
		return err
	}
	l.putItems(items)
	return nil
}

// loading is one Load: which items the look-ups led to, and by what.
type loading struct {
	space    int32
	need     merge.Need
	into     *merge.State
	numbers  map[merge.ItemNo]bool
	contents map[record.Content]merge.ItemNo
	ids      map[record.ItemID]merge.ItemNo
}

// lookUp sends every look-up by key in one batch.
func (l *loading) lookUp(ctx context.Context, tx pgx.Tx) error {
	var b pgx.Batch
	for _, n := range l.need.ItemNos {
		l.numbers[n] = true
	}
	l.queueContents(&b)
	l.queueItemIDs(&b)
	l.queueRecords(&b)
	l.queueReputations(&b)
	l.queueSequences(&b)
	l.queueSlices(&b)
	l.queueExposures(&b)
	l.queueCommands(&b)
	if b.Len() == 0 {
		return nil
	}
	return tx.SendBatch(ctx, &b).Close()
}

func (l *loading) queueContents(b *pgx.Batch) {
	l.contents = make(map[record.Content]merge.ItemNo, len(l.need.Contents))
	if len(l.need.Contents) == 0 {
		return
	}
	args := columnsOf(l.need.Contents, l.space).
		smalls(func(c record.Content) int16 { return int16(c.Kind) }).
		bytes(func(c record.Content) []byte { return c.Hash[:] }).args
	b.Queue(query("load_contents_by_hash"), args...).Query(func(rows pgx.Rows) error {
		var kind int16
		var hash []byte
		var item int64
		_, err := pgx.ForEachRow(rows, []any{&kind, &hash, &item}, func() error {
			l.contents[contentOf(kind, hash)] = merge.ItemNo(item)
			l.numbers[merge.ItemNo(item)] = true
			return nil
		})
		return err
	})
}

func (l *loading) queueItemIDs(b *pgx.Batch) {
	l.ids = make(map[record.ItemID]merge.ItemNo, len(l.need.Items))
	if len(l.need.Items) == 0 {
		return
	}
	args := columnsOf(l.need.Items, l.space).texts(record.ItemID.String).args
	b.Queue(query("load_items_by_id"), args...).Query(func(rows pgx.Rows) error {
		var id []byte
		var item int64
		_, err := pgx.ForEachRow(rows, []any{&id, &item}, func() error {
			l.ids[record.ItemID(id)] = merge.ItemNo(item)
			l.numbers[merge.ItemNo(item)] = true
			return nil
		})
		return err
	})
}

func (l *loading) queueRecords(b *pgx.Batch) {
	if len(l.need.Records) == 0 {
		return
	}
	args := columnsOf(l.need.Records, l.space).texts(record.ID.String).args
	b.Queue(query("load_records"), args...).Query(func(rows pgx.Rows) error {
		var r merge.RecordState
		var id, hash []byte
		var kind int16
		var no, item int64
		var contributor int32
		fields := []any{&no, &id, &kind, &hash, &contributor, &r.Seq, &item, &r.Tainted, &r.Erased}
		_, err := pgx.ForEachRow(rows, fields, func() error {
			found := r
			found.No, found.ID, found.Content = merge.RecordNo(no), record.ID(id), contentOf(kind, hash)
			found.Contributor, found.Item = lineage.Node(contributor), merge.ItemNo(item)
			l.into.PutRecord(found.ID, &found)
			return nil
		})
		for _, id := range l.need.Records {
			l.into.PutRecord(id, nil) // no effect on those that were found
		}
		return err
	})
}

func (l *loading) queueReputations(b *pgx.Batch) {
	if len(l.need.Reputations) == 0 {
		return
	}
	args := columnsOf(l.need.Reputations, l.space).ints(nodeNumber).args
	b.Queue(query("load_reputations"), args...).Query(func(rows pgx.Rows) error {
		var n int32
		var r reputation.Record
		var averages []int32
		fields := []any{&n, &r.R0, &r.Confirmed, &r.Contradicted, &r.Corroborated, &r.Accepted, &r.Window, &r.Locks, &r.Left, &averages}
		_, err := pgx.ForEachRow(rows, fields, func() error {
			found := r.Clone()
			for i := range found.Averages {
				found.Averages[i] = uint32(averages[i])
			}
			l.into.PutReputation(lineage.Node(n), &found)
			return nil
		})
		for _, n := range l.need.Reputations {
			l.into.PutReputation(n, nil)
		}
		return err
	})
}

func (l *loading) queueSequences(b *pgx.Batch) {
	if len(l.need.Sequences) == 0 {
		return
	}
	args := columnsOf(l.need.Sequences, l.space).
		ints(func(k merge.SequenceKey) int32 { return int32(k.Contributor) }).
		bigs(func(k merge.SequenceKey) int64 { return int64(k.Sequence) }).args
	b.Queue(query("load_sequences"), args...).Query(func(rows pgx.Rows) error {
		var n int32
		var sequence uint64
		var highest uint64
		var id []byte
		_, err := pgx.ForEachRow(rows, []any{&n, &sequence, &id, &highest}, func() error {
			var used *delta.ID
			if id != nil {
				used = (*delta.ID)(append([]byte(nil), id...))
			}
			l.into.PutSequence(merge.SequenceKey{Contributor: lineage.Node(n), Sequence: sequence}, used)
			l.into.PutHighest(lineage.Node(n), highest)
			return nil
		})
		return err
	})
}

func (l *loading) queueSlices(b *pgx.Batch) {
	if len(l.need.Slices) == 0 {
		return
	}
	args := columnsOf(l.need.Slices, l.space).bytes(func(k merge.SliceKey) []byte { return k[:] }).args
	b.Queue(query("load_slices"), args...).Query(func(rows pgx.Rows) error {
		var digest []byte
		var n int32
		var s merge.IssuedSlice
		_, err := pgx.ForEachRow(rows, []any{&digest, &n, &s.Revision, &s.Seq}, func() error {
			found := s
			found.Digest, found.Contributor = merge.SliceKey(digest), lineage.Node(n)
			l.into.PutSlice(found.Digest, &found)
			return nil
		})
		for _, k := range l.need.Slices {
			l.into.PutSlice(k, nil)
		}
		return err
	})
}

func (l *loading) queueExposures(b *pgx.Batch) {
	if len(l.need.Exposures) == 0 {
		return
	}
	args := columnsOf(l.need.Exposures, l.space).
		ints(func(k merge.ExposureKey) int32 { return int32(k.Root) }).
		smalls(func(k merge.ExposureKey) int16 { return int16(k.Content.Kind) }).
		bytes(func(k merge.ExposureKey) []byte { return k.Content.Hash[:] }).args
	b.Queue(query("load_exposures"), args...).Query(func(rows pgx.Rows) error {
		var root int32
		var kind int16
		var hash []byte
		var seq uint64
		_, err := pgx.ForEachRow(rows, []any{&root, &kind, &hash, &seq}, func() error {
			l.into.PutExposure(merge.ExposureKey{Root: lineage.Node(root), Content: contentOf(kind, hash)}, seq, true)
			return nil
		})
		for _, k := range l.need.Exposures {
			l.into.PutExposure(k, 0, false)
		}
		return err
	})
}

func (l *loading) queueCommands(b *pgx.Batch) {
	if len(l.need.Commands) == 0 {
		return
	}
	args := columnsOf(l.need.Commands, l.space).bytes(func(id command.ID) []byte { return id[:] }).args
	b.Queue(query("load_commands"), args...).Query(func(rows pgx.Rows) error {
		var id []byte
		_, err := pgx.ForEachRow(rows, []any{&id}, func() error {
			l.into.PutCommand(command.ID(id), true)
			return nil
		})
		for _, id := range l.need.Commands {
			l.into.PutCommand(id, false)
		}
		return err
	})
}

func contentOf(kind int16, hash []byte) record.Content {
	return record.Content{Kind: record.Kind(kind), Hash: record.Hash(hash)}
}

func nodeNumber(n lineage.Node) int32 { return int32(n) }
