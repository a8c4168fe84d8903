package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"consilience/reason"
)

// What an error means for a batch: again, bisect, or stop.
func TestClass(t *testing.T) {
	state := func(code string) error { return fmt.Errorf("write: %w", &pgconn.PgError{Code: code}) }
	for _, c := range []struct {
		err  error
		want Fault
	}{
		{nil, None},
		{state("40001"), Retry}, {state("40P01"), Retry}, {state("57P01"), Retry}, {state("08006"), Retry}, {state("55P03"), Retry},
		{state("25P03"), Retry}, {state("53300"), Retry},
		{state("22003"), Data}, {state("22021"), Data}, {state("23502"), Data}, {state("54000"), Data}, {state("21000"), Data},
		{state("42P01"), Infrastructure}, {state("53100"), Infrastructure}, {state("58030"), Infrastructure}, {state("42501"), Infrastructure},
		{io.ErrUnexpectedEOF, Retry}, {fmt.Errorf("x: %w", io.EOF), Retry}, {context.DeadlineExceeded, Retry}, {pgx.ErrTxCommitRollback, Retry},
		{&commitError{io.ErrUnexpectedEOF}, UnknownCommit}, {&commitError{state("40001")}, Retry},
		{errors.New("anything else"), Infrastructure}, {reason.New(reason.PartitionHeld, "held"), Infrastructure},
	} {
		if got := Class(c.err); got != c.want {
			t.Errorf("%v is %s, want %s", c.err, got, c.want)
		}
	}
}
