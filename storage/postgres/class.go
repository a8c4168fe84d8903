package postgres

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Fault is what an error of the store means for the batch it ended.
type Fault int

const (
	// None is no error.
	None Fault = iota
	// Retry went away with its connection or its rivals: the same batch again.
	Retry
	// UnknownCommit is a commit whose answer never came: the position says
	// whether it happened.
	UnknownCommit
	// Data came from a row of the batch and comes back with it: bisect, then stop
	// the partition. Nothing is ever rejected for it.
	Data
	// Infrastructure is anything else: a schema that is not there, a right that
	// is missing, a full disk. Stop; no entry is to blame.
	Infrastructure
)

// String names the fault for a log or a metric.
func (f Fault) String() string {
	return [...]string{"none", "retry", "unknown_commit", "data", "infrastructure"}[f]
}

// classes maps an SQLSTATE, or its first two characters, to its fault (Postgres
// manual, appendix A). The longer entry decides; what is not here is
// [Infrastructure].
var classes = map[string]Fault{
	"08":    Retry, // connection exceptions
	"40":    Retry, // serialization failure, deadlock
	"55P03": Retry, // lock not available
	"57P01": Retry, // administrator shut the connection
	"57P02": Retry, // crash shutdown
	"57P03": Retry, // server is starting up
	"57P05": Retry, // idle session timeout
	"57014": Retry, // query cancelled: statement timeout
	"25P02": Retry, // transaction aborted by an earlier error, already reported
	"25P03": Retry, // idle in transaction
	"53300": Retry, // too many connections
	"53200": Retry, // out of memory
	"21":    Data,  // cardinality violation
	"22":    Data,  // data exception: out of range, bad encoding
	"23":    Data,  // integrity constraint
	"54":    Data,  // program limit: a row or value too large
}

// commitError is a commit that failed. A server that reported an error has
// rolled back; silence leaves the outcome open.
type commitError struct{ err error }

func (e *commitError) Error() string { return "commit: " + e.err.Error() }
func (e *commitError) Unwrap() error { return e.err }

// Class says what err means. Errors that are not of the database are
// [Infrastructure].
func Class(err error) Fault {
	if err == nil {
		return None
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		if f, ok := classes[pg.Code]; ok {
			return f
		}
		if f, ok := classes[pg.Code[:2]]; ok {
			return f
		}
		return Infrastructure
	}
	if !connectionFailed(err) {
		return Infrastructure
	}
	var commit *commitError
	if errors.As(err, &commit) {
		return UnknownCommit
	}
	return Retry
}

// connectionFailed reports an error of the way to the server, not of the server.
func connectionFailed(err error) bool {
	var connect *pgconn.ConnectError
	var network net.Error
	switch {
	case errors.As(err, &connect), errors.As(err, &network), pgconn.Timeout(err), pgconn.SafeToRetry(err):
		return true
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed):
		return true
	case errors.Is(err, pgx.ErrTxClosed), errors.Is(err, pgx.ErrTxCommitRollback), errors.Is(err, context.DeadlineExceeded):
		return true
	}
	// pgx names this one by its text only.
	return strings.Contains(err.Error(), "conn closed")
}
