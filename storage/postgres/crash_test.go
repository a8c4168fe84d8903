package postgres

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"consilience/internal/testkit"
	"consilience/merge"
	"consilience/reason"
	"consilience/record"
)

// Whatever byte of a batch is the last to reach the server, the batch is there
// whole or not at all, and merging goes on from the position (N-37, N-38, N-41).
func TestCutAtAnyByte(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	w := newWorld(t)
	w.randomly(r, 60)
	s, db := openStore(t)
	proxy, url := testkit.PostgresProxy(t, db.URL)
	if err := s.AppendFacts(t.Context(), w.facts); err != nil {
		t.Fatal(err)
	}
	cuts := 0
	for i := 0; ; i++ {
		before, err := s.Position(t.Context(), partitionOf())
		if err != nil {
			t.Fatal(err)
		}
		rest := w.after(before)
		if len(rest) == 0 {
			break
		}
		cut := proxy.CutAtByte(500 + r.Int64N(30_000))
		if i%3 == 2 {
			proxy.CutAtByte(1 << 40) // let some through, or nothing ever gets done
		}
		err = w.through(t, url, before, rest[:min(5, len(rest))])
		select {
		case <-cut:
			cuts++
			if f := Class(err); f != Retry && f != UnknownCommit {
				t.Fatalf("a cut connection is %s: %v", f, err)
			}
		default:
			if err != nil && i%3 == 2 {
				t.Fatal(err)
			}
		}
		w.checkRecords(t, s)
	}
	if cuts < 5 {
		t.Errorf("%d cuts only", cuts)
	}
	w.checkDigest(t, s)
}

// after are the entries above a position.
func (w *world) after(p Position) []merge.Entry {
	rest := w.log
	for len(rest) > 0 && rest[0].Seq <= p.Seq {
		rest = rest[1:]
	}
	return rest
}

// through merges a batch over a connection of its own.
func (w *world) through(t *testing.T, url string, from Position, entries []merge.Entry) error {
	s, err := Open(t.Context(), url, Options{MaxConns: 1})
	if err != nil {
		return fmt.Errorf("open: %w", unwrapped(err))
	}
	defer s.Close()
	// The server may still be ending the transaction of the connection cut before.
	testkit.Eventually(t, patience, "the partition to be free", func() bool {
		_, err = w.batch(t.Context(), s, from, entries)
		return reason.Of(err) != reason.PartitionHeld
	})
	return err
}

// unwrapped is the cause of a refusal.
func unwrapped(err error) error {
	if r, ok := err.(*reason.Error); ok && r.Err != nil {
		return r.Err
	}
	return err
}

func (w *world) checkDigest(t *testing.T, s *Store) {
	t.Helper()
	got, _, err := s.Digest(t.Context(), spaceName)
	if err != nil {
		t.Fatal(err)
	}
	if want := w.digest(); got != want {
		t.Errorf("digest %x, in memory %x", got, want)
	}
}

// checkRecords requires that every record that is there is there whole: its
// forward part has its id, its content the hash that it states, and what its pairs
// name is there too.
func (w *world) checkRecords(t *testing.T, s *Store) {
	t.Helper()
	hashes := map[record.ID]record.Hash{}
	err := s.EachRecord(t.Context(), spaceName, func(chunk []StoredRecord) error {
		for _, stored := range chunk {
			r, err := record.DecodeForward(stored.Record.Forward)
			if err != nil || r.ID != stored.Record.ID {
				t.Errorf("a record without its forward part: %v", err)
			}
			if !stored.Record.Erased && record.HashOf(stored.Record.Content) != r.ContentHash {
				t.Error("a record without its content")
			}
			for _, p := range r.Pairs {
				if hashes[p.Record] != p.Hash {
					t.Error("a record whose pair names none")
				}
			}
			if stored.Envelope == nil {
				t.Error("a record without the envelope that signs it")
			}
			hashes[r.ID] = r.ContentHash
		}
		return nil
	})
	if err != nil && reason.Of(err) != reason.SpaceUnknown {
		t.Fatal(err)
	}
}

