// Package migrations is the schema of a store in Postgres: numbered steps,
// forward and back, embedded as SQL.
//
// [Migrate] brings a database to a step, [Status] says which steps it has.
// Several workers may start at once: one migrates, the others wait for it. After
// each run the analysts' role is granted what it may read; a user who may not
// create roles gets a [Report] that says so instead of an error.
package migrations

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"consilience/reason"
)

//go:embed *.sql
var files embed.FS

//go:embed analyst.sql
var analyst string

const (
	// Latest asks [Migrate] for the newest step.
	Latest = -1
	// table keeps the steps that a database has, in the schema of the search path.
	table = "consilience_migrations"
	// lockTimeout ends a step that waits for a table which somebody reads: the
	// readers who queue behind it must not wait for long.
	lockTimeout = 10 * time.Second
)

// Report says what a run did.
type Report struct {
	From, To int64    // step before and after, 0 is an empty database
	Notes    []string // what an operator should know, such as a role that could not be made
}

// Step is one step of the schema.
type Step struct {
	Version int64
	Name    string
	Applied bool
	At      time.Time // when it was applied, zero if it was not
}

// Migrate brings the database at url to step to, forward or back; [Latest] is the
// newest. Each step is one transaction. It returns [reason.Unreachable] if the
// database does not answer and [reason.SchemaMismatch] if the database has steps
// that this build does not know, or cannot hold every text.
func Migrate(ctx context.Context, url string, to int64) (Report, error) {
	m, err := open(ctx, url)
	if err != nil {
		return Report{}, err
	}
	defer m.close()
	if m.report.From, err = m.provider.GetDBVersion(ctx); err != nil {
		return m.report, fmt.Errorf("migrations: %w", err)
	}
	if err := m.checkEncoding(ctx); err != nil {
		return m.report, err
	}
	if err := m.run(ctx, to); err != nil {
		return m.report, err
	}
	if m.report.To, err = m.provider.GetDBVersion(ctx); err != nil {
		return m.report, fmt.Errorf("migrations: %w", err)
	}
	return m.report, m.grant(ctx)
}

// Status returns every step, oldest first.
func Status(ctx context.Context, url string) ([]Step, error) {
	m, err := open(ctx, url)
	if err != nil {
		return nil, err
	}
	defer m.close()
	all, err := m.provider.Status(ctx)
	if err != nil {
		return nil, fmt.Errorf("migrations: %w", err)
	}
	steps := make([]Step, len(all))
	for i, s := range all {
		steps[i] = Step{s.Source.Version, s.Source.Path, s.State == goose.StateApplied, s.AppliedAt}
	}
	return steps, nil
}

// Newest is the newest step of this build.
func Newest() int64 {
	names, _ := fs.Glob(files, "0*.sql")
	return int64(len(names))
}

// migrator is one run.
type migrator struct {
	config   *pgx.ConnConfig
	provider *goose.Provider
	report   Report
	close    func()
}

func open(ctx context.Context, url string) (*migrator, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, reason.Wrap(reason.UsageError, errors.New("not a connection URL"), "the database cannot be opened").On("--postgres")
	}
	m := &migrator{config: config}
	config.RuntimeParams["lock_timeout"] = fmt.Sprint(lockTimeout.Milliseconds())
	config.RuntimeParams["application_name"] = "consilience migrate"
	config.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) {
		if n.Severity == "WARNING" {
			m.report.Notes = append(m.report.Notes, n.Message)
		}
	}
	db := stdlib.OpenDB(*config)
	m.close = func() { db.Close() }
	if err := db.PingContext(ctx); err != nil {
		m.close()
		return nil, reason.Wrap(reason.Unreachable, err, "Postgres does not answer").On("--postgres")
	}
	// One at a time; the default of the locker asks again after 5 s only.
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 120), lock.WithUnlockTimeout(1, 10))
	if err != nil {
		return nil, err
	}
	steps, err := fs.Sub(files, ".")
	if err != nil {
		return nil, err
	}
	m.provider, err = goose.NewProvider(goose.DialectPostgres, db, steps,
		goose.WithTableName(table), goose.WithSessionLocker(locker), goose.WithExcludeNames([]string{"analyst.sql"}))
	if err != nil {
		m.close()
		return nil, fmt.Errorf("migrations: %w", err)
	}
	return m, nil
}

// run goes to a step from wherever the database is.
func (m *migrator) run(ctx context.Context, to int64) error {
	if m.report.From > Newest() {
		return reason.New(reason.SchemaMismatch, "the database is at step %d, this build knows %d", m.report.From, Newest()).
			Advise("run a newer build")
	}
	if to == Latest {
		to = Newest()
	}
	if to < 0 || to > Newest() {
		return reason.New(reason.UsageError, "no such step, the newest is %d", Newest()).On("--to")
	}
	move := m.provider.UpTo
	if to < m.report.From {
		move = m.provider.DownTo
	}
	if _, err := move(ctx, to); err != nil {
		return fmt.Errorf("migrations: %w", err)
	}
	return nil
}

// checkEncoding refuses a database whose encoding lacks characters: the first name
// or claim with one would stop its partition for good.
func (m *migrator) checkEncoding(ctx context.Context) error {
	conn, err := pgx.ConnectConfig(ctx, m.config)
	if err != nil {
		return reason.Wrap(reason.Unreachable, err, "Postgres does not answer").On("--postgres")
	}
	defer conn.Close(ctx)
	if encoding := conn.PgConn().ParameterStatus("server_encoding"); encoding != "UTF8" {
		return reason.New(reason.SchemaMismatch, "the database keeps texts as %s, not as UTF8", encoding).On("--postgres").
			Advise("make another: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0")
	}
	return nil
}

// grant gives the analysts' role what it may read.
func (m *migrator) grant(ctx context.Context) error {
	conn, err := pgx.ConnectConfig(ctx, m.config)
	if err != nil {
		return reason.Wrap(reason.Unreachable, err, "Postgres does not answer").On("--postgres")
	}
	defer conn.Close(ctx)
	if _, err := conn.PgConn().Exec(ctx, analyst).ReadAll(); err != nil {
		return fmt.Errorf("migrations: grants of the analysts' role: %w", err)
	}
	return nil
}
