package agent

import (
	"context"
	"slices"

	"consilience/agent/local"
	"consilience/record"
)

// Report is what checking the local memory found.
type Report struct {
	Records    int         `json:"records"`
	Intact     int         `json:"intact"`
	Tampered   []Fault     `json:"tampered"`
	Observers  []record.ID `json:"observers"`  // intact, and see that one they refer to is not
	Unresolved []record.ID `json:"unresolved"` // refer to a record that is not here
	Erased     []record.ID `json:"erased"`     // content erased; intact if what is left of them is
	Unchecked  []record.ID `json:"unchecked"`  // in a canonical form that this build does not know
}

// Fault is what does not hold, at the record where it lies.
type Fault struct {
	Record   record.ID `json:"record_id"`
	Fault    string    `json:"fault"`    // see [record.FaultKind]
	Evidence string    `json:"evidence"` // see [record.Evidence]; "" where the record's own check fails
}

// Verify checks every record of the local memory by itself and against those it
// refers to (N-31 to N-36). It calls each after every record.
func (h *Home) Verify(ctx context.Context, each func()) (Report, error) {
	r := Report{
		Tampered: []Fault{}, Observers: []record.ID{}, Unresolved: []record.ID{},
		Erased: []record.ID{}, Unchecked: []record.ID{},
	}
	err := h.update(ctx, func(tx *local.Tx) error {
		ids, err := tx.RecordIDs()
		if err != nil {
			return err
		}
		for _, id := range ids {
			v, err := record.Validate(id, tx)
			if err != nil {
				return err
			}
			r.add(v)
			each()
		}
		return nil
	})
	return r, err
}

func (r *Report) add(v record.Verdict) {
	r.Records++
	switch v.State {
	case record.Intact, record.Erased: // the latter also if only what it refers to was erased
		r.Intact++
	case record.Tampered:
		r.addFaults(v, func(f record.Fault) bool { return f.Record == v.Record })
	case record.Observer:
		r.Observers = append(r.Observers, v.Record)
		r.addFaults(v, func(f record.Fault) bool {
			return f.Kind == record.FaultPairContent || f.Kind == record.FaultPairPointer
		})
	case record.Unresolved:
		r.Unresolved = append(r.Unresolved, v.Record)
	case record.CannotValidate:
		r.Unchecked = append(r.Unchecked, v.Record)
	}
	for _, f := range v.Faults {
		if f.Kind == record.FaultErased && f.Record == v.Record {
			r.Erased = append(r.Erased, v.Record)
		}
	}
}

// addFaults notes the faults of a verdict that are wanted, each once: several
// observers see the same altered record.
func (r *Report) addFaults(v record.Verdict, wanted func(record.Fault) bool) {
	for _, f := range v.Faults {
		fault := Fault{Record: f.Record, Fault: f.Kind, Evidence: f.Evidence}
		if wanted(f) && !slices.Contains(r.Tampered, fault) {
			r.Tampered = append(r.Tampered, fault)
		}
	}
}
