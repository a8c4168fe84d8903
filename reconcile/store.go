package reconcile

import (
	"context"
	"time"

	"consilience/fleet"
	"consilience/identity"
	"consilience/merge"
)

// Position is how far a partition is merged: everything up to Seq, and nothing
// above it, is in the store.
type Position struct {
	Partition int
	Seq       uint64   // last entry merged, 0 for none
	Hash      [32]byte // Message.Hash of that entry, zero for none
	Stopped   string   // why the partition stands still, "" while it does not
}

// Store is the state that the log has led to.
type Store interface {
	Ownership
	// Begin opens the transaction of a batch and locks the partition's position
	// row first, without waiting: reason.PartitionHeld if another transaction has
	// it. The position returned is the one under the lock. The server ends the
	// transaction by itself if its owner falls silent.
	Begin(ctx context.Context, partition int, worker string) (Tx, Position, error)
	// Position reads the position without a lock.
	Position(ctx context.Context, partition int) (Position, error)
	// SetStopped keeps why the partition stands still, "" when it goes on.
	SetStopped(ctx context.Context, partition int, why string) error
	// Facts returns every fleet message after a sequence, refused ones too, in
	// log order. What it returns has no gap: a fact is stored after all before it.
	Facts(ctx context.Context, after uint64) ([]FactRow, error)
	// AppendFacts stores facts, all or none, durably. A fact that is there
	// already, with the same bytes, is left as it is.
	AppendFacts(ctx context.Context, rows []FactRow) error
	// Unpublished returns the oldest outcomes of the partition that were not yet
	// marked as published, at most limit.
	Unpublished(ctx context.Context, partition, limit int) ([]Outcome, error)
	// MarkPublished marks outcomes. Marking twice does no harm.
	MarkPublished(ctx context.Context, done []Outcome) error
	// Fault says what err means for the batch that it ended.
	Fault(err error) Fault
}

// Fault is what an error means for the batch that it ended.
type Fault int

const (
	// FaultEntry comes back with the same entries: narrow it down to one.
	FaultEntry Fault = iota
	// FaultPassing went away with its connection or its rivals: a lost or refused
	// connection, a serialization failure, a deadlock, a timeout, a server that
	// starts or stops. A commit whose answer never came is passing, and says
	// nothing about whether it happened.
	FaultPassing
	// FaultGround is the store's: a table that is not there, a right that is
	// missing, a full disk. No entry is to blame, and no entry would pass.
	FaultGround
)

// Ownership is the hint of which worker reads which partition, by the clock of
// the store. It saves work; safety does not rest on it but on [Store.Begin] and
// [Tx.Commit].
type Ownership interface {
	// Beat says that worker lives and refreshes the partitions it owns, and
	// returns who lives and who owns what now.
	Beat(ctx context.Context, worker string) (Roster, error)
	// Claim takes a partition that nobody alive owns. It reports false if
	// somebody does.
	Claim(ctx context.Context, worker string, partition int) (bool, error)
	// Release gives a partition back, if worker owns it.
	Release(ctx context.Context, worker string, partition int) error
	// Leave forgets the worker and gives back all it owns.
	Leave(ctx context.Context, worker string) error
}

// Roster is who lives, and who owns what.
type Roster struct {
	Workers []string           // names of the living, sorted
	Owners  [Partitions]string // living owner of each partition, "" for none
}

// Tx is the transaction of a batch. It touches one partition.
type Tx interface {
	// Space returns the state of a space, made new if the store has none yet.
	Space(ctx context.Context, num int32, name string) (merge.SpaceState, error)
	// Load puts what is needed into the working set: what the store has, and
	// the mark of absence for what it has not.
	Load(ctx context.Context, space int32, need merge.Need, into *merge.State) error
	// Write writes a plan in bulk. It is the caller's part of the transaction:
	// nothing of it is there before Commit.
	Write(ctx context.Context, plan *merge.Plan) error
	// Reject keeps rejections that belong to no space.
	Reject(ctx context.Context, rows []merge.Rejection) error
	// Sweep calls each with the items, loaded whole, that a sweep touches, in
	// ascending number and at most chunk at a time. each may Write.
	Sweep(ctx context.Context, space int32, s merge.Sweep, chunk int, each func([]*merge.Item) error) error
	// Commit moves the position from from to to, if it still is from, as the last
	// statement, and commits. If it returns an error the batch is in the store
	// whole or not at all, and the position says which.
	Commit(ctx context.Context, from, to Position) error
	// Rollback gives the transaction up. It may be called after Commit.
	Rollback(ctx context.Context)
}

// FactRow is one fleet message with what became of it.
type FactRow struct {
	Fact    fleet.Fact
	Effect  fleet.Effect
	Refusal error // why it changed nothing, nil if it did
	// After is the fleet with this fact. It MUST NOT be used once AppendFacts has returned.
	After fleet.View
}

// Outcome is what became of one delta, from the table of outcomes.
type Outcome struct {
	Seq         uint64
	Contributor identity.ID
	Payload     []byte // the outcome's canonical JSON, wire.md "Not on the log"
	At          time.Time
}
