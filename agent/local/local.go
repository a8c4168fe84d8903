// Package local is a contributor's own memory: one SQLite file.
//
// It keeps records write-once, the changes that the local state holds beyond the
// slices it came from, the signed messages of the outbox, and the slices. It
// decides nothing about them; package agent does. The tour: [Open] a [Memory],
// then read and write through a [Tx], which commits whole or not at all, so that
// a record is never there without its pairs (N-37, N-38). Every statement is a
// file in sql/.
package local

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"consilience/reason"
)

//go:embed sql/*.sql
var statements embed.FS

// schemaVersion is the PRAGMA user_version of the schema in sql/schema.sql.
const schemaVersion = 1

// Memory is an open local memory. Its methods may be called from several
// goroutines, and several processes may have the file open: transactions queue.
type Memory struct{ db *sql.DB }

// Open opens the local memory at path and makes it, mode 0600, if there is none
// (N-67). It returns [reason.SchemaMismatch] for a file that a newer build wrote.
func Open(path string) (*Memory, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, reason.Wrap(reason.NotFound, err, "local memory does not open").On(path)
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", dsn(path))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	m := &Memory{db: db}
	if err := m.migrate(); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return m, nil
}

// dsn sets what durability needs: a committed transaction survives a power cut
// (synchronous FULL under WAL), and a writer takes the lock when it begins, so
// that it never fails halfway for another writer.
func dsn(path string) string {
	v := url.Values{"_txlock": {"immediate"}, "_pragma": {
		"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)",
	}}
	return (&url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: v.Encode()}).String()
}

func (m *Memory) migrate() error {
	var version int
	if err := m.db.QueryRow("PRAGMA user_version").Scan(&version); err == nil && version == schemaVersion {
		return nil
	}
	return m.Update(context.Background(), func(tx *Tx) error {
		var version int
		if err := tx.tx.QueryRow("PRAGMA user_version").Scan(&version); err != nil {
			return reason.Wrap(reason.SchemaMismatch, err, "not a local memory")
		}
		switch {
		case version == schemaVersion:
			return nil
		case version != 0:
			return reason.New(reason.SchemaMismatch, "local memory has schema %d, this build knows %d", version, schemaVersion).
				Advise("use the build that wrote it, or a newer one")
		}
		if _, err := tx.tx.Exec(statement("schema")); err != nil {
			return err
		}
		_, err := tx.tx.Exec(fmt.Sprintf("PRAGMA user_version = %d", schemaVersion))
		return err
	})
}

// Close closes the file.
func (m *Memory) Close() error { return m.db.Close() }

// Update runs f in a transaction. It commits if f returns nil and else leaves
// everything as it was.
func (m *Memory) Update(ctx context.Context, f func(*Tx) error) error {
	sqlTx, err := m.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer sqlTx.Rollback() //nolint:errcheck // no effect after a commit
	tx := &Tx{ctx: ctx, tx: sqlTx, prepared: map[string]*sql.Stmt{}}
	if err := f(tx); err != nil {
		return err
	}
	return sqlTx.Commit()
}

// Tx is a transaction on a local memory. It is used by one goroutine.
type Tx struct {
	ctx      context.Context
	tx       *sql.Tx
	prepared map[string]*sql.Stmt
}

// statement is the text of sql/name.sql. It ends without a line end or semicolon:
// the driver takes a text with anything after the semicolon for a script and
// prepares it anew at every use, which made an import ten times as slow.
func statement(name string) string {
	b, err := statements.ReadFile("sql/" + name + ".sql")
	if err != nil {
		panic("local: " + err.Error())
	}
	return strings.TrimRight(string(b), "; \n")
}

// prepare prepares a statement once for the transaction, which closes it.
func (t *Tx) prepare(name string) (*sql.Stmt, error) {
	if s, ok := t.prepared[name]; ok {
		return s, nil
	}
	s, err := t.tx.PrepareContext(t.ctx, statement(name))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	t.prepared[name] = s
	return s, nil
}

// exec runs a statement and returns the rowid of the row it inserted, if it did,
// and the number of rows it changed.
func (t *Tx) exec(name string, args ...any) (rowid, changed int64, err error) {
	s, err := t.prepare(name)
	if err != nil {
		return 0, 0, err
	}
	r, err := s.ExecContext(t.ctx, args...)
	if err != nil {
		return 0, 0, fmt.Errorf("%s: %w", name, err)
	}
	rowid, _ = r.LastInsertId()
	changed, _ = r.RowsAffected()
	return rowid, changed, nil
}

// row runs a statement of at most one row into dest and reports whether there
// was one.
func (t *Tx) row(name string, args []any, dest ...any) (bool, error) {
	s, err := t.prepare(name)
	if err != nil {
		return false, err
	}
	err = s.QueryRowContext(t.ctx, args...).Scan(dest...)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("%s: %w", name, err)
	}
	return true, nil
}

// rows runs a statement and collects what scan makes of each row.
func rows[T any](t *Tx, name string, args []any, scan func(*sql.Rows) (T, error)) ([]T, error) {
	s, err := t.prepare(name)
	if err != nil {
		return nil, err
	}
	found, err := s.QueryContext(t.ctx, args...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	defer found.Close()
	var out []T
	for found.Next() {
		v, err := scan(found)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out = append(out, v)
	}
	return out, found.Err()
}

// id reads a 32-byte column; another length is a damaged file.
func id(b []byte) ([32]byte, error) {
	if len(b) != 32 {
		return [32]byte{}, reason.New(reason.Tampered, "an id in the local memory has %d bytes", len(b)).
			Advise("run contributor verify")
	}
	return [32]byte(b), nil
}

// read reads a 32-byte column into dest.
func read[T ~[32]byte](b []byte, dest *T) error {
	x, err := id(b)
	*dest = T(x)
	return err
}
