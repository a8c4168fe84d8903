package local

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"consilience/delta"
	"consilience/identity"
	"consilience/reason"
	"consilience/record"
)

func open(t *testing.T) *Memory {
	t.Helper()
	m, err := Open(filepath.Join(t.TempDir(), "memory.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

func newRecord(t *testing.T, text string, pairs ...record.Pair) record.Record {
	t.Helper()
	r, err := record.New(record.Text, []byte(text), pairs, identity.ID{1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Every statement is one statement that the schema knows, and the driver keeps it
// prepared: it takes a text with something after the semicolon for a script.
func TestStatementsPrepare(t *testing.T) {
	t.Parallel()
	files, err := statements.ReadDir("sql")
	if err != nil {
		t.Fatal(err)
	}
	err = open(t).Update(t.Context(), func(tx *Tx) error {
		for _, f := range files {
			name := strings.TrimSuffix(f.Name(), ".sql")
			if name == "schema" {
				continue
			}
			if _, err := tx.prepare(name); err != nil {
				t.Error(err)
			}
			if strings.Contains(statement(name), ";") {
				t.Errorf("%s is a script", name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A record, its pairs and what refers to it are committed together or not at all
// (N-37, N-38), an identical rewrite is a no-op and another content under the same
// id is refused (N-12).
func TestRecordsAreWriteOnceAndWhole(t *testing.T) {
	t.Parallel()
	m := open(t)
	one := newRecord(t, "one")
	two := newRecord(t, "two", record.Pair{Record: one.ID, Hash: one.ContentHash})
	stop := errors.New("stop")
	err := m.Update(t.Context(), func(tx *Tx) error {
		return errors.Join(tx.AddRecord(one), tx.AddRecord(two), stop)
	})
	if !errors.Is(err, stop) || count(t, m) != 0 {
		t.Fatalf("after a failed transaction there are %d records, %v", count(t, m), err)
	}
	for range 2 { // N-40: a repeated patch leaves one back-reference
		err = m.Update(t.Context(), func(tx *Tx) error { return errors.Join(tx.AddRecord(one), tx.AddRecord(two)) })
		if err != nil {
			t.Fatal(err)
		}
	}
	forged := one
	forged.Content = []byte("won")
	err = m.Update(t.Context(), func(tx *Tx) error { return tx.AddRecord(forged) })
	if reason.Of(err) != reason.RecordExists {
		t.Errorf("another content under the same id: %v", err)
	}
	err = m.Update(t.Context(), func(tx *Tx) error {
		later, err := tx.BackReferences(one.ID, 10)
		if len(later) != 1 || later[0] != two.ID {
			t.Errorf("back-references are %v", later)
		}
		v, err2 := record.Validate(two.ID, tx)
		if v.State != record.Intact {
			t.Errorf("verdict %+v", v)
		}
		return errors.Join(err, err2)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func count(t *testing.T, m *Memory) (n int) {
	t.Helper()
	err := m.Update(context.Background(), func(tx *Tx) error {
		ids, err := tx.RecordIDs()
		n = len(ids)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// An erased content stays erased, and an empty one is not erased.
func TestEmptyIsNotErased(t *testing.T) {
	t.Parallel()
	m := open(t)
	empty, erased := newRecord(t, ""), newRecord(t, "gone")
	erased.Content, erased.Erased = nil, true
	err := m.Update(t.Context(), func(tx *Tx) error {
		if err := errors.Join(tx.AddRecord(empty), tx.AddRecord(erased)); err != nil {
			return err
		}
		a, _, err1 := tx.Get(empty.ID)
		b, _, err2 := tx.Get(erased.ID)
		if a.Erased || !b.Erased {
			t.Errorf("erased: %v, %v", a.Erased, b.Erased)
		}
		return errors.Join(err1, err2)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A sequence number is spent with its transaction and never otherwise, and an
// outcome is kept once.
func TestSequencesAndOutcomes(t *testing.T) {
	t.Parallel()
	m := open(t)
	next := func(fail error) (n uint64) {
		_ = m.Update(t.Context(), func(tx *Tx) (err error) {
			if n, err = tx.NextSequence("plant"); err != nil {
				t.Fatal(err)
			}
			return fail
		})
		return n
	}
	if a, b, c := next(nil), next(errors.New("no")), next(nil); a != 1 || b != 2 || c != 2 {
		t.Errorf("sequences %d, %d, %d", a, b, c)
	}
	err := m.Update(t.Context(), func(tx *Tx) error {
		d := delta.ID{1}
		err := tx.Enqueue("plant", Outgoing{Sequence: 1, Delta: d, Message: []byte{1}})
		first, err1 := tx.Settle(d, "merged", "")
		second, err2 := tx.Settle(d, "duplicate", "")
		if !first || second {
			t.Errorf("settled %v, %v", first, second)
		}
		open, err3 := tx.Unpublished("plant")
		if len(open) != 0 {
			t.Error("a settled message is sent again")
		}
		return errors.Join(err, err1, err2, err3)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A file that a newer build wrote is refused and left as it is; a file that is no
// database is named.
func TestOpenRefusesOtherFiles(t *testing.T) {
	t.Parallel()
	m := open(t)
	path := filepath.Join(t.TempDir(), "newer.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("PRAGMA user_version = 99"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	if _, err := Open(path); reason.Of(err) != reason.SchemaMismatch {
		t.Errorf("a newer file: %v", err)
	}
	text := filepath.Join(t.TempDir(), "text.db")
	if err := os.WriteFile(text, []byte(strings.Repeat("not a database ", 99)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(text); err == nil {
		t.Error("a text file opens")
	}
	if count(t, m) != 0 {
		t.Error("a new memory is not empty")
	}
}