// A commit whose answer is lost has happened; one that never arrived has not. The
// position tells them apart.
func TestUnknownCommit(t *testing.T) {
	for name, happened := range map[string]bool{"answer lost": true, "never arrived": false} {
		t.Run(name, func(t *testing.T) {
			w := story(t)
			s, db := openStore(t)
			if err := s.AppendFacts(t.Context(), w.facts); err != nil {
				t.Fatal(err)
			}
			proxy, url := testkit.PostgresProxy(t, db.URL)
			if happened {
				proxy.CutAfter("commit")
			} else {
				proxy.CutBefore("commit")
			}
			err := w.through(t, url, Position{Partition: partitionOf()}, w.log)
			if f := Class(err); f != UnknownCommit {
				t.Fatalf("a lost commit is %s: %v", f, err)
			}
			p, err := s.Position(t.Context(), partitionOf())
			if err != nil || (p.Seq != 0) != happened {
				t.Fatalf("position %d, commit happened %v: %v", p.Seq, happened, err)
			}
			testkit.Eventually(t, patience, "the server to notice the cut", func() bool {
				tx, _, err := s.Begin(t.Context(), partitionOf(), "next")
				if err == nil {
					tx.Rollback(t.Context())
				}
				return err == nil
			})
			w.fill(s, 1000)
			w.checkDigest(t, s)
		})
	}
}

// Writing a plan twice, in one transaction or in two, leaves what writing it once
// does; back-references are keyed by their two records (N-40).
func TestWriteTwice(t *testing.T) {
	w := newWorld(t)
	w.randomly(rand.New(rand.NewPCG(3, 3)), 80)
	s, db := openStore(t)
	if err := s.AppendFacts(t.Context(), w.facts); err != nil {
		t.Fatal(err)
	}
	tx, from, err := s.Begin(t.Context(), partitionOf(), "w")
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(t.Context())
	plan := w.memory.Drain()
	for range 2 {
		if err := tx.Write(t.Context(), plan); err != nil {
			t.Fatal(err)
		}
	}
	if err := tx.Commit(t.Context(), from, Position{Partition: from.Partition, Seq: w.seq}); err != nil {
		t.Fatal(err)
	}
	w.checkDigest(t, s)
	var rows, pairs int
	err = db.Pool.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM consilience.back_reference),
		(SELECT count(*) FROM (SELECT DISTINCT record_id, unnest(refs) FROM memory.records) p)`).Scan(&rows, &pairs)
	if err != nil || rows != pairs || rows == 0 {
		t.Errorf("%d back-references for %d pairs: %v", rows, pairs, err)
	}
}

// A partition has one writer; whoever was overtaken does not commit.
func TestOneWriter(t *testing.T) {
	s, db := openStore(t)
	alive, _, err := s.Begin(t.Context(), 3, "alive")
	if err != nil {
		t.Fatal(err)
	}
	defer alive.Rollback(t.Context())
	if _, _, err := s.Begin(t.Context(), 3, "other"); reason.Of(err) != reason.PartitionHeld {
		t.Fatalf("a second writer got %v", err)
	}
	tx, _, err := s.Begin(t.Context(), 4, "other")
	if err != nil {
		t.Fatalf("another partition is held too: %v", err)
	}
	tx.Rollback(t.Context())
	alive.Rollback(t.Context())

	silent, err := Open(t.Context(), db.URL, Options{MaxConns: 2, IdleInTransaction: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(silent.Close)
	paused, from, err := silent.Begin(t.Context(), 3, "paused")
	if err != nil {
		t.Fatal(err)
	}
	defer paused.Rollback(t.Context())
	testkit.Eventually(t, patience, "the server to end the silent transaction", func() bool {
		tx, _, err = s.Begin(t.Context(), 3, "other")
		return err == nil
	})
	defer tx.Rollback(t.Context())
	to := Position{Partition: 3, Seq: 9, Hash: [32]byte{9}}
	if err := tx.Commit(t.Context(), from, to); err != nil {
		t.Fatal(err)
	}
	if err := paused.Commit(t.Context(), from, to); Class(err) != Retry {
		t.Errorf("the overtaken writer got %v", err)
	}
	again, _, err := s.Begin(t.Context(), 3, "late")
	if err != nil {
		t.Fatal(err)
	}
	defer again.Rollback(t.Context())
	if err := again.Commit(t.Context(), from, to); reason.Of(err) != reason.PartitionHeld {
		t.Errorf("a position that moved was moved again: %v", err)
	}
}
