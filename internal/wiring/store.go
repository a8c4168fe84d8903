package wiring

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5/pgconn"

	"consilience/merge"
	"consilience/reconcile"
	"consilience/record"
	"consilience/storage/postgres"
)

// Store is a Postgres store as package reconcile needs it. It implements
// [reconcile.Rebuilt], [reconcile.Reads], [reconcile.Peeker] and
// [reconcile.VectorStore].
type Store struct{ *postgres.Store }

var (
	_ reconcile.Rebuilt     = Store{}
	_ reconcile.Reads       = Store{}
	_ reconcile.Peeker      = Store{}
	_ reconcile.VectorStore = Store{}
)

// faults translates what the store makes of an error.
var faults = map[postgres.Fault]reconcile.Fault{
	postgres.Retry: reconcile.FaultPassing, postgres.UnknownCommit: reconcile.FaultPassing,
	postgres.Data: reconcile.FaultEntry, postgres.Infrastructure: reconcile.FaultGround,
}

// Fault implements [reconcile.Store]. The store blames itself for whatever it does
// not know; what no server reported comes from the entries.
func (s Store) Fault(err error) reconcile.Fault {
	class := postgres.Class(err)
	var reported *pgconn.PgError
	if class == postgres.Infrastructure && !errors.As(err, &reported) {
		return reconcile.FaultEntry
	}
	return faults[class]
}

// Begin implements [reconcile.Store].
func (s Store) Begin(ctx context.Context, partition int, worker string) (reconcile.Tx, reconcile.Position, error) {
	tx, p, err := s.Store.Begin(ctx, partition, worker)
	if err != nil {
		return nil, reconcile.Position{}, err
	}
	return batchTx{tx}, position(p), nil
}

// Peek implements [reconcile.Peeker].
func (s Store) Peek(ctx context.Context) (reconcile.Tx, error) {
	tx, err := s.Store.Peek(ctx)
	if err != nil {
		return nil, err
	}
	return batchTx{tx}, nil
}

// batchTx is a transaction of a batch.
type batchTx struct{ *postgres.Tx }

// Commit implements [reconcile.Tx].
func (t batchTx) Commit(ctx context.Context, from, to reconcile.Position) error {
	return t.Tx.Commit(ctx,
		postgres.Position{Partition: from.Partition, Seq: from.Seq, Hash: from.Hash},
		postgres.Position{Partition: to.Partition, Seq: to.Seq, Hash: to.Hash})
}

// Position implements [reconcile.Store].
func (s Store) Position(ctx context.Context, partition int) (reconcile.Position, error) {
	p, err := s.Store.Position(ctx, partition)
	return position(p), err
}

// Positions implements [reconcile.Reads].
func (s Store) Positions(ctx context.Context) ([]reconcile.Position, error) {
	return each(position)(s.Store.Positions(ctx))
}

func position(p postgres.Position) reconcile.Position {
	return reconcile.Position{Partition: p.Partition, Seq: p.Seq, Hash: p.Hash, Stopped: p.Stopped}
}

// Beat implements [reconcile.Ownership].
func (s Store) Beat(ctx context.Context, worker string) (reconcile.Roster, error) {
	r, err := s.Store.Beat(ctx, worker)
	return reconcile.Roster(r), err
}

// Facts implements [reconcile.Store].
func (s Store) Facts(ctx context.Context, after uint64) ([]reconcile.FactRow, error) {
	return each(func(r postgres.FactRow) reconcile.FactRow { return reconcile.FactRow(r) })(s.Store.Facts(ctx, after))
}

// AppendFacts implements [reconcile.Store].
func (s Store) AppendFacts(ctx context.Context, rows []reconcile.FactRow) error {
	out, _ := each(func(r reconcile.FactRow) postgres.FactRow { return postgres.FactRow(r) })(rows, nil)
	return s.Store.AppendFacts(ctx, out)
}

// Unpublished implements [reconcile.Store].
func (s Store) Unpublished(ctx context.Context, partition, limit int) ([]reconcile.Outcome, error) {
	return each(func(o postgres.Outcome) reconcile.Outcome { return reconcile.Outcome(o) })(s.Store.Unpublished(ctx, partition, limit))
}

// MarkPublished implements [reconcile.Store].
func (s Store) MarkPublished(ctx context.Context, done []reconcile.Outcome) error {
	out, _ := each(func(o reconcile.Outcome) postgres.Outcome { return postgres.Outcome(o) })(done, nil)
	return s.Store.MarkPublished(ctx, out)
}

// Snapshot implements [reconcile.Reads].
func (s Store) Snapshot(ctx context.Context, space int32) (reconcile.Snapshot, error) {
	snap, err := s.Store.Snapshot(ctx, space)
	return reconcile.Snapshot(snap), err
}

// Records implements [reconcile.Reads].
func (s Store) Records(ctx context.Context, space int32, ids []record.ID) ([]reconcile.StoredRecord, error) {
	return each(func(r postgres.StoredRecord) reconcile.StoredRecord { return reconcile.StoredRecord(r) })(s.Store.Records(ctx, space, ids))
}

// Vectors implements [reconcile.VectorStore].
func (s Store) Vectors(ctx context.Context, space int32, model string, hashes []record.Hash) ([]reconcile.KeptVector, error) {
	return each(func(v postgres.Vector) reconcile.KeptVector { return reconcile.KeptVector(v) })(s.Store.Vectors(ctx, space, model, hashes))
}

// KeepVectors implements [reconcile.VectorStore].
func (s Store) KeepVectors(ctx context.Context, space int32, model string, rows []reconcile.KeptVector) error {
	out, _ := each(func(v reconcile.KeptVector) postgres.Vector { return postgres.Vector(v) })(rows, nil)
	return s.Store.KeepVectors(ctx, space, model, out)
}

// Foundings implements [reconcile.VectorStore].
func (s Store) Foundings(ctx context.Context, space int32, model string, after merge.ItemNo, limit int) ([]reconcile.Founding, error) {
	return each(founding)(s.Store.Foundings(ctx, space, model, after, limit))
}

// Unembedded implements [reconcile.VectorStore].
func (s Store) Unembedded(ctx context.Context, space int32, model string, after merge.ItemNo, limit int) ([]reconcile.Founding, error) {
	return each(founding)(s.Store.Unembedded(ctx, space, model, after, limit))
}

func founding(f postgres.Founding) reconcile.Founding { return reconcile.Founding(f) }

// each applies convert to every element of a result.
func each[A, B any](convert func(A) B) func([]A, error) ([]B, error) {
	return func(rows []A, err error) ([]B, error) {
		out := make([]B, len(rows))
		for i, r := range rows {
			out[i] = convert(r)
		}
		return out, err
	}
}
