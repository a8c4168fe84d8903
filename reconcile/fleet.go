package reconcile

import (
	"context"
	"sync"

	"consilience/command"
	"consilience/fleet"
	"consilience/identity"
	"consilience/lineage"
	"consilience/reason"
	"consilience/wire"
)

// Fleet is the one fold of fleet facts in a process, shared by its partitions
// and its service. Facts enter it from the log in order ([Fleet.Ingest]) and are
// in the store when Ingest returns, so that no batch is merged on facts that a
// restart would not find.
type Fleet struct {
	store Store

	writing sync.Mutex // held by the one Ingest that runs
	pending []FactRow  // folded, not yet known to be stored; only under writing

	mu      sync.RWMutex // guards what follows
	state   *fleet.State
	last    uint64   // newest fleet message folded, refused ones included
	hash    [32]byte // hash of its bytes
	folded  map[uint64]folded
	roots   roots
	changed chan struct{} // closed and replaced when last moves
}

// folded is what a fleet message became, without its bytes.
type folded struct {
	effect  fleet.Effect
	refusal error
}

// LoadFleet folds the facts that the store holds, trusting only a genesis whose
// hash is store.
func LoadFleet(ctx context.Context, store [32]byte, s Store) (*Fleet, error) {
	f := &Fleet{store: s, state: fleet.New(store), folded: map[uint64]folded{}, changed: make(chan struct{})}
	f.roots.keys = map[lineage.Node][]identity.PublicKey{}
	return f, f.Refresh(ctx)
}

// Refresh folds the facts that others have stored since.
func (f *Fleet) Refresh(ctx context.Context) error {
	f.writing.Lock()
	defer f.writing.Unlock()
	rows, err := f.store.Facts(ctx, f.Last())
	if err != nil {
		return err
	}
	for _, r := range rows {
		f.fold(Message{Seq: r.Fact.Seq, Time: r.Fact.Time, Subject: r.Fact.Subject.String(), Data: r.Fact.Raw})
	}
	return nil
}

// Ingest folds the fleet messages among msgs, in order, and stores them. When it
// returns without an error every one of them is in the store. The caller has
// read the log without a gap from a place where the store knew all facts.
func (f *Fleet) Ingest(ctx context.Context, msgs []Message) error {
	f.writing.Lock()
	defer f.writing.Unlock()
	for _, m := range msgs {
		if isFleet(m.Subject) {
			if row, isNew := f.fold(m); isNew {
				f.pending = append(f.pending, row)
			}
		}
	}
	if len(f.pending) == 0 {
		return nil
	}
	if err := f.store.AppendFacts(ctx, f.pending); err != nil {
		return err
	}
	f.pending = nil
	return nil
}

// fold applies one message to the state unless it was folded before.
func (f *Fleet) fold(m Message) (FactRow, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if m.Seq <= f.last {
		return FactRow{}, false
	}
	row := FactRow{Fact: fleet.Fact{Seq: m.Seq, Time: m.Time, Raw: m.Data}}
	row.Fact.Subject, row.Refusal = command.ParseSubject(m.Subject)
	if row.Refusal == nil {
		row.Effect, row.Refusal = f.state.Apply(row.Fact)
	}
	row.After = f.state.At(m.Seq + 1)
	if row.Refusal == nil {
		f.roots.learn(row.Effect, m.Data)
	}
	f.folded[m.Seq] = folded{effect: row.Effect, refusal: row.Refusal}
	f.last, f.hash = m.Seq, wire.Hash(m.Data)
	close(f.changed)
	f.changed = make(chan struct{})
	return row, true
}

// Last is the sequence of the newest fleet message folded.
func (f *Fleet) Last() uint64 {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.last
}

// View calls use with the fleet as an entry at seq sees it. The view MUST NOT
// leave use, and use MUST NOT block or call f again.
func (f *Fleet) View(seq uint64, use func(fleet.View)) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	use(f.state.At(seq))
}

// Views calls use with a function that gives the fleet as the entry at any
// sequence sees it; see [Fleet.View].
func (f *Fleet) Views(use func(at func(seq uint64) fleet.View)) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	use(f.state.At)
}

// Now calls use with the fleet after every fact folded so far, as [Fleet.View].
func (f *Fleet) Now(use func(fleet.View)) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	use(f.state.At(f.last + 1))
}

// Fact returns what the fleet message at seq became; ok is false while it is not folded.
func (f *Fleet) Fact(seq uint64) (effect fleet.Effect, refusal error, ok bool) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	x, ok := f.folded[seq]
	return x.effect, x.refusal, ok
}

// Wait returns once the fleet message at seq is folded.
func (f *Fleet) Wait(ctx context.Context, seq uint64) error {
	for {
		f.mu.RLock()
		last, changed := f.last, f.changed
		f.mu.RUnlock()
		if last >= seq {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// CheckLog returns the position of the newest fact that was folded, for a reader
// of the facts after it. It returns reason.LogRestored unless log still holds that
// fact, and reason.StreamForeign unless its first entry is the genesis that the
// store was configured with.
func (f *Fleet) CheckLog(ctx context.Context, log Log) (Position, error) {
	f.mu.RLock()
	last, hash, root := f.last, f.hash, f.state.Store()
	f.mu.RUnlock()
	if err := checkGenesis(ctx, log, root); err != nil || last == 0 {
		return Position{}, err
	}
	m, err := log.Get(ctx, last)
	switch {
	case reason.Of(err) == reason.NotFound:
		return Position{}, restored("the log does not hold sequence %d, a fleet fact of this store", last)
	case err != nil:
		return Position{}, err
	case wire.Hash(m.Data) != hash:
		return Position{}, restored("the log holds another message at sequence %d, a fleet fact of this store", last)
	}
	return Position{Seq: last, Hash: m.Hash}, nil
}

// checkGenesis compares the first entry of the log with the trust root.
func checkGenesis(ctx context.Context, log Log, root [32]byte) error {
	first, err := log.Get(ctx, 1)
	if reason.Of(err) == reason.NotFound {
		return reason.New(reason.StreamForeign, "the log holds no genesis").Advise("name another log, or publish the genesis of this store: reconciler init")
	}
	if err != nil {
		return err
	}
	if m, err := command.Open(first.Data); err != nil || command.StoreID(m.Payload) != root {
		return reason.New(reason.StreamForeign, "the log begins with the genesis of another store").Advise("name the log of store %s", wire.Text(root))
	}
	return nil
}

func restored(format string, args ...any) error {
	return reason.New(reason.LogRestored, format, args...).
		Advise("bring back the newest copy of the log, or rebuild the store from this one: reconciler replay")
}
