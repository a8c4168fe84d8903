package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"consilience/internal/testkit"
	"consilience/lineage"
	"consilience/merge"
)

// swept are the numbers of the items that a sweep of contributor 1 feeds back.
func swept(t *testing.T, tx *Tx, chunk int, each func([]*merge.Item) error) (numbers []merge.ItemNo, err error) {
	t.Helper()
	err = tx.Sweep(t.Context(), 1, merge.Sweep{Nodes: []lineage.Node{1}}, chunk, func(items []*merge.Item) error {
		if len(items) > chunk {
			t.Errorf("%d items at once, asked for %d", len(items), chunk)
		}
		for _, it := range items {
			numbers = append(numbers, it.No)
		}
		return each(items)
	})
	return numbers, err
}

func begin(t *testing.T, s *Store) (*Tx, Position) {
	t.Helper()
	tx, at, err := s.Begin(t.Context(), 0, "test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tx.Rollback(context.WithoutCancel(t.Context())) })
	return tx, at
}

func nothing([]*merge.Item) error { return nil }

// A sweep reads ahead on another connection, unless the transaction has rows that
// no other connection sees or there is no connection left; it reads the same.
func TestSweepReadsTheSameAheadAndNot(t *testing.T) {
	s, db := openStore(t)
	write(t, s, newItems(1, 25, 1), newItems(2, 5, 2))
	tx, _ := begin(t, s)
	before := s.pool.Stat().AcquiredConns()
	var busy int32
	ahead, err := swept(t, tx, 10, func([]*merge.Item) error { busy = s.pool.Stat().AcquiredConns() - before; return nil })
	if err != nil || len(ahead) != 25 || !slices.IsSorted(ahead) || busy != 1 {
		t.Fatalf("%d items by %d connections more: %v", len(ahead), busy, err)
	}
	if err := tx.Write(t.Context(), newItems(3, 4, 1)); err != nil {
		t.Fatal(err)
	}
	both, err := swept(t, tx, 10, func([]*merge.Item) error { busy = s.pool.Stat().AcquiredConns() - before; return nil })
	if err != nil || len(both) != 29 || busy != 0 {
		t.Fatalf("after a write, %d items by %d connections more: %v", len(both), busy, err)
	}
	tx.Rollback(t.Context())

	narrow, err := Open(t.Context(), db.URL, Options{MaxConns: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(narrow.Close)
	alone, _ := begin(t, narrow)
	if got, err := swept(t, alone, 10, nothing); err != nil || !slices.Equal(got, ahead) {
		t.Fatalf("without a second connection: %v, %v", got, err)
	}
	alone.Rollback(t.Context())
}

// Of a sweep that fails nothing goes on: the error comes back, and the second
// connection with it.
func TestSweepThatFailsEndsItsReader(t *testing.T) {
	s, _ := openStore(t)
	write(t, s, newItems(1, 50, 1))
	tx, _ := begin(t, s)
	full := errors.New("the disk is full")
	if got, err := swept(t, tx, 10, func([]*merge.Item) error { return full }); err != full || len(got) != 10 {
		t.Errorf("%d items, %v", len(got), err)
	}
	testkit.Eventually(t, patience, "the second connection is given back", func() bool { return s.pool.Stat().AcquiredConns() == 1 })
	if _, err := s.pool.Exec(t.Context(), "ALTER TABLE consilience.statement RENAME TO away"); err == nil {
		t.Cleanup(func() {
			s.pool.Exec(context.WithoutCancel(t.Context()), "ALTER TABLE consilience.away RENAME TO statement")
		})
		if _, err := swept(t, tx, 10, nothing); err == nil {
			t.Error("a table is missing, and the sweep says nothing")
		}
	} else {
		t.Fatal(err)
	}
}

// A wait for the other connection that is longer than the server lets a transaction
// be silent ends neither: each shows that its owner lives.
func TestSweepOutlastsTheIdleLimit(t *testing.T) {
	_, db := openStore(t)
	const limit = 2 * time.Second
	s, err := Open(t.Context(), db.URL, Options{MaxConns: 4, IdleInTransaction: limit})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	write(t, s, newItems(1, 20, 1))
	tx, at := begin(t, s)
	locking, err := pgx.Connect(t.Context(), db.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer locking.Close(context.WithoutCancel(t.Context()))
	if _, err := locking.Exec(t.Context(), "BEGIN; LOCK TABLE consilience.statement"); err != nil {
		t.Fatal(err)
	}
	unlocked := make(chan error, 1)
	go func() { // holds up the reader
		_, err := locking.Exec(t.Context(), fmt.Sprintf("SELECT pg_sleep(%f); COMMIT", 1.5*limit.Seconds()))
		unlocked <- err
	}()
	got, err := swept(t, tx, 10, func([]*merge.Item) error { // holds up the writer
		_, err := tx.tx.Exec(t.Context(), "SELECT pg_sleep($1)", 1.5*limit.Seconds())
		return err
	})
	if err != nil || len(got) != 20 {
		t.Fatalf("%d items, %v", len(got), err)
	}
	if err := <-unlocked; err != nil {
		t.Fatal(err)
	}
	to := at
	to.Seq++
	if err := tx.Commit(t.Context(), at, to); err != nil {
		t.Fatal(err)
	}
}

// What a recomputation looks at is loaded as [Tx.Load] loads it: every statement
// with its record id, and the contents of judged items.
func TestSweepLoadsWhatARecomputationNeeds(t *testing.T) {
	s, _ := openStore(t)
	one, two := newItems(1, 3, 1), newItems(2, 3, 2)
	judged := one.NewItems[1]
	judged.Verdict, one.NewContents[1].Judgement = merge.Confirmed, merge.Confirmed
	for i, st := range two.NewStatements { // contributor 2 supports the same items by records of its own
		st.Item = one.NewItems[i].No
	}
	for i := range two.NewRecords {
		two.NewRecords[i].RecordState.Item = one.NewItems[i].No
		two.NewContents[i].Item = one.NewItems[i].No
	}
	two.NewItems = nil
	write(t, s, one, two)
	tx, _ := begin(t, s)
	items := map[merge.ItemNo]*merge.Item{}
	_, err := swept(t, tx, 10, func(chunk []*merge.Item) error {
		for _, it := range chunk {
			items[it.No] = it
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	whole := merge.NewState(merge.SpaceState{Num: 1, Name: spaceName})
	numbers := make([]int64, 0, len(one.NewItems))
	for _, it := range one.NewItems {
		numbers = append(numbers, int64(it.No))
	}
	loaded, err := loadItems(t.Context(), tx.tx, whole.Space.Num, numbers)
	if err != nil || len(loaded) != len(items) || len(items) != 3 {
		t.Fatalf("%d loaded whole, %d swept, %v", len(loaded), len(items), err)
	}
	for no, want := range loaded {
		got := items[no]
		if len(got.Statements) != 2 || len(want.Statements) != 2 {
			t.Fatalf("item %d has %d statements and %d", no, len(got.Statements), len(want.Statements))
		}
		for i := range want.Statements {
			if got.Statements[i].RecordID != want.Statements[i].RecordID || got.Statements[i].RecordID == [32]byte{} {
				t.Errorf("item %d, statement %d: record %v, want %v", no, i, got.Statements[i].RecordID, want.Statements[i].RecordID)
			}
		}
		if full := no == judged.No; full != (len(got.Contents) == 2) {
			t.Errorf("item %d has %d contents", no, len(got.Contents))
		}
	}
}
