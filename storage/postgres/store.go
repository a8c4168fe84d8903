// Package postgres keeps the state of a store in Postgres.
//
// The tour: [Open] gives a [Store]. [Store.Begin] opens the transaction of one
// batch of one partition; inside it [Tx.Load] fills a working set of package
// merge, [Tx.Write] writes its plan, [Tx.Sweep] feeds back what a lock or a
// quarantine touches, and [Tx.Commit] moves the partition's position as the last
// statement. Everything else reads: slices, records, outcomes, digests.
//
// Exactly-once rests on two things only: the lock on the position row, taken
// first, and its compare-and-set, made last. Owner and heartbeat are a hint that
// saves work (worker.go).
//
// Each statement is a file of its own in sql, named for what it does, and takes
// whole columns as arrays: a batch costs as many round trips as it has kinds of
// rows, not as it has rows. The schema is package migrations.
package postgres

import (
	"context"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"consilience/migrations"
	"consilience/reason"
)

// Default settings, see [Options].
const (
	DefaultMaxConns          = 24
	DefaultIdleInTransaction = 5 * time.Second
	DefaultLockTimeout       = 5 * time.Second
)

// Options are the settings of a store. The zero value is fit for production.
type Options struct {
	// MaxConns is the largest number of connections: one for each partition that
	// is being merged, and some for readers. Defaults to [DefaultMaxConns].
	MaxConns int32
	// IdleInTransaction ends a transaction whose owner fell silent, so that a
	// paused worker holds no partition. Defaults to [DefaultIdleInTransaction].
	IdleInTransaction time.Duration
	// LockTimeout ends a statement that waits for a lock. Defaults to
	// [DefaultLockTimeout].
	LockTimeout time.Duration
}

// Store is the state of all spaces in one database. It is safe for concurrent use.
type Store struct {
	pool *pgxpool.Pool
	beat time.Duration // well within [Options.IdleInTransaction]
	warm atomic.Bool   // see [Store.WarmRecalls]
}

// Open connects to the database at url and checks its schema. It returns
// [reason.Unreachable], or [reason.SchemaMismatch] if the schema is not the one
// of this build.
func Open(ctx context.Context, url string, o Options) (*Store, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, reason.New(reason.UsageError, "not a connection URL").On("--postgres")
	}
	o = o.withDefaults()
	config.MaxConns = o.MaxConns
	config.PingTimeout = 5 * time.Second
	for name, value := range o.parameters() {
		config.ConnConfig.RuntimeParams[name] = value
	}
	s := &Store{beat: o.IdleInTransaction / 5}
	config.AfterConnect = s.warmUp
	if s.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return nil, reason.Wrap(reason.Unreachable, err, "Postgres does not answer").On("--postgres")
	}
	if err := s.checkSchema(ctx); err != nil {
		s.pool.Close()
		return nil, err
	}
	return s, nil
}

func (o Options) withDefaults() Options {
	if o.MaxConns == 0 {
		o.MaxConns = DefaultMaxConns
	}
	if o.IdleInTransaction == 0 {
		o.IdleInTransaction = DefaultIdleInTransaction
	}
	if o.LockTimeout == 0 {
		o.LockTimeout = DefaultLockTimeout
	}
	return o
}

// parameters are settings of every connection. The planner's are there because
// every statement of a batch is a look-up by key: a plan that was made while a
// table was empty must not stay a scan when it is not.
func (o Options) parameters() map[string]string {
	return map[string]string{
		"application_name":                    "consilience",
		"idle_in_transaction_session_timeout": milliseconds(o.IdleInTransaction),
		"lock_timeout":                        milliseconds(o.LockTimeout),
		"plan_cache_mode":                     "force_generic_plan",
		"enable_seqscan":                      "off",
		"enable_hashjoin":                     "off",
		"enable_mergejoin":                    "off",
		"enable_bitmapscan":                   "off",
		"enable_material":                     "off",
		"jit":                                 "off",
	}
}

func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// checkSchema compares the steps that the database has with those of this build.
func (s *Store) checkSchema(ctx context.Context) error {
	var version int64
	err := s.pool.QueryRow(ctx, query("schema_version")).Scan(&version)
	switch {
	case Class(err) == Infrastructure:
		return reason.New(reason.SchemaMismatch, "the database holds no store").Advise("reconciler migrate")
	case err != nil:
		return reason.Wrap(reason.Unreachable, err, "Postgres does not answer").On("--postgres")
	case version != migrations.Newest():
		return reason.New(reason.SchemaMismatch, "the database is at step %d, this build needs %d", version, migrations.Newest()).
			Advise("reconciler migrate")
	}
	return nil
}

// Close ends all connections. It waits for transactions that are open.
func (s *Store) Close() { s.pool.Close() }

// Pool is the pool of connections, for reads that this package has no method for.
func (s *Store) Pool() *pgxpool.Pool { return s.pool }
