// Package audit checks a store as a stranger would: it recomputes every record id,
// content hash, relational pair and signature from the stored bytes, and says
// where the fault lies (NHE Memory section 4.4, N-31 to N-36, N-69).
//
// The tour: [Space] streams a space's records in the order of the log and checks
// them in chunks, chunk.go does one chunk, signature.go its deltas' envelopes,
// localize.go looks at a record that failed together with its neighbours, erase.go
// believes a content erased only where an operator signed it. Nothing that the store
// says about a record is believed; only its bytes are.
//
// The audit reads the store and not the log: whoever has the database's password and
// an operator key that was in force once can claim that it signed an erase then.
//
// What an audit cannot see is a delta of which every record was taken out, and
// what the merge made of the records: both show in the digest of a replay.
package audit

import (
	"context"
	"runtime"
	"sync"

	"consilience/identity"
	"consilience/record"
)

// Stored is a record as it lies in the store, with the envelope of the delta that
// brought it.
type Stored struct {
	ID       record.ID
	Forward  []byte
	Content  []byte // nil where Erased
	Erased   bool   // as the row says
	Envelope []byte
}

// Source is a space of a store.
type Source interface {
	// EachRecord calls each with the records in the order of the log, in chunks
	// that are each's to keep.
	EachRecord(ctx context.Context, each func([]Stored) error) error
	// Get returns those of the records that the space has.
	Get(ctx context.Context, ids []record.ID) ([]Stored, error)
	// BackReferences returns ids of records that are said to refer to one.
	BackReferences(ctx context.Context, id record.ID, max int) ([]record.ID, error)
	// Key returns a public key that the fleet's log names, and whose it is.
	Key(kid identity.KeyID) (key identity.PublicKey, owner identity.ID, known bool)
	// Erases returns the erases that are said to have been applied in the space.
	Erases(ctx context.Context) ([]Erase, error)
	// Operator returns an operator's key; ok is false unless it was in force for an
	// entry at seq.
	Operator(kid identity.KeyID, seq uint64) (key identity.PublicKey, ok bool)
	// Place is the store id and the space's name: what an erase has to be signed for.
	Place() (store [32]byte, space string)
}

// Fault is a record that was altered, and how one knows.
type Fault struct {
	Record   record.ID `json:"record_id"`
	Fault    string    `json:"fault"`    // a record.FaultKind, or "signature"
	Evidence string    `json:"evidence"` // a record.Evidence, "" where the record convicts itself
}

// FaultSignature is a record whose delta no key of its author signed: somebody
// rewrote record and hash together (N-69).
const FaultSignature = "signature"

// Report is what an audit found.
type Report struct {
	Records    int         `json:"records"`
	Intact     int         `json:"intact"`
	Tampered   []Fault     `json:"tampered"`
	Observers  []record.ID `json:"observers"`  // intact themselves; see a tampered record
	Unresolved []record.ID `json:"unresolved"` // not there, or refer to one that is not
	Erased     []record.ID `json:"erased"`     // content erased; intact if what is left of them is
	Unchecked  []record.ID `json:"unchecked"`  // in a canonical form that this build does not know
}

// NewReport is the report of an audit that looked at nothing. Its lists are empty
// and not nil, so that no null stands in its JSON.
func NewReport() Report {
	return Report{
		Tampered: []Fault{}, Observers: []record.ID{}, Unresolved: []record.ID{},
		Erased: []record.ID{}, Unchecked: []record.ID{},
	}
}

// Clean reports that nothing was altered and nothing is missing.
func (r Report) Clean() bool { return len(r.Tampered) == 0 && len(r.Unresolved) == 0 }

// Space audits all records of a space. progress is called with the number of
// records checked since the last call; it may be nil.
func Space(ctx context.Context, src Source, progress func(n int)) (Report, error) {
	if progress == nil {
		progress = func(int) {}
	}
	a := newAuditor(src, progress)
	if err := a.readErases(ctx); err != nil {
		return Report{}, err
	}
	if err := a.run(ctx); err != nil {
		return Report{}, err
	}
	err := a.localize(ctx)
	return a.report, err
}

// One audits a single record and what it directly refers to.
func One(ctx context.Context, src Source, id record.ID) (Report, error) {
	a := newAuditor(src, func(int) {})
	stored, err := src.Get(ctx, []record.ID{id})
	if err != nil {
		return Report{}, err
	}
	if err := a.readErases(ctx); err != nil {
		return Report{}, err
	}
	a.suspects = []record.ID{id}
	for _, s := range stored {
		c := a.check(s)
		a.report.Records++
		a.forged(a.signatures([]checked{c}).forged)
		if c.Erased {
			a.report.Erased = append(a.report.Erased, c.ID)
		}
	}
	err = a.localize(ctx)
	return a.report, err
}

func newAuditor(src Source, progress func(int)) *auditor {
	return &auditor{src: src, progress: progress, unsigned: map[record.ID]bool{}, report: NewReport()}
}

// auditor is an audit in progress. Chunks are checked by several goroutines.
type auditor struct {
	src      Source
	progress func(int)
	erased   map[record.Content]bool // by an operator's signed word; fixed before the first chunk

	mu       sync.Mutex
	report   Report
	suspects []record.ID        // to be looked at with their neighbours
	unsigned map[record.ID]bool // not signed by their author
}

// run checks chunk after chunk, as many at once as there are processors.
func (a *auditor) run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	err := a.src.EachRecord(ctx, func(chunk []Stored) error {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			if err := a.chunk(ctx, chunk); err != nil {
				cancel(err)
			}
		})
		return context.Cause(ctx)
	})
	wg.Wait()
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// With is the report of r and other together.
func (r Report) With(other Report) Report {
	r.Records += other.Records
	r.Intact += other.Intact
	r.Tampered = append(r.Tampered, other.Tampered...)
	r.Observers = append(r.Observers, other.Observers...)
	r.Unresolved = append(r.Unresolved, other.Unresolved...)
	r.Erased = append(r.Erased, other.Erased...)
	r.Unchecked = append(r.Unchecked, other.Unchecked...)
	return r
}
