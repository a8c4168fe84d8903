package postgres

import (
	"context"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"

	"consilience/lineage"
	"consilience/merge"
	"consilience/record"
)

// newItems is the plan of n new texts by one contributor, each an item of its own,
// as a delta of n statements at seq would give it.
func newItems(seq uint64, n int, by lineage.Node) *merge.Plan {
	p := &merge.Plan{Space: merge.SpaceState{Num: 1, Name: spaceName, LastSeq: seq, Time: start, FirstDelta: true, ReputationPolicy: "beta-v1"}}
	for i := range n {
		no := int64(seq)<<merge.NumberBits | int64(i+1)
		r, err := record.New(record.Text, fmt.Appendf(nil, "Remembered at %d, number %d: the gate opens at dawn and closes at dusk.", seq, i), nil, idOf("ann"), seq)
		if err != nil {
			panic(err)
		}
		c := r.Is()
		st := &merge.Statement{Item: merge.ItemNo(no), Contributor: by, Sequence: seq, Index: uint16(i + 1), Seq: seq, Value: 900_000,
			Reputation: 300_000, Record: merge.RecordNo(no), RecordID: r.ID, Content: c, Effective: 270_000}
		it := &merge.Item{No: merge.ItemNo(no), ID: record.ItemID(r.ID), Founded: seq, Content: c, Confidence: 270_000, Support: 270_000,
			Groups: 1, Head: merge.RecordNo(no), Supporters: 1, Created: start, Updated: start, Revision: seq, Statements: []*merge.Statement{st}}
		h := &merge.Holder{Contributor: by, Group: lineage.Group(by), Credit: true}
		cs := &merge.ContentState{Content: c, Item: it.No, FirstGroup: lineage.Group(by), HasFirst: true, Holders: map[lineage.Node]*merge.Holder{by: h}}
		p.NewItems, p.NewContents = append(p.NewItems, it), append(p.NewContents, cs)
		p.NewRecords = append(p.NewRecords, merge.NewRecord{
			RecordState: merge.RecordState{No: merge.RecordNo(no), ID: r.ID, Content: c, Contributor: by, Seq: seq, Item: it.No}, Record: r})
		p.NewStatements, p.NewHolders = append(p.NewStatements, st), append(p.NewHolders, merge.HolderRow{Content: c, Holder: h})
	}
	p.Deltas = []merge.AppliedDelta{{Contributor: by, Sequence: seq, Seq: seq, Envelope: make([]byte, 300)}}
	binary.BigEndian.PutUint64(p.Deltas[0].ID[:], seq)
	return p
}

// write commits plans, one transaction each.
func write(tb testing.TB, s *Store, plans ...*merge.Plan) {
	tb.Helper()
	for _, p := range plans {
		tx, from, err := s.Begin(tb.Context(), 0, "bench")
		if err != nil {
			tb.Fatal(err)
		}
		if err := tx.Write(tb.Context(), p); err != nil {
			tb.Fatal(err)
		}
		to := from
		to.Seq = p.Space.LastSeq
		if err := tx.Commit(tb.Context(), from, to); err != nil {
			tb.Fatal(err)
		}
	}
}

const benchBatch = 500

// BenchmarkWriteNewItems writes batches of new items, five rows each, through
// [Tx.Write] and a commit.
func BenchmarkWriteNewItems(b *testing.B) {
	s, _ := openStore(b)
	seq := uint64(0)
	for b.Loop() {
		b.StopTimer()
		seq++
		p := newItems(seq, benchBatch, 1)
		b.StartTimer()
		write(b, s, p)
	}
	b.ReportMetric(float64(benchBatch*b.N)/b.Elapsed().Seconds(), "items/s")
}

// BenchmarkWriteFloor is what the rows themselves cost: the same five statements
// with their arguments made beforehand, in one transaction without a position.
func BenchmarkWriteFloor(b *testing.B) {
	s, _ := openStore(b)
	seq := uint64(0)
	for b.Loop() {
		b.StopTimer()
		seq++
		w := &writing{plan: newItems(seq, benchBatch, 1), space: 1}
		w.index()
		for _, part := range []func(){w.records, w.items, w.contents, w.statements, w.holders} {
			part()
		}
		b.StartTimer()
		err := pgx.BeginFunc(b.Context(), s.pool, func(tx pgx.Tx) error { return tx.SendBatch(b.Context(), &w.batch).Close() })
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(benchBatch*b.N)/b.Elapsed().Seconds(), "items/s")
}

// BenchmarkSweep masks a contributor with 200000 items among 51 of one lineage: it
// loads every item and writes every item back, with its history.
func BenchmarkSweep(b *testing.B) {
	s, _ := openStore(b)
	nodes := make([]lineage.Node, 51)
	for i := range nodes {
		nodes[i] = lineage.Node(i + 1)
	}
	const items = 200_000
	for seq := uint64(1); seq <= items/4000; seq++ {
		write(b, s, newItems(seq, 4000, nodes[int(seq)%len(nodes)]))
	}
	for b.Loop() {
		n, err := sweepAll(b.Context(), s, nodes)
		if err != nil || n != items {
			b.Fatal(n, err)
		}
	}
	b.ReportMetric(float64(items*b.N)/b.Elapsed().Seconds(), "items/s")
}

// sweepAll quarantines and commits.
func sweepAll(ctx context.Context, s *Store, nodes []lineage.Node) (n int, err error) {
	tx, from, err := s.Begin(ctx, 0, "bench")
	if err != nil {
		return 0, err
	}
	defer tx.Rollback(ctx)
	to := from
	to.Seq++
	err = tx.Sweep(ctx, 1, merge.Sweep{Nodes: nodes, Cause: "quarantine", Seq: to.Seq}, 0, func(items []*merge.Item) error {
		n += len(items)
		p := &merge.Plan{Space: merge.SpaceState{Num: 1, Name: spaceName, LastSeq: to.Seq}, ChangedItems: items}
		for _, it := range items {
			p.ConfidenceHistory = append(p.ConfidenceHistory, merge.ConfidenceChange{Item: it.No, Seq: to.Seq, Before: it.Confidence, Cause: "quarantine", CauseID: "cmd:"})
			it.Status, it.Confidence, it.Revision = merge.Quarantined, 0, to.Seq
			for _, st := range it.Statements {
				st.Counted = merge.Masked
			}
			p.ChangedStatements = append(p.ChangedStatements, it.Statements...)
		}
		return tx.Write(ctx, p)
	})
	if err != nil {
		return n, err
	}
	return n, tx.Commit(ctx, from, to)
}

// BenchmarkEachRecord reads every record of a space with the envelopes of its deltas.
func BenchmarkEachRecord(b *testing.B) {
	w := newWorld(b)
	s, _ := openStore(b)
	w.fill(s, 10)
	const records = 100_000
	for seq := w.seq + 1; seq <= w.seq+records/1000; seq++ {
		write(b, s, newItems(seq, 1000, 1))
	}
	for b.Loop() {
		n := 0
		err := s.EachRecord(b.Context(), spaceName, func(chunk []StoredRecord) error {
			n += len(chunk)
			return nil
		})
		if err != nil || n != records {
			b.Fatal(n, err)
		}
	}
	b.ReportMetric(float64(records*b.N)/b.Elapsed().Seconds(), "records/s")
}
